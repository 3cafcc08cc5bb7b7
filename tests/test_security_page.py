"""That SECURITY.md says what is bounded by what, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks import hostile

from docbats.corpus import documents
from docbats.readers import html_main, mail, mime, packages, pdf_limits, pdf_lines, rtf, styles
from docbats.readers.kinds import READERS
from docbats.runtime import UNPACKED_BYTES, UNPACKED_RATIO
from docbats.serve import schema

PAGE = (Path(__file__).parent.parent / "SECURITY.md").read_text("utf-8")
TABLE = PAGE.partition(hostile.BEGIN)[2].partition(hostile.END)[0]


def test_every_kind_that_we_read_was_measured() -> None:
    own = [reader.kind for reader in READERS if reader.name is None]
    assert sorted(hostile.BOUNDED_BY) == sorted(own)
    measured = json.loads(hostile.RESULTS.read_text())
    assert list(measured["kinds"]) == list(hostile.BOUNDED_BY)
    assert all(found["files"] for found in measured["kinds"].values())
    assert hostile.table(measured) == TABLE


@pytest.mark.parametrize("kind", hostile.BOUNDED_BY)
def test_hostile_files_of_each_kind_are_small(kind: str) -> None:
    assert all(len(data) < 2_000_000 for _, data in hostile.cases(kind, size=20_000))


@pytest.mark.parametrize(
    ("kind", "shown", "value"),
    [
        ("html", "2 million characters", html_main._MAX_PAGE / 1e6),
        ("html", "20,000 elements", html_main._MAX_ELEMENTS),
        ("html", "200 deep", html_main._MAX_DEPTH),
        ("html", "3,000 short paragraphs", html_main._MAX_SHORT_RUN),
        ("pdf", "20 times the file", pdf_limits._PAGE_SHARE * UNPACKED_RATIO.value),
        ("pdf", "1 MB always", pdf_limits._ALWAYS_ALLOWED_ON_PAGE >> 20),
        ("pdf", "100 times on all", UNPACKED_RATIO.value),
        ("pdf", "8 MB", pdf_limits._ALWAYS_ALLOWED_IN_FILE >> 20),
        ("pdf", "20,000 pages", pdf_lines.MAX_PAGES),
        ("pdf", "1,000 deep", pdf_limits._MAX_MARK_DEPTH),
        ("docx", "100 times the file", UNPACKED_RATIO.value),
        ("docx", "4 MB always", packages._ALWAYS_ALLOWED_BYTES >> 20),
        ("docx", "256 MB", UNPACKED_BYTES.value >> 20),
        ("docx", "1,000 deep", packages._MAX_DEPTH),
        ("rtf", "10,000 deep", rtf._MAX_DEPTH),
        ("rtf", "255 characters", styles.MAX_STYLE_NAME),
        ("mail", "20 deep", mail._MAX_DEPTH),
        ("mail", "20 deep", mime._MAX_DEPTH),
        ("mail", "100,000 messages", mail._MAX_MESSAGES),
    ],
)
def test_the_bounds_are_those_of_the_readers(kind: str, shown: str, value: float) -> None:
    assert shown in hostile.BOUNDED_BY[kind]
    first = re.match(r"[\d,]+", shown)
    assert first is not None
    assert int(first[0].replace(",", "")) == value


def test_the_other_bounds_are_those_of_the_code() -> None:
    text = " ".join(PAGE.split())
    assert f"{schema.MAX_MEMBERS:,} members and {schema.MAX_ITEMS:,} items" in text
    assert f"{documents._BYTES_AT_A_TIME >> 20} MB of rows at a time" in text
    assert f"{documents._ALWAYS_ALLOWED_BYTES >> 20} MB always" in text

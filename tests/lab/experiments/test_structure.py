"""The experiment on headings and paragraphs, and the weights that come out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docbats.errors import ReadError
from docbats.segments.evidence import BREAK_FEATURES
from docbats_lab.documents import StructuredDocument, read_structured
from docbats_lab.experiments.request import Request
from docbats_lab.experiments.structure import run

FACTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab" / "structure" / "facts.json"


def test_the_weights_are_those_that_were_fitted() -> None:
    assert json.loads(FACTS.read_text(encoding="utf-8"))["weights"] == BREAK_FEATURES


def block(kind: str, text: str, **more: object) -> dict[str, object]:
    return {"type": kind, "text": text, **more}


DOCUMENT = StructuredDocument(
    "a",
    "s",
    "en",
    (
        block("heading", "All", level=1),
        block("paragraph", "To begin with."),
        *(
            part
            for title in ("Bats", "Tea", "Ships")
            for part in (
                block("heading", title, level=2, number="1."),
                block("paragraph", f"{title} are here."),
                block("code", "x = 1"),
            )
        ),
    ),
)


def test_documents_lose_their_headings_and_know_their_sections() -> None:
    plain = DOCUMENT.without_headings()
    parts = plain.text.split("\n\n")
    assert parts == ["To begin with.", "Bats are here.", "Tea are here.", "Ships are here."]
    assert [plain.text[start:].split()[0] for start in plain.starts] == [
        "To",
        "Bats",
        "Tea",
        "Ships",
    ]
    assert plain.headings == (None, "Bats", "Tea", "Ships")


def test_documents_become_markdown() -> None:
    text, headings = DOCUMENT.as_markdown()
    assert list(headings.values()) == ["1. Bats", "1. Tea", "1. Ships"]
    assert all(text[start:].startswith("## 1. ") for start in headings)


def test_data_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there are no structured documents in"):
        read_structured(tmp_path)


@pytest.mark.data
def test_headings_and_paragraphs_help(data: Path, tmp_path: Path) -> None:
    run(Request(data, tmp_path, limit=2))
    facts = json.loads((tmp_path / "structure" / "facts.json").read_text(encoding="utf-8"))
    for found in filter(None, facts["headings"].values()):
        assert found["f1"] > 0.9
        assert found["titled"] == 1
    for found in facts["paragraphs"]["paragraphs"].values():
        assert found["at_break"] == 1

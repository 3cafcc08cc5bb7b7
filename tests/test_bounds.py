"""Little input, much work: what is refused, what is bounded, and how to raise the bound."""

from __future__ import annotations

import io
import os
import re
import unicodedata
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import docbats
from docbats.errors import DocbatsError, InputError, ReadError, SettingsError
from docbats.matrix import bond, leading_singular_vectors
from docbats.readers import epub as epub_book
from docbats.readers.html import HtmlPage
from docbats.runtime import FILE_BYTES, LIMITS, TOPICS, use_strict_limits
from docbats.text import markup as nfc

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTAINER = '<container><rootfile full-path="book.opf"/></container>'
FRENCH = "L'homme qu'il a vu n'est pas d'ici, c'est l'ami d'Aline. L'école n'ouvre qu'à l'aube. "


def make_epub(items: str, spine: str, pages: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", CONTAINER)
        package = f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>"
        archive.writestr("book.opf", package)
        for name, page in pages.items():
            archive.writestr(name, page)
    return made.getvalue()


def make_words(count: int) -> list[str]:
    return [f"{a}{b}ta" for a in "bdfgklmnprstvw" for b in ["a", "e", "i", "o", "u"]][:count]


@pytest.mark.parametrize("language", ["fr", "it", "auto"])
@pytest.mark.parametrize("max_size", [1, 2, 3, 7, 15])
def test_elisions_are_words_of_their_own_for_sizes(language: str, max_size: int) -> None:
    text = FRENCH * 4
    result = docbats.analyze(text, language=language, max_size=max_size, size_unit="words")
    assert "".join(segment.text for segment in result.segments) == text


def test_a_chapter_with_many_names_is_read_once() -> None:
    kind = 'media-type="application/xhtml+xml"'
    items = "".join(f'<item id="c{i}" href="c.html" {kind}/>' for i in range(10))
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(10))
    page = "<p>Bats hunt moths. Tea is hot.</p>"
    read = docbats.Document.read(make_epub(items, spine, {"c.html": page}))
    assert read.text.strip() == "Bats hunt moths. Tea is hot."


def test_an_archive_unpacks_to_no_more_than_so_many_times_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = 'media-type="application/xhtml+xml"'
    items = "".join(f'<item id="c{i}" href="{i}.html" {kind}/>' for i in range(8))
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(8))
    pages = {f"{i}.html": f"<p>{'Bats hunt moths. ' * 60_000}</p>" for i in range(8)}
    book = make_epub(items, spine, pages)
    parsed: list[str] = []

    def no_blocks(page: str, **_: object) -> HtmlPage:
        parsed.append(page)
        return HtmlPage([], [], {}, 0)

    monkeypatch.setattr(epub_book, "walk_page", no_blocks)
    with pytest.raises(ReadError, match="DOCBATS_MAX_UNPACKED_RATIO"):
        docbats.Document.read(book)
    assert sum(map(len, parsed)) <= max(4 << 20, 100 * len(book))
    monkeypatch.setenv("DOCBATS_MAX_UNPACKED_RATIO", "1000")
    with pytest.raises(ReadError, match="without text"):
        docbats.Document.read(book)


def test_a_link_that_is_no_address_is_skipped() -> None:
    items = '<item id="c" href="http://[" media-type="application/xhtml+xml"/>'
    with pytest.raises(ReadError, match="without text"):
        docbats.Document.read(make_epub(items, '<itemref idref="c"/>', {}))


def test_there_are_no_more_topics_than_words() -> None:
    text = "Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools."
    result = docbats.analyze(text, n_topics=3 * 10**7, vectors=True)
    assert result.vectors is not None
    assert result.vectors.words.shape == (4, 4)
    assert len(result.topics) <= 4


def test_many_topics_have_to_be_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    words = make_words(30)
    sentences = [f"{words[i % 30]} {words[(i + 1) % 30]}" for i in range(60)]
    monkeypatch.setenv(TOPICS.variable, "5")
    with pytest.raises(
        InputError, match=r"n_topics must be at most 5, got 6: .*DOCBATS_MAX_TOPICS"
    ):
        docbats.analyze(sentences, n_topics=6)
    assert len(docbats.analyze(sentences, k=8).topics) <= 5
    result = docbats.analyze(sentences, k=8, ranking="kmeans")
    assert len(result.segments) == 8
    assert len(result.topics) == 5
    assert any("There are 5 topics" in note for note in result.notes)


def test_vectors_and_windows_of_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy import sparse

    X = sparse.csr_array(np.ones((20, 5)))
    monkeypatch.setenv("DOCBATS_MAX_BONDED_CELLS", "100")
    monkeypatch.setenv("DOCBATS_MAX_VECTOR_CELLS", "100")
    assert bond(X, 2, 0.5).shape == (20, 5)
    with pytest.raises(InputError, match=r"a window of 3 .* 140 cells, and 100 are allowed"):
        bond(X, 3, 0.5)
    with pytest.raises(InputError, match=r"k=5 singular vectors .* have 125 numbers, and 100"):
        leading_singular_vectors(X, 5)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_each_bound_can_be_raised_and_says_so(limit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit.value == limit.default
    assert limit.variable in limit.advice
    assert limit.reason.endswith(".")
    monkeypatch.setenv(limit.variable, "7")
    assert limit.value == 7
    for wrong in ("", "-1", "0", "seven", "9" * 19):
        monkeypatch.setenv(limit.variable, wrong)
        with pytest.raises(SettingsError, match=limit.variable):
            _ = limit.value


def test_accents_are_composed_but_not_by_the_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def recording(form: Literal["NFC"], text: str) -> str:
        asked.append(max(map(len, re.findall("[\u0300-\u036f]*", text))))
        return unicodedata.normalize(form, text)

    monkeypatch.setattr(nfc, "normalize", recording)
    hostile = "a" + "\u0316\u0301" * 60_000
    assert nfc.compose(f"cafe\u0301 {hostile} cafe\u0301") == f"caf\u00e9 {hostile} caf\u00e9"
    assert docbats.analyze(f"{hostile} bats fly. Bats hunt moths.").segments
    page = f"<html><body><p>{hostile} cafe\u0301 bats fly.</p></body></html>"
    assert "caf\u00e9" in docbats.Document.read(page.encode()).text
    assert max(asked) <= 100


def test_a_text_without_a_token_has_an_overlap() -> None:
    assert docbats.analyze("\u200d", overlap=1, size_unit="words").segments[0].overlap_start == 0


HUGE = 10**400
NO_ERRORS_OF_PYTHON = {
    "hours": b"WEBVTT\n\n" + b"9" * 400 + b":00:01.000 --> " + b"9" * 401 + b":00:02.000\nBats\n",
    "hours in SRT": b"1\n" + b"9" * 5000 + b":00:01,000 --> 1:00:02,000\nBats\n",
    "reference": b"<html><body><p>Bats &#" + b"9" * 5000 + b"; fly.</p></body></html>",
    "zeros": b"<html><body><p>Bats &#" + b"0" * 5000 + b"65; fly.</p></body></html>",
    "reference in captions": b"1\n00:00:01,000 --> 00:00:02,000\nBats &#" + b"9" * 5000 + b";\n",
    "level": b'{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "heading", "level": '
    + b"9" * 300 + b', "source": "Bats"}]}]}',
    "deep notebook": b'{"nbformat": 4, "cells": ' + b"[" * 100_000,
    "deep header": b"Subject: Bats\nFrom: " + b"(" * 5000 + b"\n\nTea is hot.\n",
    "deep subject": b"Subject: " + b"=?utf-8?q?a?= (" * 2000 + b"\n\nBats fly.\n",
    "mail in idna": b"Subject: Bats\nContent-Type: text/plain; charset=idna\n\nTea \xff\xe9.\n",
    "mail of odd type": b"Subject: Bats\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
    b"Content-Type: t]Fq\x92\xe1\x91\x0c\xd1\x85Wlain; charset=idna\n\nBats fly.\n--x--\n",
    "mail in punycode": b"Subject: Bats\nContent-Type: text/plain; charset=punycode\n\nTea a-b.\n",
    "punycode": b"<html><meta charset=punycode><body><p>" + b"Bats fly. " * 100,
    "unicode_escape": b"<html><meta charset=unicode_escape><body><p>Bats \\x41 fly.</p>",
}  # fmt: skip


@pytest.mark.parametrize("data", NO_ERRORS_OF_PYTHON.values(), ids=NO_ERRORS_OF_PYTHON)
def test_numbers_without_end_are_read_or_refused(data: bytes) -> None:
    with suppress(DocbatsError):
        assert "Bats" in docbats.Document.read(data).text


def test_references_to_no_character_become_the_replacement_character() -> None:
    read = docbats.Document.read(NO_ERRORS_OF_PYTHON["reference"])
    assert read.text.strip() == "Bats \ufffd fly."
    assert docbats.Document.read(NO_ERRORS_OF_PYTHON["zeros"]).text.strip() == "Bats A fly."


def test_numbers_that_numpy_cannot_hold_are_refused() -> None:
    with pytest.raises(InputError, match="sentence spans"):
        docbats.Document("abc", [[0, 2**70]])  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="class_weights must be numbers"):
        docbats.Settings(class_weights={"NOUN": HUGE})
    with pytest.raises(SettingsError, match="restarts must be at most 10000, got 1000000"):
        docbats.Settings(restarts=10**6)


@pytest.mark.parametrize(
    "line",
    ["#{}y", "# x{}y", "# {}{{#", "# [[[[{}", "# x{}#y", "x\n={}y", "- a\n{}x", "{}", "|{}|"],
)
def test_blanks_in_markdown_take_linear_time(line: str) -> None:
    # Quadratic, these would take minutes, and the whole run would be stopped.
    text = line.replace("{}", " " * 300_000) + "\n\nBats hunt moths.\n"
    assert "Bats" in docbats.Document.read(text.encode(), name="a.md").text


def test_the_table_in_the_docs_has_every_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[1] / "docs" / "reference" / "errors.md"
    rows = re.findall(
        r"^\| `(DOCBATS_MAX_\w+)` \| (\S+) \| (\S+) \|", page.read_text("utf-8"), re.MULTILINE
    )
    monkeypatch.setattr(os, "environ", {})
    defaults = {limit: limit.value for limit in LIMITS}
    use_strict_limits()
    strict = {limit: f"{limit.value:,}" for limit in LIMITS} | {FILE_BYTES: "`--max-bytes`"}
    assert FILE_BYTES.value == FILE_BYTES.default
    assert rows == [(limit.variable, f"{defaults[limit]:,}", strict[limit]) for limit in LIMITS]

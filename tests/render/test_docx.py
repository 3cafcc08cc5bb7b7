"""A Word document of a result, read again by our own reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import docbats
from docbats.render.docx import to_docx

if TYPE_CHECKING:
    from pathlib import Path


def test_headings_are_the_outline_and_the_text_is_all_there(example: Path) -> None:
    result = docbats.analyze(example.read_text(encoding="utf-8"))
    read = docbats.Document.read(to_docx(result, "A title"), kind="docx")
    assert read.places is not None
    titles = [heading.title for heading in read.places.headings]
    expected = [entry.title for _, entry in result.outline.walk()]
    assert [title for title in titles if title != "A title"] == expected
    words = iter(read.text.split())
    assert all(word in words for word in result.document.text.split())


def test_any_characters_can_be_written() -> None:
    result = docbats.analyze("Bats & <moths>\x00 \ud800. Tea \x0b \u202ecools. Bats dive.", k=2)
    read = docbats.Document.read(to_docx(result, "<a>\x07"), kind="docx")
    assert "Bats & <moths>\ufffd \ufffd" in read.text


def test_same_result_gives_the_same_bytes() -> None:
    result = docbats.analyze("Bats hunt moths. Moths hear bats. Tea cools. Hot tea.", k=2)
    assert to_docx(result) == to_docx(result)

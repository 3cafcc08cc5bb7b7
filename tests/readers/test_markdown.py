"""Markdown: its text, sentences and headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.markdown_page import PAGE

import docbats
from docbats import Document
from docbats.blocks import check_blocks
from docbats.errors import EmptyDocumentError


def _read(text: str) -> Document:
    return Document.read(text.encode("utf-8", "surrogatepass"), kind="markdown")


def test_text_stays_as_it_is_written() -> None:
    assert _read(PAGE).text == PAGE


def test_headings_are_found_with_their_levels() -> None:
    places = Document.read(PAGE.encode(), name="page.md").places
    assert places is not None
    assert [(h.level, h.title) for h in places.headings] == [
        (1, "Bats and tea"),
        (2, "Tea"),
        (2, "Water"),
    ]
    assert [PAGE[h.start : h.end] for h in places.headings] == [
        "# Bats and *tea*",
        "Tea\n---",
        "## Water {#water}",
    ]


def test_headings_stand_alone_and_what_is_no_prose_is_split_by_lines() -> None:
    sentences = _read(PAGE).sentences
    assert sentences == (
        "# Bats and *tea*",
        "Bats hunt moths.",
        'See [the `guide`](docs/guide.md "Guide").',
        "```python",
        "# not a heading",
        "moths = 3",
        "Moths dive.",
        "Tea\n---",
        "Tea needs water.",
        "| cup | size |",
        "| big | 3    |",
        "## Water {#water}",
        "Hot water.",
        "[guide]: https://example.org/guide",
    )


def test_marks_alone_are_no_sentences() -> None:
    text = "| a | b |\n|---|---|\n| Bats fly. | x. |\n| Tea cools. | y. |\n\nSo it is. |\n\n***\n"
    assert _read(text).sentences == (
        *("| a | b |", "| Bats fly. | x. |", "| Tea cools. | y. |"),
        "So it is.",
    )


def test_targets_of_links_are_no_words() -> None:
    text = "Bats see [the guide](docs/zebra.md) by night. Bats read [it](docs/zebra.md). " * 5
    result = docbats.analyze(_read(text), k=1)
    words = {word for topic in result.topics for word, _ in topic.words}
    assert "guide" in words
    assert not words & {"zebra", "docs", "md"}


def test_segments_know_their_headings() -> None:
    document = _read(PAGE)
    tea = PAGE.index("Tea needs")
    place = document.place(tea, PAGE.index("Hot water"))
    assert place is not None
    assert (place.under, place.headings) == (("Bats and tea", "Tea"), ("Water",))
    opening = document.place(PAGE.index("## Water"), len(PAGE))
    assert opening is not None
    assert (opening.under, opening.headings) == (("Bats and tea",), ("Water",))
    assert opening.to_dict() == {}
    (segment,) = docbats.analyze(document, k=1).to_dict()["segments"]
    assert "place" not in segment


def test_markdown_without_headings_has_no_place() -> None:
    assert _read("Bats fly.").place(0, 9) is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(line_end: str) -> None:
    places = _read(PAGE.replace("\n", line_end)).places
    assert places is not None
    assert [h.title for h in places.headings] == ["Bats and tea", "Tea", "Water"]


@given(
    st.lists(st.sampled_from(PAGE.splitlines(keepends=True)), max_size=30),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
def test_offsets_hold_for_any_text(lines: list[str], rest: str) -> None:
    text = "".join(lines) + rest
    if not text.strip():
        return
    try:
        document = Document.read(text.encode(), kind="markdown", encoding="utf-8")
    except EmptyDocumentError:
        return
    prose = text if document.prose is None else document.prose
    assert document.text == text
    assert len(prose) == len(text)
    assert all(a in (b, " ") for a, b in zip(prose, text, strict=True))
    assert all(s == s.strip() and s for s in document.sentences)
    check_blocks(document.blocks, len(text))
    starts = {start for start, _ in document.spans.tolist()}
    assert all(block.start in starts for block in document.blocks)

"""The headings over each place of a text, beside those found by walking back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docbats import Document
from docbats.blocks import Block, HeadingIndex, top_level
from docbats.places import Heading, Places

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTLINES = st.lists(
    st.tuples(st.sampled_from(["heading", "heading", "paragraph", "quote"]), st.integers(1, 5)),
    min_size=1,
    max_size=30,
)


def made(outline: Sequence[tuple[str, int]]) -> Document:
    return Document.from_blocks(
        {"kind": kind, "text": f"{kind} {i}.", "level": level}
        for i, (kind, level) in enumerate(outline)
    )


def walked_back(headings: Sequence[tuple[int, str]], below: int | None = None) -> tuple[str, ...]:
    """Return the headings over what follows them, or over a heading of the level `below`."""
    path: list[str] = []
    for level, title in reversed(headings):
        if below is None or level < below:
            path.insert(0, title)
            below = level
    return tuple(path)


def found_in(document: Document) -> list[tuple[int, int, str]]:
    return [(b.start, b.level or 1, b.heading) for b in document.blocks if b.kind == "heading"]


@given(OUTLINES)
def test_paths_are_those_found_by_walking_back(outline: list[tuple[str, int]]) -> None:
    document = made(outline)
    found = found_in(document)
    places = Places(headings=tuple(Heading(at, at, level, title) for at, level, title in found))
    paths = HeadingIndex.of(document)
    for start in range(len(document.text)):
        before = [(level, title) for at, level, title in found if at < start]
        here = [(level, title) for at, level, title in found if at == start]
        below = here[0][0] if here else None
        above = walked_back(before, below)
        place = places.find(start, start + 1)
        assert (place.under if place else ()) == above
        assert paths.path_above(start) == above
        assert paths.path_at(start) == above + tuple(title for _, title in here)
    levels = [(level, title) for _, level, title in found]
    tops = {title for i, (level, title) in enumerate(levels) if not walked_back(levels[:i], level)}
    assert paths.document_title == (tops.pop() if len(tops) == 1 else None)


@given(OUTLINES)
def test_titles_are_those_found_by_walking_back(outline: list[tuple[str, int]]) -> None:
    document = made(outline)
    found = found_in(document)
    offsets = range(len(document.text))
    titles = map(HeadingIndex.of(document).segment_title, offsets)
    top = top_level((level, title) for _, level, title in found) if found else 0
    kinds = {block.start: block.kind for block in document.blocks}
    starts = [block.start for block in document.blocks]
    for offset, title in zip(offsets, titles, strict=True):
        begin = offset + len(document.text[offset:]) - len(document.text[offset:].lstrip())
        run = []
        for start in starts[starts.index(begin) :] if begin in starts else []:
            if kinds[start] != "heading":
                break
            run += [heading for heading in found if heading[0] == start]
        own = next((heading for heading in run if heading[1] >= top), run[0] if run else None)
        if own is None:
            before = [(level, text) for start, level, text in found if start < begin]
            assert (title.title, title.path) == (None, walked_back(before))
        else:
            own = own if own[1] == top else run[0]  # not a subtitle
            before = [(level, text) for start, level, text in found if start < own[0]]
            assert title.title == own[2]
            assert title.path == (*walked_back(before, own[1]), own[2])


def test_a_heading_without_text_is_no_title() -> None:
    blocks = (
        Block("heading", 0, 4, level=1, title="Bats"),
        Block("heading", 5, 6, level=2),
        Block("paragraph", 7, 12),
        Block("heading", 13, 16, level=2, title="Tea"),
        Block("heading", 17, 18, level=2),
    )
    document = Document("Bats - They. Tea -", np.array([[0, 12], [13, 18]]), blocks=blocks)
    titles = map(HeadingIndex.of(document).segment_title, [0, 13])
    assert [title.title for title in titles] == ["Bats", "Tea"]


class CountedLevel(int):
    """A level that counts how often levels are compared."""

    n_compared = 0

    def __lt__(self, other: int) -> bool:
        CountedLevel.n_compared += 1
        return int(self) < int(other)

    def __ge__(self, other: int) -> bool:
        return not self < other


def test_many_headings_of_one_level_take_linear_time(monkeypatch: Any) -> None:
    monkeypatch.setattr(CountedLevel, "n_compared", 0)
    n = 1000
    text = "## Bats\n" * n
    starts = range(0, len(text), 8)
    level = CountedLevel(2)
    headings = tuple(Heading(start, start + 7, level, "Bats") for start in starts)
    blocks = tuple(
        Block("heading", start, start + 7, level=level, title="Bats") for start in starts
    )
    places = Places(headings=headings)
    assert all(place and not place.under for place in (places.find(s, s + 8) for s in starts))
    document = Document(text, np.array([[0, len(text)]]), blocks=blocks)
    index = HeadingIndex.of(document)
    assert {index.segment_title(start).path for start in starts} == {("Bats",)}
    assert CountedLevel.n_compared < 10 * n


def test_a_subtitle_does_not_title_the_first_segment() -> None:
    outline = [(1, "Bats"), (3, "A guide"), (2, "Wings"), (2, "Ears"), (2, "Food")]
    blocks = [{"kind": "heading", "level": level, "text": title} for level, title in outline]
    blocks.insert(2, {"kind": "paragraph", "text": "They fly."})
    assert HeadingIndex.of(Document.from_blocks(blocks)).segment_title(0).title == "Bats"

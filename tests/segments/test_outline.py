"""The outline: of any depth, tiling the text at each, with titles that differ."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.long_book import make_book

from docbats import Document, Outline, Result, analyze
from docbats.parts import AUTHORS_TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats import Entry

SUBJECTS = ["bat cave wing moth", "tea leaf pot steam", "rope knot sail mast", "salt brine pan sun"]


def text_of(numbers: Sequence[int]) -> str:
    """A sentence for each number, on the subject that it stands for."""
    words = [SUBJECTS[number % len(SUBJECTS)].split() for number in numbers]
    return " ".join(
        f"The {four[i % 4]} and the {four[(i // 4 + 1) % 4]} have a {four[(i + 2) % 4]}."
        for i, four in enumerate(words)
    )


def check(result: Result) -> Outline:
    """Check what holds of every outline."""
    outline = result.outline
    check_list(outline, 0, len(result.document), result.document)
    leaves = outline.leaves
    assert (leaves[0].start, leaves[-1].end) == (0, len(result.document.text))
    assert all(a.end == b.start for a, b in pairwise(leaves))
    spans = {entry.sentences for _, entry in outline.walk()}
    assert {segment.sentences for segment in result.segments} <= spans
    for depth in range(1, outline.depth + 2):
        assert outline(depth).depth == min(depth, outline.depth)
    return outline


def check_list(entries: Sequence[Entry], first: int, end: int, document: Document) -> None:
    assert entries[0].sentences[0] == first
    assert entries[-1].sentences[1] == end
    assert all(a.sentences[1] == b.sentences[0] for a, b in pairwise(entries))
    words = [
        entry.title.casefold() for entry in entries if entry.title_source not in AUTHORS_TITLES
    ]
    titles = [entry.title.casefold() for entry in entries]
    assert all(titles.count(title) == 1 for title in words)
    for entry in entries:
        begin, after = entry.sentences
        assert begin < after
        assert entry.start == (document.spans[begin, 0] if begin else 0)
        if entry.children:
            # An only child has a heading of its own, right under that of the entry.
            assert len(entry.children) > 1 or entry.children[0].title_source == "heading"
            below = [
                child.title for child in entry.children if child.title_source not in AUTHORS_TITLES
            ]
            assert entry.title.casefold() not in [title.casefold() for title in below]
            check_list(entry.children, *entry.sentences, document)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 12)), min_size=1, max_size=12),
    st.integers(1, 40),
    st.sampled_from(["coarse", "medium", "fine"]),
)
@settings(max_examples=60)
def test_it_tiles_the_text_with_titles_that_differ(
    runs: list[tuple[int, int]], k: int, granularity: str
) -> None:
    text = text_of([subject for subject, length in runs for _ in range(length)])
    sentences = sum(length for _, length in runs)
    for number in (min(k, sentences), "auto"):
        result = analyze(text, k=number, granularity=granularity)  # type: ignore[arg-type]
        assert check(result) == analyze(text, k=number, granularity=granularity).outline  # type: ignore[arg-type]


@pytest.mark.parametrize("sentence", ["Bats fly.", "The bat and the bat have a bat."])
def test_titles_differ_even_where_all_sentences_are_the_same(sentence: str) -> None:
    for k in (1, 2, 20, 100):
        check(analyze(" ".join([sentence] * 200), k=k))


@pytest.fixture(scope="module")
def book() -> Result:
    return analyze(make_book(5000).text, language="en")


def test_a_book_has_two_or_three_levels_of_short_lists(book: Result) -> None:
    outline = check(book)
    assert 2 <= outline.depth <= 3
    assert len(outline.leaves) >= 16
    assert all(len(entry.children) <= 12 for _, entry in outline.walk())
    assert len(outline) <= 12


def test_its_parts_and_chapters_are_found() -> None:
    made = make_book(5000)
    outline = analyze(made.text, k=4, language="en").outline
    parts, chapters, _ = made.starts
    assert [entry.sentences[0] for entry in outline] == pytest.approx(parts, abs=3)
    found = [child.sentences[0] for entry in outline for child in entry.children]
    near = [any(abs(start - place) <= 3 for place in found) for start in chapters]
    assert sum(near) >= len(chapters) - 1


@pytest.mark.parametrize(("k", "levels"), [(12, 1), (13, 2), (60, 2), (200, 3)])
def test_many_segments_are_gathered_into_parts(k: int, levels: int) -> None:
    made = make_book(1200)
    result = analyze(made.text, k=k, language="en")
    outline = check(result)
    above = {segment.sentences: numbers for numbers, segment in outline.walk()}
    depths = [len(above[segment.sentences]) for segment in result.segments]
    assert max(depths) == levels
    assert max(len(outline), *(len(entry.children) for _, entry in outline.walk())) <= 12


def test_sections_of_the_author_stay_one_list() -> None:
    blocks = []
    for number in range(30):
        blocks.append({"kind": "heading", "text": f"Section {number}", "level": 1})
        blocks.append({"kind": "paragraph", "text": text_of([number] * 5)})
    outline = check(analyze(Document.from_blocks(blocks)))
    assert [entry.title for entry in outline] == [f"Section {number}" for number in range(30)]


@pytest.mark.parametrize("contents", [False, True])
def test_the_first_section_of_a_chapter_keeps_its_heading(contents: bool) -> None:
    blocks = []
    for chapter, subjects in (("One", [0, 1]), ("Two", [2]), ("Three", [1, 2])):
        blocks.append({"kind": "heading", "text": chapter, "level": 1})
        if contents:
            blocks.append({"kind": "contents", "text": f"In this chapter: {chapter}.1"})
        for number, subject in enumerate(subjects, 1):
            blocks.append({"kind": "heading", "text": f"{chapter}.{number}", "level": 2})
            blocks.append({"kind": "paragraph", "text": text_of([subject] * 4)})
    outline = check(analyze(Document.from_blocks(blocks)))
    titles = {entry.title: [child.title for child in entry.children] for entry in outline}
    assert titles == {"One": ["One.1", "One.2"], "Two": ["Two.1"], "Three": ["Three.1", "Three.2"]}


def test_below_the_deepest_headings_words_decide() -> None:
    blocks = []
    for name, subjects in (("One", [0, 1]), ("Two", [2, 3]), ("Three", [1, 2])):
        blocks.append({"kind": "heading", "text": name, "level": 1})
        for subject in subjects:
            blocks += [{"kind": "paragraph", "text": text_of([subject] * 4)} for _ in range(6)]
    outline = check(analyze(Document.from_blocks(blocks)))
    assert [entry.title for entry in outline] == ["One", "Two", "Three"]
    assert [len(entry.children) for entry in outline] == [2, 2, 2]
    assert AUTHORS_TITLES.isdisjoint(
        child.title_source for entry in outline for child in entry.children
    )


@pytest.mark.parametrize("options", [{"preset": "paper"}, {"structure": "ignore"}])
def test_headings_that_are_to_be_ignored_are(options: dict[str, Any]) -> None:
    blocks = []
    for number, name in enumerate(("One", "Two", "Three")):
        blocks.append({"kind": "heading", "text": name, "level": 1})
        blocks.append({"kind": "paragraph", "text": text_of([number] * 3)})
    blocked = Document.from_blocks(blocks)
    outline = check(analyze(blocked, k=2, **options))
    assert AUTHORS_TITLES.isdisjoint(entry.title_source for _, entry in outline.walk())
    bare = Document(blocked.text, blocked.spans, detected=blocked.detected)
    assert outline.to_list() == analyze(bare, k=2, **options).outline.to_list()
    followed = check(analyze(blocked, k=2))
    assert "heading" in {entry.title_source for _, entry in followed.walk()}

"""The cuts of the slider: nested, through every level of the outline, with titles that differ."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from tests.long_book import make_book

import docbats
from docbats.render.html.slider import SliderCuts, make_slider_cuts


def starts_of(cuts: SliderCuts) -> list[list[int]]:
    return [[segment.sentences[0] for segment in cut] for cut in cuts.segments]


@pytest.fixture(scope="module")
def text() -> str:
    return make_book(1500).text


@pytest.mark.parametrize("settings", [{}, {"k": 2}, {"k": 30}, {"granularity": "fine"}])
def test_each_cut_has_the_boundaries_of_the_coarser(text: str, settings: dict[str, Any]) -> None:
    result = docbats.analyze(text, language="en", **settings)
    cuts = make_slider_cuts(result, result.outline)
    found = starts_of(cuts)
    assert cuts.is_nested
    assert cuts.segments[cuts.own] == result.segments
    assert found[0] == [0]
    assert all(set(a) < set(b) for a, b in pairwise(found))
    levels = [result.outline(depth) for depth in range(1, result.outline.depth + 1)]
    if len(result.outline) == len(result.segments):
        for level in levels:
            assert [leaf.sentences[0] for leaf in level.leaves] in found
    assert [leaf.sentences[0] for leaf in result.outline.leaves] in found


@pytest.mark.parametrize("k", [1, 3, 30])
def test_titles_are_those_of_the_outline_or_differ_from_those_inside(text: str, k: int) -> None:
    result = docbats.analyze(text, k=k, language="en")
    known = {entry.sentences: entry for _, entry in result.outline.walk()}
    for cut in make_slider_cuts(result, result.outline).segments:
        # Entries of the outline below different ones may have the same title.
        titles = Counter(segment.title.casefold() for segment in cut)
        for segment in cut:
            entry = known.get(segment.sentences)
            if entry is not None:
                assert segment.title == entry.title
                continue
            assert titles[segment.title.casefold()] == 1
            first, end = segment.sentences
            inside = {e.title for span, e in known.items() if first <= span[0] and span[1] <= end}
            assert segment.title not in inside


def test_a_short_text_can_be_cut_finer_than_its_outline() -> None:
    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools. " * 5
    result = docbats.analyze(text, k=2)
    cuts = make_slider_cuts(result, result.outline)
    assert [len(cut) for cut in cuts.segments] == list(range(1, 13))


@pytest.mark.parametrize("sizes", [{"max_size": 200}, {"min_size": 100}])
def test_cuts_keep_to_the_limits_on_sizes(text: str, sizes: dict[str, Any]) -> None:
    result = docbats.analyze(text, language="en", **sizes)
    cuts = make_slider_cuts(result, result.outline)
    for cut in cuts.segments:
        lengths = [segment.sentences[1] - segment.sentences[0] for segment in cut]
        assert max(lengths) <= sizes.get("max_size", 10_000)
        assert min(lengths) >= sizes.get("min_size", 0)
    assert cuts.segments[cuts.own] == result.segments


def test_a_text_of_thousands_of_segments_has_a_slider_of_a_few_cuts() -> None:
    result = docbats.analyze(make_book(1400).text, k=1050, language="en")
    cuts = make_slider_cuts(result, result.outline)
    sizes = [len(cut) for cut in cuts.segments]
    assert 1050 in sizes
    assert len(result.outline) in sizes
    assert len(sizes) <= 40
    assert all(size <= 1000 for size in sizes if size != 1050)


def test_without_kept_words_there_is_one_cut() -> None:
    result = docbats.analyze("Red. Blue. Green.", k=1)
    cuts = make_slider_cuts(result, docbats.Outline())
    assert cuts.segments == (result.segments,)

"""Segments of the user's own."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats

TEXT = (
    "Bats hunt moths at night. Moths hear the bats. Bats answer with other calls.\n\n"
    "Tea needs hot water. Hot tea cools in a cup. Green tea needs less heat.\n\n"
    "Copper conducts heat well. Copper pipes carry hot water. Old pipes were lead."
)
STARTS = [0, TEXT.index("Tea"), TEXT.index("Copper")]


@pytest.mark.parametrize("boundaries", [STARTS, STARTS[1:], np.array(STARTS), tuple(STARTS)])
def test_segments_begin_where_told(boundaries: Any) -> None:
    result = docbats.analyze(TEXT, boundaries=boundaries)
    assert [segment.start for segment in result.segments] == STARTS
    assert "".join(segment.text for segment in result.segments) == TEXT
    assert result.settings.k == 3
    assert result.choice is None
    assert len({segment.title for segment in result.segments}) == 3
    assert all(segment.strength is not None for segment in result.segments[1:])
    assert docbats.BATS()(TEXT, boundaries=boundaries).to_json() == result.to_json()


def test_no_boundaries_are_one_segment() -> None:
    assert len(docbats.analyze(TEXT, boundaries=[]).segments) == 1


def test_other_numbers_can_be_cut_afterwards() -> None:
    result = docbats.analyze(TEXT, boundaries=STARTS)
    assert len(result.cut(2).segments) == 2
    assert [entry.start for entry in result.outline] == STARTS


def test_sentences_joined_by_newlines() -> None:
    sentences = TEXT.replace("\n\n", " ").split(". ")
    offset = len("\n".join(sentences[:3])) + 1
    result = docbats.analyze(sentences, boundaries=[offset])
    assert [segment.sentences for segment in result.segments] == [(0, 3), (3, 9)]


def test_paper_takes_boundaries() -> None:
    result = docbats.analyze(TEXT, preset="paper", boundaries=STARTS)
    assert [segment.start for segment in result.segments] == STARTS


@given(st.sets(st.integers(1, len(TEXT) - 1), max_size=4))
def test_each_offset_goes_to_its_sentence(offsets: set[int]) -> None:
    document = docbats.Document.from_text(TEXT)
    spans = document.spans.tolist()
    holds = [next(i for i, (_, end) in enumerate(spans) if offset < end) for offset in offsets]
    if len(set(holds)) < len(holds):
        with pytest.raises(docbats.InputError, match="same sentence"):
            docbats.analyze(document, boundaries=sorted(offsets))
        return
    result = docbats.analyze(document, boundaries=sorted(offsets))
    wanted = sorted({0, *holds})
    assert [segment.sentences[0] for segment in result.segments] == wanted
    assert all(a.end == b.start for a, b in pairwise(result.segments))


@pytest.mark.parametrize(
    ("boundaries", "message"),
    [
        ([len(TEXT)], f"from 0 to {len(TEXT) - 1}, where segments begin, got {len(TEXT)}"),
        ([-1], "got -1"),
        ([90, 20], "ascending order, got 20 after 90"),
        ([80, 82], "boundaries 80 and 82 lie in the same sentence"),
        ([1.5], "whole numbers such as"),
        ([True], "whole numbers such as"),
        ("12", "whole numbers such as"),
        (12, "whole numbers such as"),
    ],
)
def test_bad_boundaries(boundaries: Any, message: str) -> None:
    with pytest.raises(docbats.InputError, match=re.escape(message)):
        docbats.analyze(TEXT, boundaries=boundaries)


def test_nothing_after_the_last_sentence() -> None:
    with pytest.raises(docbats.InputError, match="no sentence follows boundary"):
        docbats.analyze(TEXT + "\n\n\n", boundaries=[len(TEXT) + 1])


@pytest.mark.parametrize("settings", [{"k": 3}, {"max_size": 40}, {"min_size": 2}])
def test_settings_that_contradict_boundaries(settings: dict[str, Any]) -> None:
    with pytest.raises(docbats.SettingsError, match="boundaries"):
        docbats.analyze(TEXT, boundaries=STARTS, **settings)

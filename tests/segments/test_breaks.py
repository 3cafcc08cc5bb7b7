"""Where authors left breaks, and what stands at them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from docbats import Document
from docbats.blocks import top_level
from docbats.pipeline import prepare
from docbats.segments.costs import STRUCTURED, BreakCost, CutModel
from docbats.segments.evidence import (
    BREAK_FEATURES,
    Breaks,
    break_features,
    find_breaks,
    find_evidence,
)
from docbats.settings import Settings

TWO = "Bats fly. They hear."


def document(*blocks: str | tuple[str, str] | tuple[str, str, int]) -> Document:
    """Make a document of paragraphs, of other kinds of blocks, and of headings with levels."""
    made: list[dict[str, Any]] = []
    for block in blocks:
        if isinstance(block, str):
            made.append({"kind": "paragraph", "text": block})
        elif len(block) == 3:
            made.append({"kind": block[0], "text": block[1], "level": block[2]})
        else:
            made.append({"kind": block[0], "text": block[1]})
    return Document.from_blocks(made)


def breaks_of(*blocks: Any, strict: bool = False) -> Breaks:
    found = find_breaks(document(*blocks), strict=strict)
    assert found is not None
    return found


def test_blocks_are_counted_along_the_text() -> None:
    found = breaks_of(TWO, "One.", TWO)
    assert found.block.tolist() == [0, 0, 1, 2, 2]
    assert found.opens_block.tolist() == [True, False, True, True, False]
    assert found.may_start.tolist() == [True, False, True, True, False]
    assert found.depth.tolist() == [-1] * 5
    assert len(found) == 5
    inside = found.between(2, 5)
    assert inside.block.tolist() == [0, 1, 1]
    assert inside.may_start.tolist() == [True, True, False]


def test_two_blocks_tell_nothing() -> None:
    assert find_breaks(document(TWO, TWO)) is None
    assert find_breaks(Document(TWO, np.array([[0, 9], [10, 20]]))) is None


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("paragraph paragraph paragraph", "xxx"),
        ("paragraph list_item list_item paragraph", "x--x"),
        ("paragraph quote quote paragraph", "xx-x"),
        ("quote quote quote", "x--"),
        ("heading paragraph heading paragraph", "x-x-"),
        ("heading quote paragraph", "x-x"),
    ],
)
def test_a_segment_begins_with_a_block_of_its_own(kinds: str, expected: str) -> None:
    found = breaks_of(*((kind, "Bats fly.") for kind in kinds.split()))
    assert "".join("x" if may else "-" for may in found.may_start) == expected


def test_a_block_that_is_most_of_the_text_may_be_cut_inside() -> None:
    long = " ".join(["Bats fly."] * 41)
    found = breaks_of("One.", long, "Two.")
    assert found.may_start.tolist() == [True] * 43
    assert np.flatnonzero(breaks_of("One.", long, "Two.", strict=True).may_start).tolist() == [
        0, 1, 42,
    ]  # fmt: skip
    forty = " ".join(["Bats fly."] * 40)
    assert np.flatnonzero(breaks_of("One.", forty, "Two.").may_start).tolist() == [0, 1, 41]
    # Two of about the same length are each less than half.
    assert np.flatnonzero(breaks_of("One.", long, long).may_start).tolist() == [0, 1, 42]


@pytest.mark.parametrize(
    ("levels", "top"),
    [
        ([1], 1),
        ([2, 2], 2),
        ([1, 2, 2, 2], 2),
        ([1, 1, 2, 2, 2], 2),
        ([1, 1, 1, 2], 1),
        ([3, 2], 2),
    ],
)
def test_the_top_level_is_the_highest_of_three_headings(levels: list[int], top: int) -> None:
    assert top_level((level, str(i)) for i, level in enumerate(levels)) == top


def test_a_chapter_without_text_is_a_chapter() -> None:
    chapters = ["Tea", None, "Leaf", "Pot", None, "Cup", None]  # None: a paragraph
    blocks = [
        {"kind": "heading", "level": 1, "text": name}
        if name
        else {"kind": "paragraph", "text": "It is brewed."}
        for name in chapters
    ]
    breaks = find_breaks(Document.from_blocks(blocks))
    assert breaks is not None
    assert breaks.section_starts.tolist() == [0, 2, 3, 5]


def test_a_title_that_comes_again_is_not_a_level() -> None:
    front: list[dict[str, object]] = [
        {"kind": "heading", "level": 1, "text": "Tea"},
        {"kind": "paragraph", "text": "2nd."},
    ]
    chapters = [
        {"kind": kind, "level": 2 if kind == "heading" else None, "text": f"{name} grows here."}
        for name in ("Leaf", "Pot", "Cup")
        for kind in ("heading", "paragraph")
    ]
    breaks = find_breaks(Document.from_blocks([*front * 3, *chapters]))
    assert breaks is not None
    assert breaks.section_starts.tolist() == [0, 6, 8, 10]


def test_headings_are_as_deep_as_their_levels_below_the_top() -> None:
    parts: list[Any] = [("heading", "All", 1)]
    for name in "ABC":
        parts += [("heading", name, 2), "Bats fly.", ("heading", f"{name}{name}", 4), "They do."]
    found = breaks_of(*parts)
    assert found.depth[found.depth >= 0].tolist() == [0, 0, 2, 0, 2, 0, 2]
    # A heading right under another begins nothing.
    assert found.section_starts.tolist() == [0, 5, 9]
    assert found.subsection_starts.tolist() == [0, 3, 5, 7, 9, 11]
    plain = breaks_of(*parts[1:])
    assert plain.section_starts.tolist() == [0, 4, 8]
    assert plain.subsection_starts.tolist() == [0, 2, 4, 6, 8, 10]


def test_two_top_headings_divide_nothing() -> None:
    two = breaks_of(("heading", "A", 1), "Bats fly.", ("heading", "B", 1), "They do.")
    assert two.section_starts.tolist() == [0]
    more = breaks_of("Bats.", ("heading", "A", 1), "Bats.", ("heading", "B", 1), "They do.",
                     ("heading", "C", 1), "No.")  # fmt: skip
    assert more.section_starts.tolist() == [0, 1, 3, 5]


def features(*blocks: Any) -> dict[str, list[float]]:
    """Return the features of the first sentence of each block."""
    text = document(*blocks)
    settings = Settings(language="en", tagger=lambda words: ["NOUN"] * len(words))
    prepared = prepare(text, settings)
    breaks = find_breaks(prepared.document)
    assert breaks is not None
    evidence = find_evidence(prepared, {}, CutModel(), stem=True)
    found = break_features(prepared.document, evidence, breaks)
    assert found.shape == (len(breaks), len(BREAK_FEATURES))
    assert not found[0].any()
    assert not found[~breaks.opens_block].any()
    names = list(BREAK_FEATURES)
    return {name: found[breaks.opens_block, i].tolist() for i, name in enumerate(names)}


LONG = "The bats of the old cave hear all of the moths near them at night."


def test_what_stands_at_breaks() -> None:
    found = features(LONG, "They say (all):", "why not?”", "7 bats", LONG, LONG + " Moths")
    del found["share of new words"]
    assert {name: values[1:] for name, values in found.items()} == {
        "after a colon": [0, 1, 0, 0, 0],
        "after a question": [0, 0, 1, 0, 0],
        "after a short block": [0, 1, 1, 1, 0],
        "before a short block": [1, 1, 1, 0, 0],
        "before a block without an end mark": [0, 0, 1, 0, 1],
        "before a lower-case letter": [0, 1, 0, 0, 0],
        "before a digit": [0, 0, 1, 0, 0],
        "before a word that goes on": [1, 0, 0, 0, 0],
    }


def test_words_are_new_that_five_blocks_before_do_not_have() -> None:
    names = ["Tea", "Cup", "Pot", "Jar", "Can", "Tin", "Tea", "Cup", "Bat", "Bat"]
    found = features(*(f"{name} {name} {name} moth." for name in names))["share of new words"]
    # Moth is in all of them. Tea comes again after six blocks, cup after six, bat after one;
    # what stands in one block alone is no evidence.
    assert found[1:] == pytest.approx([3 / 4, 0, 0, 0, 0, 3 / 4, 3 / 4, 3 / 4, 0])


def test_what_a_boundary_costs_by_what_stands_there() -> None:
    rng = np.random.default_rng(3)
    m = 12
    may_start = np.array([c == "x" for c in "x-xx-x-x-xxx"])
    depth = np.array([-1, -1, 0, -1, -1, 0, -1, 1, -1, 0, -1, 2])
    breaks = Breaks(np.arange(m), may_start, depth, np.arange(m) % 2 == 1)
    odds = rng.normal(size=m)
    cost = BreakCost(breaks, odds, 600.0, STRUCTURED)
    expected = odds.copy()
    for i in range(m):
        if depth[i] >= 0:
            share = 1.0 if breaks.is_certain[i] else 0.5
            expected[i] += share * STRUCTURED.heading / (1 + depth[i])
    expected[0] = 0
    np.testing.assert_allclose(cost.scaled_log_odds, expected)
    always = np.where(may_start, 0.0, -1e6)
    always[0] = 0
    assert cost.start_log_odds == pytest.approx(always + expected)
    scale = STRUCTURED.expectation_scale(600.0, 3)
    for edges in (np.arange(m + 1), np.array([0, 2, 5, 9, 12]), np.array([2, 3, 7, 12])):
        n = len(edges) - 1
        for width in (1, 2, m):
            for k in (None, 3):
                table = cost.table(edges, width, k)
                assert table.shape == (n, min(width, n))
                for j in range(n):
                    for length in range(min(width, j + 1)):
                        first = edges[j - length]
                        own = always[first] + (0 if k is None else scale * expected[first])
                        own = 0.0 if j == length else own  # the text has to begin somehow
                        assert table[j, length] == pytest.approx(-own)
    assert cost.section_starts is None
    assert cost.subsection_starts is None
    part = cost.between(2, 8)
    assert part.penalty == 0
    np.testing.assert_allclose(part.scaled_log_odds[1:], expected[3:8])
    half = STRUCTURED.expectation_scale(300.0, 2)
    found = part.table(np.arange(7), 1, 2)[1:, 0]
    np.testing.assert_allclose(found, -(always[3:8] + half * expected[3:8]))


def test_sections_of_the_author_gain_most() -> None:
    depth = np.array([0, -1, 0, 1, 0, -1, 1, -1])
    certain = np.ones(8, bool)
    breaks = Breaks(np.arange(8), np.ones(8, bool), depth, certain)
    cost = BreakCost(breaks, np.zeros(8), 600.0, STRUCTURED)
    assert cost.section_starts is not None
    assert cost.section_starts.tolist() == [0, 2, 4]
    assert cost.subsection_starts is not None
    assert cost.subsection_starts.tolist() == [0, 2, 3, 4, 6]
    assert cost.table(np.arange(9), 1)[:, 0].tolist() == [0, 0, -1e4, 0, -1e4, 0, 0, 0]
    flat = Breaks(np.arange(8), np.ones(8, bool), np.where(depth == 1, -1, depth), certain)
    assert BreakCost(flat, np.zeros(8), 600.0, STRUCTURED).subsection_starts is None

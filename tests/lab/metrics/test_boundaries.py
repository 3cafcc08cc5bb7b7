from __future__ import annotations

import math
from itertools import pairwise

import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.metrics.segmentation import boundary_f1, boundary_similarity

cuts = st.sets(st.integers(1, 14))
few_cuts = st.sets(st.integers(1, 9), max_size=4)


def lengths(found: set[int], total: int = 15) -> list[int]:
    return [b - a for a, b in pairwise([0, *sorted(found), total])]


def test_similarity_worked_by_hand() -> None:
    # One match (2), one near miss (5 and 6), one miss (9): 1 - (1/2 + 1) / 3.
    assert boundary_similarity(lengths({2, 5, 9}), lengths({2, 6})) == pytest.approx(0.5)
    assert boundary_similarity(lengths({5}), lengths({6})) == 0.5
    assert boundary_similarity(lengths({5}), lengths({7})) == 0
    assert boundary_similarity(lengths({5}), lengths({7}), n_t=3) == pytest.approx(1 / 3)
    # A boundary that both have is a match and takes no part in a near miss.
    assert boundary_similarity(lengths({1, 2}), lengths({2, 3})) == pytest.approx(1 / 3)


def test_f1_worked_by_hand() -> None:
    # Of three and two boundaries 2 and 5 are found within one sentence.
    assert boundary_f1(lengths({2, 5, 9}), lengths({2, 6})) == 4 / 5
    assert boundary_f1(lengths({2, 5, 9}), lengths({2, 6}), tolerance=0) == 2 / 5
    # Two that are near to one count once.
    assert boundary_f1(lengths({5}), lengths({4, 6})) == 2 / 3


def test_without_boundaries() -> None:
    for measure in (boundary_similarity, boundary_f1):
        assert measure([15], [15]) == 1
        assert measure([15], [7, 8]) == measure([7, 8], [15]) == 0
        assert measure([1], [1]) == 1
        with pytest.raises(ValueError, match="cannot compare segmentations of 15 and 14 sentences"):
            measure([15], [7, 7])


def costs(a: list[int], b: list[int], reach: int) -> list[tuple[int, int]]:
    """Try all ways to pair a with b: minus the number of pairs, and their summed distance."""
    if not a:
        return [(0, 0)]
    found = costs(a[1:], b, reach)
    for y in b:
        if abs(a[0] - y) <= reach:
            rest = costs(a[1:], [z for z in b if z != y], reach)
            found += [(pairs - 1, distance + abs(a[0] - y)) for pairs, distance in rest]
    return found


@given(few_cuts, few_cuts, st.integers(2, 5))
def test_similarity_has_the_least_cost_of_all_pairings(
    ref: set[int], hyp: set[int], n_t: int
) -> None:
    missed, extra = sorted(ref - hyp), sorted(hyp - ref)
    total = len(missed) + len(extra)
    cost, edits = min(
        (total + 2 * pairs + distance / n_t, len(ref & hyp) + total + pairs)
        for pairs, distance in costs(missed, extra, n_t - 1)
    )
    found = boundary_similarity(lengths(ref), lengths(hyp), n_t)
    assert found == pytest.approx(1 - cost / edits if edits else 1)


@given(few_cuts, few_cuts, st.integers(0, 4))
def test_f1_pairs_as_many_as_can_be(ref: set[int], hyp: set[int], tolerance: int) -> None:
    most = -min(pairs for pairs, _ in costs(sorted(ref), sorted(hyp), tolerance))
    total = len(ref) + len(hyp)
    found = boundary_f1(lengths(ref), lengths(hyp), tolerance)
    assert found == pytest.approx(2 * most / total if total else 1)


@given(cuts, cuts)
def test_similarity_agrees_with_segeval(ref: set[int], hyp: set[int]) -> None:
    if ref or hyp:  # without any boundary segeval fails
        expected = segeval.boundary_similarity(lengths(hyp), lengths(ref), n_t=2)
        assert boundary_similarity(lengths(ref), lengths(hyp)) == pytest.approx(float(expected))


@given(cuts, cuts)
def test_both_are_symmetric_and_perfect_only_where_equal(ref: set[int], hyp: set[int]) -> None:
    a, b = lengths(ref), lengths(hyp)
    for measure in (boundary_similarity, boundary_f1):
        assert measure(a, b) == measure(b, a)
        assert 0 <= measure(a, b) <= 1
        assert measure(a, a) == 1
    assert (boundary_similarity(a, b) == 1) == (ref == hyp)
    assert math.isclose(boundary_f1(a, b, tolerance=0), 1) == (ref == hyp)

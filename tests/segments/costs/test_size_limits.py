from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.segments.sizes import SizeLimits


@st.composite
def limits(draw: st.DrawFn) -> SizeLimits:
    sizes = draw(st.lists(st.integers(0, 9), min_size=1, max_size=9))
    most = draw(st.none() | st.integers(max(*sizes, 1), 30))
    return SizeLimits(np.array(sizes), draw(st.integers(0, 12)), most)


def sizes_of(limits: SizeLimits, starts: list[int]) -> list[int]:
    ends = [*starts[1:], len(limits.sizes)]
    return [int(limits.sizes[a:b].sum()) for a, b in zip(starts, ends, strict=True)]


def cuts_within(limits: SizeLimits) -> list[list[int]]:
    """All cuts that keep the maximum."""
    m = len(limits.sizes)
    cuts = [[0, *inner] for k in range(m) for inner in combinations(range(1, m), k)]
    most = np.inf if limits.maximum is None else limits.maximum
    return [cut for cut in cuts if max(sizes_of(limits, cut)) <= most]


@given(limits())
def test_longest_and_fewest_are_those_of_all_cuts(limits: SizeLimits) -> None:
    cuts = cuts_within(limits)
    assert limits.fewest == min(len(cut) for cut in cuts)
    assert limits.longest == max(
        b - a for cut in cuts for a, b in zip(cut, [*cut[1:], len(limits.sizes)], strict=True)
    )


@given(limits())
def test_even_cuts_are_within_the_maximum(limits: SizeLimits) -> None:
    cuts = cuts_within(limits)
    for k in range(limits.fewest, len(limits.sizes) + 1):
        assert limits.even_starts(k) in cuts
        assert len(limits.even_starts(k)) == k


def test_even_cuts_are_even() -> None:
    assert SizeLimits(np.full(12, 5), 0, 30).even_starts(3) == [0, 4, 8]
    assert SizeLimits(np.array([9, 1, 1, 1, 9, 9]), 0, 12).even_starts(3) == [0, 2, 5]


@given(limits(), st.data())
def test_costs_are_infinite_above_and_high_below(limits: SizeLimits, data: st.DataObject) -> None:
    m = len(limits.sizes)
    inner = data.draw(st.sets(st.integers(1, m - 1))) if m > 1 else set()
    edges = np.array([0, *sorted(inner), m])
    width = data.draw(st.integers(1, m))
    table = limits.table(edges, width)
    for j, row in enumerate(table.tolist()):
        for length, cost in enumerate(row):
            if length > j:
                assert cost == np.inf
                continue
            size = int(limits.sizes[edges[j - length] : edges[j + 1]].sum())
            if limits.maximum is not None and size > limits.maximum:
                assert cost == np.inf
            else:
                assert (cost >= 1e9) == (size < limits.minimum)


def test_a_sentence_above_the_maximum_is_refused() -> None:
    with pytest.raises(ValueError, match="sentences must be at most 6 long, got 7: split"):
        SizeLimits(np.array([3, 7]), 0, 6)

"""The cut of pieces into chunks."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docbats.chunks.packer import pack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def cost_of(
    sizes: Floats, extra: Floats, penalties: Floats, limit: int, starts: list[int]
) -> float:
    total = 0.0
    for first, stop in pairwise([*starts, len(sizes)]):
        size = sum(sizes[first:stop]) + extra[first]
        if size > limit and stop - first > 1:
            return float(np.inf)
        if size <= limit:
            total += (1 - size / limit) ** 2
        if first:
            total += penalties[first]
    return float(total)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 9), st.integers(-1, 3), st.sampled_from([-0.25, 0.1, 0.5, 3.0, 1e6])
        ),
        min_size=1,
        max_size=9,
    ),
    st.integers(3, 20),
)
def test_no_cut_costs_less(pieces: list[tuple[int, int, float]], limit: int) -> None:
    sizes, extra, penalties = (np.array(column, float) for column in zip(*pieces, strict=True))
    n = len(sizes)
    least = min(
        cost_of(sizes, extra, penalties, limit, [0, *inner])
        for k in range(n)
        for inner in combinations(range(1, n), k)
    )
    found = pack(sizes, extra, penalties, limit)
    assert cost_of(sizes, extra, penalties, limit, found) <= least + 1e-6 * max(1, abs(least))


def test_sizes_are_even() -> None:
    assert pack(np.ones(12), np.zeros(12), np.zeros(12), 8) == [0, 6]


def test_a_cut_after_a_heading_is_avoided() -> None:
    sizes = np.array([6.0, 1.0, 6.0])
    assert pack(sizes, np.zeros(3), np.array([0, -0.25, 1e6]), 7) == [0, 1]

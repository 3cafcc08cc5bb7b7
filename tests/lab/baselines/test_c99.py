from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.baselines.lexical import C99_K, divide, number_of_boundaries, ranks
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Two topics of four sentences each.
BATS = [
    "Bats hunt moths.",
    "Moths hear bats.",
    "A bat hunts moths.",
    "Moths flee from a hunting bat.",
]
TEA = [
    "Tea needs hot water.",
    "Pour the water on tea.",
    "Hot tea, hot cup.",
    "A cup of tea and water.",
]


def small(seed: int, m: int) -> NDArray[np.float64]:
    values = np.random.default_rng(seed).integers(0, 5, (m, m)) / 4
    return np.maximum(values, values.T)


def test_ranks_by_hand() -> None:
    similarity = np.array([[5.0, 1, 0], [1, 5, 2], [0, 2, 5]])
    # The corner sees three neighbours, a side five and the middle eight.
    expected = np.array([[2 / 3, 1 / 5, 0], [1 / 5, 6 / 8, 2 / 5], [0, 2 / 5, 2 / 3]])
    np.testing.assert_allclose(ranks(similarity, mask=3), expected)


@given(st.integers(0, 1000), st.integers(1, 9), st.sampled_from([3, 5, 11]))
def test_ranks_as_counted_one_by_one(seed: int, m: int, mask: int) -> None:
    similarity = small(seed, m)
    found = ranks(similarity, mask)
    reach = mask // 2
    for i in range(m):
        for j in range(m):
            block = similarity[max(0, i - reach) : i + reach + 1, max(0, j - reach) : j + reach + 1]
            below = int((block < similarity[i, j]).sum())
            assert found[i, j] == pytest.approx(below / max(block.size - 1, 1))


@given(st.integers(0, 1000), st.integers(2, 9))
def test_each_split_reaches_the_highest_density(seed: int, m: int) -> None:
    rank = small(seed, m)

    def density(cuts: list[int]) -> float:
        edges = [0, *sorted(cuts), m]
        blocks = [rank[a:b, a:b] for a, b in pairwise(edges)]
        return float(sum(block.sum() for block in blocks) / sum(block.size for block in blocks))

    boundaries, densities = divide(rank, m)
    assert sorted(boundaries) == list(range(1, m))
    for n, found in enumerate(densities):
        assert found == pytest.approx(density(boundaries[:n]))
    # The first split: nothing does better. Later ones split each segment where it is best for
    # that segment, so only the choice among segments is free.
    assert densities[1] == pytest.approx(max(density([at]) for at in range(1, m)))


def test_two_topics_are_told_apart() -> None:
    assert C99_K.cut(prepare(BATS + TEA), 2, 0) == [0, 4]


def test_splits_are_counted_until_the_first_usual_rise() -> None:
    rises = np.array([22.0, 22, 22, 22, *[0] * 40])
    # Smoothed: 22, 22, 18.9, 15, 7, 3, 1 and zeros; their mean is 2.0, their deviation 5.7.
    assert number_of_boundaries(np.cumsum([0, *rises])) == 4
    assert number_of_boundaries(np.cumsum([0, *rises[::-1]])) == 0
    assert number_of_boundaries(np.array([1.0])) == 0
    assert number_of_boundaries(np.array([1.0, 1.0, 1.0])) == 0

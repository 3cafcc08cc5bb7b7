from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from docbats.matrix import unit_rows
from docbats.topics import kmeans

if TYPE_CHECKING:
    from numpy.typing import NDArray


def scatter(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Eq. 13: squared differences of all pairs within each cluster, over twice its size."""
    total = 0.0
    for label in set(labels.tolist()):
        members = points[labels == label]
        total += sum(((a - b) ** 2).sum() for a in members for b in members) / (2 * len(members))
    return total


@pytest.mark.parametrize("case", range(200))
def test_finds_the_best_of_all_partitions_of_few_points(case: int) -> None:
    rng = np.random.default_rng(case)
    n, k = int(rng.integers(2, 7)), 2
    points = unit_rows(rng.normal(size=(n, 3)))
    partitions = (np.array(labels) for labels in product(range(k), repeat=n))
    best = min(scatter(points, labels) for labels in partitions if len(set(labels)) == k)
    assert scatter(points, kmeans(points, k, 20, 0)) == pytest.approx(best)


@pytest.mark.parametrize("case", range(10))
def test_is_as_good_as_scikit_learn(case: int) -> None:
    rng = np.random.default_rng(case)
    points = unit_rows(rng.normal(size=(200, 6)) + 3 * np.eye(6)[rng.integers(6, size=200)])
    labels = kmeans(points, 6, 10, 0)
    theirs = KMeans(6, n_init=10, random_state=0).fit(points)
    assert scatter(points, labels) <= 1.01 * theirs.inertia_


@given(
    st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))),
    st.integers(0, 2**32 - 1),
)
def test_no_cluster_is_empty_even_where_points_coincide(
    n_and_k: tuple[int, int], seed: int
) -> None:
    n, k = n_and_k
    points = np.random.default_rng(seed).integers(0, 2, size=(n, 2)).astype(float)
    assert set(kmeans(points, k, 2, seed).tolist()) == set(range(k))


@pytest.mark.parametrize("case", range(20))
def test_restarts_run_together_find_what_they_find_one_by_one(
    case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(case)
    points = unit_rows(rng.normal(size=(60, 4)).round(case % 3))
    together = kmeans(points, 7, 6, case)
    monkeypatch.setattr("docbats.topics._MAX_ARRAY", 1)
    np.testing.assert_array_equal(kmeans(points, 7, 6, case), together)


def test_the_seed_decides() -> None:
    points = np.random.default_rng(0).random((100, 5))
    labels = {tuple(kmeans(points, 7, 1, seed).tolist()) for seed in (0, 1, 2, 0, 1, 2)}
    assert len(labels) == 3

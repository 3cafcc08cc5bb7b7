from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.matrix import unit_rows
from docbats.segments.cuts import average_linkage_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray


def brute_force_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Eq. 14 as it stands: all pairs of sentences of all neighbours, in every round."""
    clusters = [[i] for i in range(len(vectors))]
    while len(clusters) > k:
        distances = [
            np.mean([1 - vectors[i] @ vectors[j] for i in left for j in right])
            for left, right in pairwise(clusters)
        ]
        nearest = int(np.argmin(distances))
        clusters[nearest : nearest + 2] = [clusters[nearest] + clusters[nearest + 1]]
    return [cluster[0] for cluster in clusters]


@pytest.mark.parametrize("case", range(200))
def test_equals_the_mean_over_all_pairs(case: int) -> None:
    rng = np.random.default_rng(case)
    m, dimensions = int(rng.integers(1, 25)), int(rng.integers(1, 6))
    vectors = unit_rows(rng.normal(size=(m, dimensions)) + rng.normal(size=dimensions))
    vectors[rng.random(m) < 0.1] = 0
    if dimensions == 1 or (vectors == 0).any():  # a little noise: ties are another test's
        vectors = vectors + rng.normal(scale=1e-6, size=vectors.shape)
    k = int(rng.integers(1, m + 1))
    assert average_linkage_starts(vectors, k).tolist() == brute_force_starts(vectors, k)


def test_average_is_over_all_pairs_and_not_only_those_at_the_boundary() -> None:
    angles = np.radians([0, 10, 20, 30, 48, 49, 50])
    vectors = np.column_stack([np.cos(angles), np.sin(angles)])
    assert average_linkage_starts(vectors, 2).tolist() == brute_force_starts(vectors, 2) == [0, 4]
    # At the boundaries alone, 30 to 48 degrees is the widest step by far, as it is here; but among
    # three clusters the mean distance cuts 0-10 from 20-30, where all steps are the same.
    assert average_linkage_starts(vectors, 3).tolist() == [0, 2, 4]


def test_of_equal_distances_the_first_is_merged_first() -> None:
    assert average_linkage_starts(np.ones((5, 1)), 3).tolist() == [0, 3, 4]


def test_sentences_without_words_are_at_distance_one_from_all() -> None:
    vectors = np.array([[1.0, 0], [1, 0], [0, 0], [0, 1], [0, 1]])
    assert average_linkage_starts(vectors, 3).tolist() == [0, 2, 3]


@given(
    st.integers(1, 60).flatmap(lambda m: st.tuples(st.just(m), st.integers(1, m))),
    st.integers(0, 2**32 - 1),
)
def test_exactly_k_contiguous_segments(m_and_k: tuple[int, int], seed: int) -> None:
    m, k = m_and_k
    vectors = unit_rows(np.random.default_rng(seed).integers(-1, 2, size=(m, 3)).astype(float))
    starts = average_linkage_starts(vectors, k)
    assert len(starts) == k
    assert starts[0] == 0
    assert (np.diff(starts) > 0).all()


def test_finer_cuts_refine_coarser_ones() -> None:
    vectors = unit_rows(np.random.default_rng(3).normal(size=(40, 4)))
    cuts = [set(average_linkage_starts(vectors, k).tolist()) for k in range(1, 41)]
    assert all(coarse < fine for coarse, fine in pairwise(cuts))

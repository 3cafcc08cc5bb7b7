from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.baselines.least_cost import MIN_CUT, cut_into_k, normalized_cuts, similarity_graph
from docbats_lab.methods import prepare


def test_graph_by_hand() -> None:
    # Three sentences, three chunks. The word that is in all of them weighs nothing; of the other
    # two the sentences share only what the next sentence lends: e^-1 of the last one's word.
    counts = np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 1]])
    graph = similarity_graph(counts, alpha=1, horizon=1, chunks=3, cutoff=1)
    expected = np.array([[math.e, 0, 0], [0, math.e, math.e], [0, math.e, math.e]])
    np.testing.assert_allclose(graph, expected)


def test_no_edge_beyond_the_cutoff() -> None:
    counts = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
    graph = similarity_graph(counts, horizon=0, chunks=4, cutoff=1)
    np.testing.assert_allclose(graph, math.e * np.eye(4))


@given(st.integers(0, 1000), st.integers(1, 8), st.data())
def test_no_cut_costs_less(seed: int, m: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, m))
    weights = np.random.default_rng(seed).random((m, m))
    graph = weights + weights.T

    def cost(starts: list[int]) -> float:
        total = 0.0
        for a, b in pairwise([*starts, m]):
            volume = graph[a:b].sum()
            total += (volume - graph[a:b, a:b].sum()) / volume
        return total

    starts = cut_into_k(normalized_cuts(graph), k)
    assert len(starts) == k
    every = (cost([0, *rest]) for rest in combinations(range(1, m), k - 1))
    assert cost(starts) == pytest.approx(min(every))


def test_two_topics_are_told_apart() -> None:
    bats = ["Bats hunt moths.", "Moths hear bats.", "A bat hunts moths.", "Moths flee bats."]
    tea = ["Tea needs hot water.", "Pour water on tea.", "Hot tea, hot cup.", "A cup of hot tea."]
    assert MIN_CUT.cut(prepare(bats + tea), 2, 0) == [0, 4]

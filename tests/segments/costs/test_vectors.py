from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from docbats import SettingsError
from docbats.segments.costs import VectorCost, embed, embed_by_words


@given(
    hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.floats(-1, 1)),
    st.integers(1, 12),
    st.data(),
)
def test_costs_are_the_lengths_of_the_sums(
    vectors: np.ndarray, width: int, data: st.DataObject
) -> None:
    m = len(vectors)
    inner = data.draw(st.sets(st.integers(1, m - 1))) if m > 1 else set()
    edges = np.array([0, *sorted(inner), m])
    costs = VectorCost(vectors, 2.0).table(edges, width)
    n_blocks = len(edges) - 1
    assert costs.shape == (n_blocks, min(width, n_blocks))
    for j in range(n_blocks):
        for back in range(min(width, j + 1)):
            whole = vectors[edges[j - back] : edges[j + 1]].sum(axis=0)
            assert costs[j, back] == pytest.approx(-2 * np.linalg.norm(whole), abs=1e-5)


def test_many_blocks_are_filled_in_turns() -> None:
    vectors = np.random.default_rng(0).normal(size=(600, 4))
    costs = VectorCost(vectors, 2.0).table(np.arange(601), 50)
    for j, back in [(0, 0), (255, 49), (256, 0), (256, 49), (599, 49)]:
        whole = vectors[j - back : j + 1].sum(axis=0)
        assert costs[j, back] == pytest.approx(-2 * np.linalg.norm(whole))


def test_vectors_are_scaled_to_length_one_and_zeros_stay() -> None:
    vectors = embed(lambda texts: [[3.0, 4.0] if text else [0, 0] for text in texts], ["a", ""])
    assert vectors.tolist() == [[0.6, 0.8], [0, 0]]


@pytest.mark.parametrize("answer", [[[1.0]], [1.0, 2.0], [[1.0], [float("nan")]], []])
def test_vectors_that_are_none_are_refused(answer: object) -> None:
    with pytest.raises(SettingsError, match="one row of finite numbers for each of 2 texts"):
        embed(lambda _: answer, ["a", "b"])


def test_a_sentence_is_the_sum_of_its_words() -> None:
    table = {"up": [0.0, 2.0], "right": [1.0, 0.0]}
    vectors = embed_by_words(
        lambda words: [table[word] for word in words],
        ["up", "right"],
        word=np.array([0, 1, 1]),
        sentence=np.array([0, 0, 2]),
        n_sentences=3,
    )
    np.testing.assert_allclose(vectors, [[0.5**0.5, 0.5**0.5], [0, 0], [1, 0]])


def test_a_boundary_must_gain_more_than_vectors_do_by_chance() -> None:
    rng = np.random.default_rng(1)
    scatter = rng.normal(size=(400, 60)) * 0.1
    scatter[:, 0] += 1
    vectors = scatter / np.linalg.norm(scatter, axis=1, keepdims=True)
    cost = VectorCost(vectors, 80.0)
    halves = cost.table(np.array([0, 200, 400]), 2)
    by_chance = halves[1, 1] - halves[0, 0] - halves[1, 0]
    assert 0 < by_chance < (cost.penalty or 0)


def test_equal_vectors_need_no_penalty() -> None:
    assert VectorCost(np.tile([1.0, 0.0], (5, 1)), 80.0).penalty == 0
    assert VectorCost(np.array([[1.0, 0.0]]), 80.0).penalty == 0

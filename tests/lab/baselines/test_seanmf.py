from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from docbats_lab.baselines.factorization import SEANMF, correlate, factorize
from docbats_lab.methods import prepare


def test_correlations_by_hand() -> None:
    # Sentences "a b" and "b c": a and c meet 2 words each, b meets 4, 8 meetings in all.
    S = correlate(sparse.csr_array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]))
    # a with itself: log(1 * 8 / (2 * 2)); a with b: log(1 * 8 / (2 * 4)) = 0; a never meets c.
    assert pytest.approx(np.array([[log(2), 0, 0], [0, 0, 0], [0, 0, log(2)]])) == S


@given(st.integers(0, 1000), st.sampled_from([1.0, 1.5]), st.sampled_from([1.0, 0.75]))
def test_correlations_agree_with_counting_pairs(seed: int, kappa: float, gamma: float) -> None:
    rng = np.random.default_rng(seed)
    sentences = [rng.integers(0, 5, rng.integers(0, 6)).tolist() for _ in range(6)]
    counts = np.array([np.bincount(words, minlength=5) for words in sentences], dtype=float)
    pairs = [(w, c) for words in sentences for w in words for c in words]
    expected = np.zeros((5, 5))
    total = sum(sum(pair[1] == c for pair in pairs) ** gamma for c in range(5))
    for w, c in set(pairs):
        of_word = sum(pair[0] == w for pair in pairs)
        chance = sum(pair[1] == c for pair in pairs) ** gamma / total
        expected[w, c] = max(log(pairs.count((w, c)) / (of_word * chance)) - log(kappa), 0)
    found = correlate(sparse.csr_array(counts), kappa=kappa, gamma=gamma)
    assert found == pytest.approx(expected)


@given(st.integers(0, 1000), st.integers(1, 5), st.sampled_from([0.0, 0.1, 1.0]))
def test_the_objective_is_the_stated_one_and_never_rises(seed: int, k: int, alpha: float) -> None:
    counts = np.random.default_rng(seed).poisson(0.5, (9, 7)).astype(float)
    counts[:2] += 1
    S = correlate(sparse.csr_array(counts))
    found = factorize(
        sparse.csr_array(counts), S, k, seed, alpha=alpha, sweeps=40, threshold=-np.inf
    )
    A_error = counts.T - found.words @ found.sentences.T
    S_error = S - found.words @ found.contexts.T
    objective = ((A_error**2).sum() + alpha * (S_error**2).sum()) / 2
    assert found.objectives[-1] == pytest.approx(objective, abs=1e-9)
    assert len(found.objectives) == 40
    assert (np.diff(found.objectives) <= 1e-9).all()
    assert min(found.words.min(), found.contexts.min(), found.sentences.min()) >= 0


def test_stops_when_a_sweep_gains_less_than_the_threshold() -> None:
    prepared = prepare(["Red foxes hunt hens.", "Hens fear foxes.", "Old red clocks tick."] * 9)
    found = factorize(prepared.counts, correlate(prepared.counts), 2, 0)
    gains = -np.diff(found.objectives)
    assert (gains[:-1] >= 0.1).all()
    assert gains[-1] < 0.1


def test_without_correlations_one_topic_is_the_leading_singular_vector() -> None:
    counts = sparse.csr_array([[3.0, 1.0, 0.0], [2.0, 2.0, 1.0], [0.0, 1.0, 1.0]])
    found = factorize(counts, np.zeros((3, 3)), 1, 0, alpha=0.0, threshold=1e-15)
    V = np.linalg.svd(counts.toarray())[2]
    leading = np.abs(V[0])
    assert found.words[:, 0] / np.linalg.norm(found.words) == pytest.approx(leading, abs=1e-5)


def test_states_the_parameters_of_the_authors() -> None:
    stated = {"alpha": 0.1, "kappa": 1, "gamma": 1, "sweeps": 500, "threshold": 0.1}
    assert stated == SEANMF.parameters

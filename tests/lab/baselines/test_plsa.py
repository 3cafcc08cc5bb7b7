from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from docbats_lab.baselines.factorization import PLSA, fit
from docbats_lab.documents import read_segmented
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def naive_step(n: Floats, theta: Floats, phi: Floats) -> tuple[Floats, Floats, float]:
    """One step of EM with P(z | d, w) written out."""
    (m, v), k = n.shape, theta.shape[1]
    new_theta, new_phi, log_likelihood = np.zeros((m, k)), np.zeros((v, k)), 0.0
    for d in range(m):
        for w in range(v):
            joint = [theta[d, z] * phi[w, z] for z in range(k)]
            if n[d, w] > 0:
                log_likelihood += n[d, w] * np.log(sum(joint))
                for z in range(k):
                    new_theta[d, z] += n[d, w] * joint[z] / sum(joint)
                    new_phi[w, z] += n[d, w] * joint[z] / sum(joint)
    rows = new_theta.sum(axis=1, keepdims=True)
    return new_theta / np.where(rows > 0, rows, 1), new_phi / new_phi.sum(axis=0), log_likelihood


def test_one_topic_holds_the_shares_of_the_words() -> None:
    n = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 1.0]])  # 5, 2 and 1 of 8
    found = fit(sparse.csr_array(n), 1, 0, threshold=-np.inf)
    assert found.words[:, 0] == pytest.approx([5 / 8, 2 / 8, 1 / 8])
    assert found.topics == pytest.approx(1.0)
    expected = 5 * np.log(5 / 8) + 2 * np.log(2 / 8) + np.log(1 / 8)
    assert found.log_likelihoods[-1] == pytest.approx(expected)


@given(st.integers(0, 1000), st.integers(1, 4))
def test_agrees_with_three_nested_loops(seed: int, k: int) -> None:
    n = np.random.default_rng(seed).poisson(0.7, (6, 5)).astype(float)
    n[0] += 1  # every word occurs
    counts = sparse.csr_array(n)
    states = [fit(counts, k, seed, iterations=i, threshold=-np.inf) for i in range(6)]
    for before, after in pairwise(states):
        theta, phi, log_likelihood = naive_step(n, before.topics, before.words)
        empty = n.sum(axis=1) == 0
        assert after.topics[~empty] == pytest.approx(theta[~empty])
        assert not after.topics[empty].any()
        assert after.words == pytest.approx(phi)
        assert after.log_likelihoods[-1] == pytest.approx(log_likelihood)


def test_stops_at_the_threshold_or_after_all_iterations() -> None:
    n = sparse.csr_array(np.kron(np.eye(3), np.ones((20, 8))) + 0.01)
    gains = np.diff(fit(n, 3, 0).log_likelihoods)
    assert len(gains) < 29
    assert (gains[:-1] >= 10).all()
    assert 0 <= gains[-1] < 10
    assert len(fit(n, 3, 0, threshold=-np.inf).log_likelihoods) == 30


@pytest.mark.data
def test_the_likelihood_never_falls(data: Path) -> None:
    for path in sorted((data / "textbook").rglob("*.ref"))[::60]:
        document = read_segmented(path)
        prepared = prepare(document.sentences)
        found = fit(prepared.counts, len(document.segments), 0, threshold=-np.inf)
        assert (np.diff(found.log_likelihoods) > -1e-6).all()
        assert found.words.sum(axis=0) == pytest.approx(1.0)


def test_states_the_parameters_of_the_paper() -> None:
    assert PLSA.parameters == {"iterations": 30, "threshold": 10.0}

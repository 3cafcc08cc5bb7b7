"""Which words keep company, against counting pair by pair."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.topics.sample_counts import matrices

from docbats.topics import find_company


@given(matrices, st.integers(1, 4))
def test_company_equals_counting_pair_by_pair(X: np.ndarray, k: int) -> None:
    m, n = X.shape
    size = -(-n // k)
    words = np.full(k * size, -1)
    words[:n] = np.random.default_rng(n).permutation(n)
    words = words.reshape(k, size)
    company = find_company(words, sparse.csr_array(X.astype(float)))
    there = X > 0
    for i, a, b in np.ndindex(k, size, size):
        v, w = words[i, [a, b]]
        if v < 0 or w < 0:
            continue
        shared = int((there[:, v] & there[:, w]).sum())
        beside = sum(
            there[s, v] and there[t, w] for s in range(m) for t in range(m) if abs(s - t) == 1
        )
        norm = math.sqrt(max(1, there[:, v].sum()) * max(1, there[:, w].sum()))
        expected = math.log((shared + 0.1 * beside + 0.03) / norm)
        assert company.cosine[i, a, b] == pytest.approx(expected)
        assert company.met[i, a, b] == (shared > 0)

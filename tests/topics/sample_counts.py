"""Counts of words in sentences."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

from docbats.matrix import SentenceWordCounts

__all__ = ["count", "matrices", "of_array"]

matrices = st.tuples(st.integers(1, 25), st.integers(1, 40), st.integers(0, 2**32 - 1)).map(
    lambda spec: np.random.default_rng(spec[2]).poisson(
        np.random.default_rng(spec[2]).choice([0.05, 0.3, 1.5]), size=spec[:2]
    )
)


def count(sentences: list[str]) -> SentenceWordCounts:
    words = tuple(dict.fromkeys(word for sentence in sentences for word in sentence.split()))
    X = np.zeros((len(sentences), len(words)))
    for row, sentence in zip(X, sentences, strict=True):
        for word in sentence.split():
            row[words.index(word)] += 1
    return of_array(X, words)


def of_array(X: np.ndarray, words: tuple[str, ...] | None = None) -> SentenceWordCounts:
    names = words or tuple(f"w{j}" for j in range(X.shape[1]))
    X_o = sparse.csr_array(X)
    return SentenceWordCounts(names, np.arange(len(names)), X_o, (X_o > 0).astype(float))

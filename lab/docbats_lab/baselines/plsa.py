"""Probabilistic Latent Semantic Analysis (Hofmann 1999, 2001), by expectation maximization.

A sentence d draws a topic z from P(z | d) and the topic a word w from P(w | z). One step of EM
needs no array of P(z | d, w): with R = n(d, w) / P(w | d) on the non-zero counts only, the new
P(z | d) is proportional to P(z | d) (R P(w | z)), and the new P(w | z) to P(w | z) (Rᵀ P(z | d)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared

_ITERATIONS = 30
_THRESHOLD = 10.0


@dataclass(frozen=True, eq=False)
class Mixture:
    """The distributions that EM finds.

    Attributes
    ----------
    topics
        P(z | d), sentences by topics; a sentence without words has a row of zeros.
    words
        P(w | z), words by topics.
    log_likelihoods
        Sum of n(d, w) log P(w | d) before each step.
    """

    topics: NDArray[np.float64]
    words: NDArray[np.float64]
    log_likelihoods: tuple[float, ...]


def fit(
    counts: sparse.csr_array,
    k: int,
    seed: int,
    *,
    iterations: int = _ITERATIONS,
    threshold: float = _THRESHOLD,
) -> Mixture:
    """Step from random distributions until the log-likelihood gains less than `threshold`."""
    rng = np.random.default_rng(seed)
    n_sentences, n_words = counts.shape
    topics = _shares(rng.random((n_sentences, k)), axis=1)
    words = _shares(rng.random((n_words, k)), axis=0)
    sentence, word = counts.tocoo().coords
    log_likelihoods: list[float] = []
    for _ in range(iterations):
        expected = np.einsum("ik,ik->i", topics[sentence], words[word])
        log_likelihoods.append(float(counts.data @ np.log(expected)))
        if len(log_likelihoods) > 1 and log_likelihoods[-1] - log_likelihoods[-2] < threshold:
            break
        R = sparse.csr_array((counts.data / expected, counts.indices, counts.indptr), counts.shape)
        topics, words = (
            _shares(topics * (R @ words), axis=1),
            _shares(words * (R.T @ topics), axis=0),
        )
    return Mixture(topics, words, tuple(log_likelihoods))


def _shares(weights: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Divide by the sums along `axis`, where those are not zero."""
    total = weights.sum(axis=axis, keepdims=True)
    shares: NDArray[np.float64] = weights / np.where(total > 0, total, 1)
    return shares


def _find(prepared: Prepared, k: int, seed: int) -> Topics:
    return rank_words(fit(prepared.counts, k, seed).words.T, prepared.words)


METHOD = TopicMethod(
    name="pLSA",
    citation="Hofmann 2001, Unsupervised Learning by Probabilistic Latent Semantic Analysis",
    find=_find,
    parameters={"iterations": _ITERATIONS, "threshold": _THRESHOLD},
)

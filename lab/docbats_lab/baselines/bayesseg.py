"""Bayesian segmentation: each segment draws its words from a language model of its own.

J. Eisenstein, R. Barzilay, "Bayesian Unsupervised Topic Segmentation", EMNLP 2008; without their
cue phrases. The language models are integrated out under a symmetric Dirichlet prior, the best
segmentation is found exactly, and the prior is fitted to it in turn. The authors' program
comes with a prior of 0.2 that was fitted so; ours begins there and fits one to each document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.baselines.segment_counts import SegmentCounts, count_segments
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

_FIRST_PRIOR = 0.2
_PRIOR_BOUNDS = (1e-3, 1e2)  # a text that repeats no word would drive the prior to infinity
_MAX_ROUNDS = 20


def segment_costs(counts: SegmentCounts, n_words: int, prior: float) -> NDArray[np.float64]:
    """Return minus the log marginal likelihood of each segment [i, j).

    With n_w of a segment's n words being w, a vocabulary of V words and the prior a, it is
    ``log G(n + V a) - log G(V a) - sum_w (log G(n_w + a) - log G(a))`` with G the gamma function.
    """
    from scipy.special import gammaln

    n = np.arange(counts.sizes.max() + 1.0)
    whole = max(1, n_words) * prior
    costs = (gammaln(n + whole) - gammaln(whole))[np.maximum(counts.sizes, 0)]
    return np.asarray(costs - counts.sum_over_words(gammaln(n + prior) - gammaln(prior)))


def fit_prior(segments: NDArray[np.int64], prior: float) -> float:
    """Find the symmetric prior under which given segments are most likely.

    A gradient search over its logarithm, like theirs.

    Parameters
    ----------
    segments
        The count of each word in each segment, segments by words.
    prior
        Where to start.
    """
    from scipy.optimize import minimize
    from scipy.special import digamma, gammaln

    used = segments[segments > 0].astype(float)
    sizes = segments.sum(axis=1).astype(float)
    n_words = max(1, segments.shape[1])

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        a = float(np.exp(x[0]))
        whole = n_words * a
        value = (gammaln(sizes + whole) - gammaln(whole)).sum()
        value -= (gammaln(used + a) - gammaln(a)).sum()
        slope = n_words * (digamma(sizes + whole) - digamma(whole)).sum()
        slope -= (digamma(used + a) - digamma(a)).sum()
        return float(value), np.array([a * slope])

    found = minimize(
        loss, [np.log(prior)], jac=True, method="L-BFGS-B", bounds=[tuple(np.log(_PRIOR_BOUNDS))]
    )
    return float(np.exp(found.x[0]))


def _cut(document: Prepared, k: int, _seed: int) -> list[int]:
    counts = count_segments(document.content)
    sentence = np.repeat(np.arange(len(document.content)), [len(s) for s in document.content])
    word = np.concatenate([*document.content, np.empty(0, np.int64)])
    prior = _FIRST_PRIOR
    seen: list[list[int]] = []
    starts = cut_into_k(segment_costs(counts, document.content_size, prior), k)
    # The prior depends on nothing but the cut, so a cut that comes back has settled.
    while starts not in seen and len(seen) < _MAX_ROUNDS:
        seen.append(starts)
        segments = np.zeros((len(starts), document.content_size), np.int64)
        np.add.at(segments, (np.searchsorted(starts, sentence, side="right") - 1, word), 1)
        prior = fit_prior(segments, prior)
        starts = cut_into_k(segment_costs(counts, document.content_size, prior), k)
    return starts


METHOD = Segmenter(
    "BayesSeg",
    "Eisenstein & Barzilay 2008, Bayesian Unsupervised Topic Segmentation",
    _cut,
    parameters={"first_prior": _FIRST_PRIOR, "max_rounds": _MAX_ROUNDS},
)

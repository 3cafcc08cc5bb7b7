"""Segmenters that minimize a total cost by dynamic programming over all segments.

M. Utiyama and H. Isahara, "A Statistical Model for Domain-Independent Text Segmentation", ACL 2001:
segments whose words are cheapest to encode.

J. Eisenstein and R. Barzilay, "Bayesian Unsupervised Topic Segmentation", EMNLP 2008, without their
cue phrases: each segment draws its words from a language model of its own. The language models are
integrated out under a symmetric Dirichlet prior, the best segmentation is found exactly, and the
prior is fitted to it in turn. The authors' program comes with a prior of 0.2 that was fitted this
way; ours starts there and fits one to each document.

I. Malioutov and R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", COLING-ACL 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.methods import Segmenter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.methods import Prepared


def cut_into_k(costs: NDArray[np.float64], k: int) -> list[int]:
    """Return the first sentence of each of the k segments of the least total cost.

    ``costs[i, j]`` is the cost of the segment of sentences i to j - 1. Of equal totals the one
    whose last segment starts first wins.
    """
    m = len(costs) - 1
    # With t segments before a boundary and k - t behind it, it has m - k + 1 places to be.
    width = m - k + 1
    late = np.tri(width, k=-1).T > 0
    total = costs[0, 1 : width + 1]
    choices = []
    for t in range(1, k):
        ways = costs[t : t + width, t + 1 : t + 1 + width].T + total
        ways[late] = np.inf
        best = ways.argmin(axis=1)
        choices.append(t + best)
        total = ways[np.arange(width), best]
    starts, end = [0] * k, m
    for t in range(k - 1, 0, -1):
        end = starts[t] = int(choices[t - 1][end - t - 1])
    return starts


def cut_with_penalty(costs: NDArray[np.float64]) -> list[int]:
    """Return the first sentences of the segments of the least total cost, of any number."""
    m = len(costs) - 1
    total = np.zeros(m + 1)
    choice = np.zeros(m + 1, np.int64)
    for end in range(1, m + 1):
        ways = total[:end] + costs[:end, end]
        choice[end] = ways.argmin()
        total[end] = ways[choice[end]]
    starts = []
    end = m
    while end > 0:
        end = int(choice[end])
        starts.append(end)
    return starts[::-1] or [0]


@dataclass(frozen=True, eq=False)
class SegmentCounts:
    """The word counts of every segment of a document, without a table of them.

    Sort the occurrences of a word. A segment that holds two of them, `lag` apart, holds all between
    them, so it holds ``n`` occurrences exactly when it holds ``n - lag`` such pairs.
    A sum over words of f(count) is therefore a sum over pairs of the second difference of f at
    their lag, which two running sums spread over all segments at once.

    Attributes
    ----------
    sizes
        The number of words in sentences i to j - 1, at [i, j].
    pair
        For each pair of occurrences of one word (an occurrence pairs with itself too), the
        sentences of both as one index, first * sentences + last.
    lag
        For each pair, how many occurrences apart the two are.
    """

    sizes: NDArray[np.int64]
    pair: NDArray[np.int64]
    lag: NDArray[np.int64]

    def sum_over_words(self, f: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum f[count] over the words of each segment; f[0] is 0, and f covers the largest size."""
        m = len(self.sizes) - 1
        weight = np.diff(np.diff(f), prepend=0.0)[self.lag]
        table = np.bincount(self.pair, weight, minlength=m * m).reshape(m, m)
        sums = np.zeros((m + 1, m + 1))
        sums[:m, 1:] = np.cumsum(np.cumsum(table[::-1], axis=0)[::-1], axis=1)
        return sums


def count_segments(sentences: Sequence[NDArray[np.int64]]) -> SegmentCounts:
    """Find all pairs of occurrences of one word, given each sentence's words as numbers."""
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    word = np.concatenate([*sentences, np.empty(0, np.int64)])
    order = np.argsort(word, kind="stable")
    word = word[order]
    place = np.repeat(np.arange(len(sentences)), lengths)[order]
    first = np.arange(len(word))
    pairs, lags = [place * (len(sentences) + 1)], [np.zeros(len(word), np.int64)]
    while first.size:
        lag = len(pairs)
        first = first[: np.searchsorted(first, len(word) - lag)]
        first = first[word[first] == word[first + lag]]
        pairs.append(place[first] * len(sentences) + place[first + lag])
        lags.append(np.full(len(first), lag))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    sizes = ends - ends[:, None]
    return SegmentCounts(sizes, np.concatenate(pairs), np.concatenate(lags))


# Utiyama & Isahara

_CITATION = "Utiyama & Isahara 2001, A Statistical Model for Domain-Independent Text Segmentation"


def encoding_costs(sentences: Sequence[NDArray[np.int64]], n_words: int) -> NDArray[np.float64]:
    """Return the cost of each segment [i, j): its words by Laplace's rule, plus log n.

    If n_w of the n_i words of a segment are w, with a vocabulary of V words and N words in all, the
    cost is ``sum_w n_w log((n_i + V) / (n_w + 1)) + log N``.
    """
    counts = count_segments(sentences)
    n = np.arange(counts.sizes.max() + 1.0)
    size = np.maximum(counts.sizes, 0)
    costs: NDArray[np.float64] = (n * np.log(np.maximum(n + n_words, 1)))[size]
    costs -= counts.sum_over_words(n * np.log(n + 1))
    costs += np.log(max(1.0, n[-1]))
    return costs


def _cut_into_k(document: Prepared, k: int, _seed: int) -> list[int]:
    return cut_into_k(encoding_costs(document.content, document.content_size), k)


def _cut_with_own_k(document: Prepared, _k: int, _seed: int) -> list[int]:
    return cut_with_penalty(encoding_costs(document.content, document.content_size))


UTIYAMA_ISAHARA_K = Segmenter("U&I (k)", _CITATION, _cut_into_k)
UTIYAMA_ISAHARA = Segmenter("U&I", _CITATION, _cut_with_own_k, takes_k=False)


# BayesSeg

_FIRST_PRIOR = 0.2
_PRIOR_BOUNDS = (1e-3, 1e2)  # a text that repeats no word would drive the prior to infinity
_MAX_ROUNDS = 20


def segment_costs(counts: SegmentCounts, n_words: int, prior: float) -> NDArray[np.float64]:
    """Return minus the log marginal likelihood of each segment [i, j).

    If n_w of a segment's n words are w, with a vocabulary of V words and the prior a, it is
    ``log G(n + V a) - log G(V a) - sum_w (log G(n_w + a) - log G(a))`` with G the gamma function.
    """
    from scipy.special import gammaln

    n = np.arange(counts.sizes.max() + 1.0)
    whole = max(1, n_words) * prior
    costs = (gammaln(n + whole) - gammaln(whole))[np.maximum(counts.sizes, 0)]
    return np.asarray(costs - counts.sum_over_words(gammaln(n + prior) - gammaln(prior)))


def fit_prior(segments: NDArray[np.int64], prior: float) -> float:
    """Find the symmetric prior under which given segments are most likely.

    A gradient search over its logarithm, like the authors'.

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


def _cut_by_likelihood(document: Prepared, k: int, _seed: int) -> list[int]:
    counts = count_segments(document.content)
    sentence = np.repeat(np.arange(len(document.content)), [len(s) for s in document.content])
    word = np.concatenate([*document.content, np.empty(0, np.int64)])
    prior = _FIRST_PRIOR
    seen: list[list[int]] = []
    starts = cut_into_k(segment_costs(counts, document.content_size, prior), k)
    # The prior depends on nothing but the cut, so a cut that comes back is final.
    while starts not in seen and len(seen) < _MAX_ROUNDS:
        seen.append(starts)
        segments = np.zeros((len(starts), document.content_size), np.int64)
        np.add.at(segments, (np.searchsorted(starts, sentence, side="right") - 1, word), 1)
        prior = fit_prior(segments, prior)
        starts = cut_into_k(segment_costs(counts, document.content_size, prior), k)
    return starts


BAYES_SEG = Segmenter(
    "BayesSeg",
    "Eisenstein & Barzilay 2008, Bayesian Unsupervised Topic Segmentation",
    _cut_by_likelihood,
    parameters={"first_prior": _FIRST_PRIOR, "max_rounds": _MAX_ROUNDS},
)


# MinCut

# The configuration for lectures that comes with the original program has these values; the unit in
# which it counts chunks is not documented.
_ALPHA = 1.1
_CHUNKS = 15
# That configuration has 5 and 95. The paper leaves both open; these did better on the first 113
# documents of Textbook (Pk .338 against .399).
_HORIZON = 2
_CUTOFF = 200


def _cut_graph(prepared: Prepared, k: int, _seed: int) -> list[int]:
    """Cut the graph of the sentences into k runs of sentences."""
    counts = np.zeros((len(prepared.sentences), prepared.content_size))
    for row, ids in zip(counts, prepared.content, strict=True):
        np.add.at(row, ids, 1)
    return cut_into_k(normalized_cuts(similarity_graph(counts)), k)


def similarity_graph(
    counts: NDArray[np.float64],
    alpha: float = _ALPHA,
    horizon: int = _HORIZON,
    chunks: int = _CHUNKS,
    cutoff: int = _CUTOFF,
) -> NDArray[np.float64]:
    """Weigh the edge of every two sentences by e to the cosine of their words.

    A sentence also gets the words of the `horizon` sentences after it, weighted by e^(-alpha j) for
    the j-th. Words are weighted by their idf over `chunks` equal parts of the document. Sentences
    further apart than `cutoff` have no edge, nor do sentences without a common word: these many
    pairs at e^0 would drown out the others (first 113 documents of Textbook: Pk .338 without these
    edges, .393 with them).
    """
    m = len(counts)
    chunks = min(chunks, m)
    in_chunk = np.add.reduceat(counts, np.arange(chunks) * m // chunks) > 0
    idf = np.log(chunks / np.maximum(in_chunk.sum(0), 1))
    words = counts.copy()
    for j in range(1, min(horizon, m - 1) + 1):
        words[:-j] += np.exp(-alpha * j) * counts[j:]
    words *= idf
    length = np.linalg.norm(words, axis=1, keepdims=True)
    words /= np.where(length > 0, length, 1)
    cosine = words @ words.T
    place = np.arange(m)
    near = np.abs(place[:, None] - place) <= cutoff
    return np.where(near & (cosine > 0), np.exp(cosine), 0)


def normalized_cuts(graph: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return cut(A, V - A) / vol(A) for each run A of the sentences i to j - 1, at [i, j].

    It is infinite where i >= j. A run without any edge costs as much as one that only has edges to
    other sentences.
    """
    m = len(graph)
    corner = np.zeros((m + 1, m + 1))
    corner[1:, 1:] = graph.cumsum(0).cumsum(1)
    diagonal = corner.diagonal()
    inside = diagonal[:, None] + diagonal - 2 * corner
    volume = corner[-1] - corner[-1][:, None]
    runs = np.triu(np.ones((m + 1, m + 1), np.bool_), 1)
    share = np.divide(inside, volume, out=np.zeros_like(inside), where=runs & (volume > 0))
    return np.where(runs, 1 - share, np.inf)


MIN_CUT = Segmenter(
    "MinCut (k)",
    "Malioutov & Barzilay 2006, COLING-ACL",
    _cut_graph,
    parameters={"alpha": _ALPHA, "horizon": _HORIZON, "chunks": _CHUNKS, "cutoff": _CUTOFF},
)

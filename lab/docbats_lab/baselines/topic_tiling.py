"""TopicTiling: TextTiling over the topics of the words instead of the words.

M. Riedl, C. Biemann, "TopicTiling: A Text Segmentation Algorithm based on LDA", ACL Student
Research Workshop 2012. The topic model is trained on the document itself, with as many topics as
it has true segments, in both variants (so the one that finds its own number of segments still
learns k); window and iterations are those of the BATS paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines.gibbs_lda import ALPHA, BETA, ITERATIONS, train
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

_WINDOW = 2
_CITATION = "Riedl & Biemann 2012, TopicTiling: A Text Segmentation Algorithm based on LDA"
_PARAMETERS = {"window": _WINDOW, "iterations": ITERATIONS, "alpha": ALPHA, "beta": BETA}


def coherences(topics: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Return the cosine of the topic counts of the `window` sentences before and after each gap.

    Beside sentences without words it is 1, as in the authors' program.

    Parameters
    ----------
    topics
        How many tokens of each sentence have each topic, sentences by topics.
    """
    ends = np.vstack([np.zeros(topics.shape[1]), np.cumsum(topics, axis=0)])
    gap = np.arange(1, len(topics))
    before = ends[gap] - ends[np.maximum(gap - window, 0)]
    after = ends[np.minimum(gap + window, len(topics))] - ends[gap]
    norm = np.sqrt((before**2).sum(axis=1) * (after**2).sum(axis=1))
    dot = (before * after).sum(axis=1)
    cosine = np.ones(len(gap))
    np.divide(dot, norm, out=cosine, where=norm > 0)
    return cosine


def depths(coherence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return half of how far the coherence rises from each gap to the next peaks on both sides."""
    left = np.array(_peaks(coherence.tolist()))
    right = np.array(_peaks(coherence[::-1].tolist()))[::-1]
    return np.asarray((left + right - 2 * coherence) / 2)


def _peaks(values: list[float]) -> list[float]:
    """Return the highest value reached from each by walking left while the values do not fall."""
    peaks: list[float] = []
    for i, value in enumerate(values):
        peaks.append(peaks[-1] if i and values[i - 1] >= value else value)
    return peaks


def minima(coherence: NDArray[np.float64]) -> NDArray[np.int64]:
    """Find the gaps less coherent than those around them, the last of equals; never at the ends."""
    found = []
    falling = False
    for i in range(1, len(coherence) - 1):
        if coherence[i] != coherence[i - 1]:
            falling = bool(coherence[i] < coherence[i - 1])
        if falling and coherence[i] < coherence[i + 1]:
            found.append(i)
    return np.array(found, np.int64)


def _coherences_of(document: Prepared, k: int, seed: int) -> NDArray[np.float64]:
    k = max(1, min(k, len(document.sentences)))
    sample = train(document, k, seed)
    topics = np.zeros((len(document.sentences), k))
    np.add.at(topics, (sample.sentence, sample.mode), 1)
    return coherences(topics, _WINDOW)


def _cut_into_k(document: Prepared, k: int, seed: int) -> list[int]:
    """Cut at the k - 1 deepest minima; where there are fewer, at the deepest other gaps, too."""
    coherence = _coherences_of(document, k, seed)
    depth = depths(coherence)
    is_minimum = np.zeros(len(depth), bool)
    is_minimum[minima(coherence)] = True
    order = np.lexsort((coherence, -depth, ~is_minimum))
    return [0, *sorted((order[: max(0, k - 1)] + 1).tolist())]


def _cut_with_own_k(document: Prepared, k: int, seed: int) -> list[int]:
    """Cut at the minima at least as deep as the mean minus half a standard deviation."""
    coherence = _coherences_of(document, k, seed)
    gaps = minima(coherence)
    depth = depths(coherence)[gaps]
    if not len(gaps):
        return [0]
    return [0, *(gaps[depth >= depth.mean() - depth.std() / 2] + 1).tolist()]


METHODS = (
    Segmenter("TopicTiling (k)", _CITATION, _cut_into_k, parameters=_PARAMETERS),
    Segmenter("TopicTiling", _CITATION, _cut_with_own_k, takes_k=False, parameters=_PARAMETERS),
)

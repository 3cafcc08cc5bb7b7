"""LDA_MDP: segments that are most likely under a topic model, found by dynamic programming.

H. Misra, F. Yvon, O. Cappé, J. Jose, "Text segmentation: A topic modeling perspective",
Information Processing & Management 47, 2011. As in the BATS paper, the topic model is trained on
the document itself, here with as many topics as segments. The authors' modified dynamic program
leaves out segments to save time; ours tries them all, so it finds the best k segments exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines.gibbs_lda import ALPHA, BETA, ITERATIONS, train
from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

_STEPS = 5


def segment_costs(
    counts: NDArray[np.float64], topic_words: NDArray[np.float64], steps: int = _STEPS
) -> NDArray[np.float64]:
    """Return minus the log-likelihood of each segment [i, j) with its best shares of topics.

    A segment with n_w occurrences of word w costs ``-sum_w n_w log sum_t theta_t P(w | t)``. Its
    shares theta come from rounds of ``theta_t <- sum_w n_w P(t | w, theta) / n``: expectation
    maximization, which climbs to the only maximum. We begin at the shares of the two
    segments that are a sentence shorter; five steps from there cost a third of twenty from equal
    shares and leave the costs at most 0.004 above their minimum on average, of hundreds and up.

    Parameters
    ----------
    counts
        Sentences by words.
    topic_words
        P(word | topic), topics by words, none of them 0.
    steps
        How many for each segment; four times as many for single sentences.
    """
    m, k = len(counts), len(topic_words)
    ends = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
    costs = np.zeros((m + 1, m + 1))
    shares = np.full((m, k), 1 / k)
    for length in range(1, m + 1):
        here = ends[length:] - ends[:-length]
        size = here.sum(axis=1, keepdims=True)
        blank = size == 0
        for _ in range(steps if length > 1 else 4 * steps):
            weight = (here / (shares @ topic_words)) @ topic_words.T
            shares *= (weight + blank) / (size + blank)  # no words: the shares stay
        start = np.arange(len(here))
        costs[start, start + length] = -(here * np.log(shares @ topic_words)).sum(axis=1)
        # A little of each topic, since a share of nothing could never grow again.
        shares = 0.95 * (shares[:-1] + shares[1:]) / 2 + 0.05 / k
    return costs


def _cut(document: Prepared, k: int, seed: int) -> list[int]:
    sample = train(document, k, seed)
    counts = np.zeros((len(document.sentences), len(document.words)))
    np.add.at(counts, (sample.sentence, sample.word), 1)
    return cut_into_k(segment_costs(counts, sample.topic_words), k)


METHOD = Segmenter(
    "LDA_MDP",
    "Misra, Yvon, Cappé & Jose 2011, Text segmentation: A topic modeling perspective",
    _cut,
    parameters={"iterations": ITERATIONS, "alpha": ALPHA, "beta": BETA, "steps": _STEPS},
)

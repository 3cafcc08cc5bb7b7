"""Word clusters and their ranking (section 3.4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.topics.kmeans import kmeans

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["cluster_words"]

_DECIMALS = 9  # to which two scores must differ for one to rank above the other


def cluster_words(
    word_vectors: NDArray[np.float64],
    scores: NDArray[np.float64],
    k: int,
    restarts: int,
    seed: int,
) -> list[NDArray[np.int64]]:
    """Cluster the rows of V' by KMeans (eq. 13) and rank each cluster's words by their scores.

    Returns the word indices of each topic, best word first, the topic of the largest total score
    first. There are k topics, or one for each word where there are fewer than k words; of equal
    scores the word that the text used first goes first.
    """
    k = min(k, len(word_vectors))
    if k == 0:
        return []
    labels = kmeans(word_vectors, k, restarts, seed)
    scores = scores.round(_DECIMALS)
    by_score = np.argsort(-scores, kind="stable")
    topics = [by_score[labels[by_score] == label] for label in range(k)]
    return sorted(topics, key=lambda topic: (-scores[topic].sum().round(_DECIMALS), topic[0]))

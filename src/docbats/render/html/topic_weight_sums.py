"""How much weight each topic has in stretches of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.result import Result

__all__ = ["topic_weight_sums"]


def topic_weight_sums(result: Result, starts: Sequence[int]) -> NDArray[np.float64]:
    """Return the sums of X^a by stretch of sentences (rows) and by topic (columns).

    `starts` are the first sentences of the stretches.
    """
    X_a = result.analysis.X_a
    n = len(result.topics)
    topic_of = np.full(X_a.shape[1], n)
    for number, words in enumerate(result.analysis.words_of_topics(result.topics)):
        topic_of[words] = number
    stretch = np.repeat(
        np.arange(len(starts)), np.diff(X_a.indptr[[*starts, len(result.document)]])
    )
    cells = stretch * (n + 1) + topic_of[X_a.indices]
    sums = np.bincount(cells, X_a.data, len(starts) * (n + 1)).astype(float)
    return sums.reshape(-1, n + 1)[:, :n]

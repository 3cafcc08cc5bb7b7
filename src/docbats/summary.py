"""From indices to the topics and segments that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.result import ScoredWord, Segment, Topic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document

__all__ = ["describe_segments", "describe_topics"]

_KEYWORDS = 10
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def describe_topics(
    topics: list[NDArray[np.int64]], words: tuple[str, ...], scores: NDArray[np.float64]
) -> tuple[Topic, ...]:
    """Name the words of each topic, with their scores."""
    total = scores.sum()
    return tuple(
        Topic(
            words=tuple(ScoredWord(words[j], float(scores[j])) for j in topic.tolist()),
            weight=float(scores[topic].sum() / total) if total > 0 else 1 / len(topics),
        )
        for topic in topics
    )


def describe_segments(
    document: Document,
    starts: NDArray[np.int64],
    *,
    topics: list[NDArray[np.int64]],
    words: tuple[str, ...],
    X_a: sparse.csr_array,
    F: sparse.csr_array,
) -> tuple[Segment, ...]:
    """Give each segment its span, its shares of the topics and the words that stand out in it.

    A word stands out by its tf-idf in the segment times the share of its tf-idf that falls there.
    """
    k, m = len(starts), len(document)
    edges = [*starts.tolist(), m]
    cuts = [0, *document.spans[starts[1:], 0].tolist(), len(document.text)]
    membership = sparse.csr_array((np.ones(m), np.arange(m), edges), shape=(k, m))
    counts = (membership @ X_a).toarray()
    inside = (membership @ F).toarray()
    salience = (inside**2 / np.maximum(inside.sum(axis=0), _TINY)).round(9)
    best = np.argsort(-salience, axis=1, kind="stable")[:, :_KEYWORDS]
    weights = np.stack([counts[:, topic].sum(axis=1) for topic in topics] or [np.zeros(k)], axis=1)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    return tuple(
        Segment(
            start=cuts[i],
            end=cuts[i + 1],
            sentences=(edges[i], edges[i + 1]),
            text=document.text[cuts[i] : cuts[i + 1]],
            topic_weights=tuple(weights[i, : len(topics)].tolist()),
            keywords=tuple(
                ScoredWord(words[j], float(salience[i, j])) for j in best[i] if counts[i, j] > 0
            ),
        )
        for i in range(k)
    )

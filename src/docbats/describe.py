"""From indices to the topics and segments that people read."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.result import ScoredWord, Segment, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Document

__all__ = ["describe_segments", "describe_topics"]

_KEYWORDS = 10
_LABEL, _TITLE = 3, 4  # words that make a topic's label, a segment's title
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def describe_topics(
    topics: Sequence[NDArray[np.int64]],
    words: tuple[str, ...],
    scores: NDArray[np.float64],
    labels: Sequence[str] | None = None,
) -> tuple[Topic, ...]:
    """Name the words of each topic, with their scores; without labels its best words are one."""
    total = scores.sum()
    return tuple(
        Topic(
            words=_scored(words, topic, scores[topic]),
            weight=float(scores[topic].sum() / total) if total > 0 else 1 / len(topics),
            label=labels[i] if labels else ", ".join(words[j] for j in topic[:_LABEL].tolist()),
        )
        for i, topic in enumerate(topics)
    )


def describe_segments(
    document: Document,
    starts: NDArray[np.int64],
    *,
    topics: Sequence[NDArray[np.int64]],
    words: tuple[str, ...],
    X_a: sparse.csr_array,
    F: sparse.csr_array,
    titles: Sequence[str] | None = None,
    strengths: Sequence[float] | None = None,
    overlap_starts: Sequence[int] | None = None,
) -> tuple[Segment, ...]:
    """Give each segment its span, its shares of the topics and the words that stand out in it.

    A word stands out by its tf-idf in the segment times the share of its tf-idf that falls there.
    `strengths` are those of the boundaries between the segments. Without titles the words that
    stand out make one.
    """
    k, m = len(starts), len(document)
    edges = [*starts.tolist(), m]
    cuts = [0, *document.spans[starts[1:], 0].tolist(), len(document.text)]
    segment = np.repeat(np.arange(k), np.diff(X_a.indptr[edges]))
    keywords_of = _rank_keywords(segment, words, F, k)
    weights = _topic_weights(segment, topics, X_a, k)
    segments = []
    for i in range(k):
        text = document.text[cuts[i] : cuts[i + 1]]
        keywords = keywords_of[i]
        segments.append(
            Segment(
                start=cuts[i],
                end=cuts[i + 1],
                sentences=(edges[i], edges[i + 1]),
                text=text,
                title=titles[i] if titles else _title(text, keywords),
                topic_weights=weights[i],
                keywords=keywords,
                strength=strengths[i - 1] if strengths is not None and i > 0 else None,
                overlap_start=overlap_starts[i] if overlap_starts else cuts[i],
                place=document.place(cuts[i], cuts[i + 1]),
            )
        )
    return tuple(segments)


def _topic_weights(
    segment: NDArray[np.int64], topics: Sequence[NDArray[np.int64]], X_a: sparse.csr_array, k: int
) -> list[tuple[float, ...]]:
    """Share the words of each segment out among the topics; `segment` is that of each entry."""
    n = len(topics)
    topic_of = np.full(X_a.shape[1], n)
    for i, topic in enumerate(topics):
        topic_of[topic] = i
    cells = segment * (n + 1) + topic_of[X_a.indices]
    weights = np.bincount(cells, X_a.data, k * (n + 1)).reshape(k, n + 1)[:, :n]
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    return [tuple(row) for row in shares.tolist()]


def _rank_keywords(
    segment: NDArray[np.int64], words: tuple[str, ...], F: sparse.csr_array, k: int
) -> list[tuple[ScoredWord, ...]]:
    """Give the words of each segment that stand out, best first and of equals the earliest.

    `segment` is that of each entry of F. Nothing becomes dense, since a book may have thousands of
    segments and of words.
    """
    cells, place = np.unique(segment * F.shape[1] + F.indices, return_inverse=True)
    tf_idf = np.bincount(place, F.data, len(cells))
    segment, word = np.divmod(cells, max(1, F.shape[1]))
    salience = (tf_idf**2 / np.maximum(np.bincount(word, tf_idf), _TINY)[word]).round(9)
    best = np.lexsort((-salience, segment))
    edges = np.searchsorted(segment, np.arange(k + 1)).tolist()
    tops = (best[low : min(high, low + _KEYWORDS)] for low, high in pairwise(edges))
    return [_scored(words, word[top], salience[top]) for top in tops]


def _scored(
    words: tuple[str, ...], indices: NDArray[np.int64], scores: NDArray[np.float64]
) -> tuple[ScoredWord, ...]:
    names = (words[j] for j in indices.tolist())
    return tuple(map(ScoredWord, names, scores.tolist()))


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> str:
    """Join the segment's best keywords, or its first words where it has none."""
    if keywords:
        return ", ".join(scored.word for scored in keywords[:_TITLE])
    return " ".join(text.split(maxsplit=6)[:6])[:100]

"""From indices to the topics and segments that people read."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.result import ScoredWord, Segment, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
            words=tuple(ScoredWord(words[j], float(scores[j])) for j in topic.tolist()),
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
    membership = sparse.csr_array((np.ones(m), np.arange(m), edges), shape=(k, m))
    counts = membership @ X_a
    keywords_of = _rank_keywords(counts, membership @ F)
    weights = np.zeros((k, max(1, len(topics))))
    for i, topic in enumerate(topics):
        weights[:, i] = counts[:, topic].sum(axis=1)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    segments = []
    for i in range(k):
        text = document.text[cuts[i] : cuts[i + 1]]
        keywords = tuple(ScoredWord(words[j], salience) for j, salience in keywords_of[i])
        segments.append(
            Segment(
                start=cuts[i],
                end=cuts[i + 1],
                sentences=(edges[i], edges[i + 1]),
                text=text,
                title=titles[i] if titles else _title(text, keywords),
                topic_weights=tuple(weights[i, : len(topics)].tolist()),
                keywords=keywords,
                strength=strengths[i - 1] if strengths is not None and i > 0 else None,
                overlap_start=overlap_starts[i] if overlap_starts else cuts[i],
            )
        )
    return tuple(segments)


def _rank_keywords(
    counts: sparse.csr_array, inside: sparse.csr_array
) -> list[list[tuple[int, float]]]:
    """Give the words of each segment that stand out, best first and of equals the earliest.

    Both arrays are segments by words, counts and tf-idf; nothing becomes dense, since a book may
    have thousands of both.
    """
    k, n = counts.shape
    cells, tf_idf = _cells(counts), np.zeros(counts.nnz)
    tf_idf[np.searchsorted(cells, _cells(inside))] = inside.data
    segment, word = np.divmod(cells, max(1, n))
    salience = (tf_idf**2 / np.maximum(np.bincount(word, tf_idf), _TINY)[word]).round(9)
    best = np.lexsort((word, -salience, segment))
    edges = np.searchsorted(segment, np.arange(k + 1)).tolist()
    tops = (best[low : min(high, low + _KEYWORDS)] for low, high in pairwise(edges))
    return [list(zip(word[top].tolist(), salience[top].tolist(), strict=True)) for top in tops]


def _cells(array: sparse.csr_array) -> NDArray[np.int64]:
    """Give the entries in the order of their places, and number those."""
    array.sort_indices()
    rows = np.repeat(np.arange(array.shape[0]), np.diff(array.indptr))
    return np.asarray(rows * array.shape[1] + array.indices)


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> str:
    """Join the segment's best keywords, or its first words where it has none."""
    if keywords:
        return ", ".join(scored.word for scored in keywords[:_TITLE])
    return " ".join(text.split(maxsplit=6)[:6])[:100]

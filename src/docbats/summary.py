"""From indices to the topics and segments that people read."""

from __future__ import annotations

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
    counts = (membership @ X_a).toarray()
    inside = (membership @ F).toarray()
    salience = (inside**2 / np.maximum(inside.sum(axis=0), _TINY)).round(9)
    best = np.argsort(-salience, axis=1, kind="stable")[:, :_KEYWORDS]
    weights = np.stack([counts[:, topic].sum(axis=1) for topic in topics] or [np.zeros(k)], axis=1)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    segments = []
    for i in range(k):
        text = document.text[cuts[i] : cuts[i + 1]]
        keywords = tuple(
            ScoredWord(words[j], float(salience[i, j])) for j in best[i] if counts[i, j] > 0
        )
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


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> str:
    """Join the segment's best keywords, or its first words where it has none."""
    if keywords:
        return ", ".join(scored.word for scored in keywords[:_TITLE])
    return " ".join(text.split(maxsplit=6)[:6])[:100]

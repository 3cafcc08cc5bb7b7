"""Recall, precision and IoU of retrieved text, by characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from docbats_lab.retrieval.questions import Question


@dataclass(frozen=True)
class IndexedChunk:
    """A span of a corpus, and what is indexed of it: its text, maybe with a context before it."""

    corpus: str
    start: int
    end: int
    content: str


@dataclass(frozen=True)
class Scores:
    """Of one question: shares of characters."""

    recall: float
    precision: float
    iou: float


Span = tuple[str, int, int]


def take_top(chunks: Sequence[IndexedChunk], order: Iterable[int], depth: int) -> list[Span]:
    """Return the spans of the first chunks."""
    found = [chunks[i] for _, i in zip(range(depth), order, strict=False)]
    return [(chunk.corpus, chunk.start, chunk.end) for chunk in found]


def take_characters(
    chunks: Sequence[IndexedChunk], order: Iterable[int], budget: int
) -> list[Span]:
    """Return the spans of the first chunks up to so many characters; the last one may be cut."""
    taken: list[Span] = []
    for i in order:
        chunk = chunks[i]
        end = min(chunk.end, chunk.start + budget)
        taken.append((chunk.corpus, chunk.start, end))
        budget -= end - chunk.start
        if budget <= 0:
            break
    return taken


def score_retrieved(question: Question, retrieved: Sequence[Span]) -> Scores:
    """Return the report's three measures; what is retrieved twice counts twice as retrieved."""
    answers = merge(question.spans)
    own = merge((start, end) for corpus, start, end in retrieved if corpus == question.corpus)
    hit = overlap(answers, own)
    wanted = sum(end - start for start, end in answers)
    got = sum(end - start for _, start, end in retrieved)
    return Scores(
        recall=hit / wanted,
        precision=hit / got if got else 0.0,
        iou=hit / (wanted + got - hit) if wanted + got - hit else 0.0,
    )


def merge(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans without overlaps, in order.

    >>> merge([(3, 6), (0, 4), (8, 9)])
    [(0, 6), (8, 9)]
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def overlap(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> int:
    """Return how many characters are in both."""
    return sum(
        max(0, min(end, other_end) - max(start, other_start))
        for start, end in ours
        for other_start, other_end in theirs
    )


def bootstrap(
    gaps: NDArray[np.float64], seed: int, resamples: int = 4000
) -> tuple[float, float, float]:
    """Return the mean, and its 95 % interval by resampling."""
    rng = np.random.default_rng(seed)
    means = gaps[rng.integers(0, len(gaps), (resamples, len(gaps)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(gaps.mean()), float(low), float(high)

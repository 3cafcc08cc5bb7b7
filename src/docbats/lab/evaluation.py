"""How well a segmentation of a document matches its true segments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from docbats.lab.metrics.segmentation import paper_window, pk, window_diff

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.lab.documents import SegmentedDocument

__all__ = ["SegmentationScore", "score_segmentation"]

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class SegmentationScore:
    """Errors of one segmentation, over words and with the window of the paper."""

    pk: float
    window_diff: float
    window: int


def score_segmentation(
    document: SegmentedDocument, spans: Iterable[tuple[int, int]]
) -> SegmentationScore:
    """Compare found segments, given as spans of sentences, word by word with the true ones.

    Eqs. 19 and 20. Each sentence counts with its words, a sentence of none as one word.
    """
    ends = accumulate(len(segment) for segment in document.segments)
    words = [max(1, len(_WORD.findall(sentence))) for sentence in document.sentences]
    reference = _lengths(pairwise([0, *ends]), words)
    hypothesis = _lengths(spans, words)
    window = paper_window(reference)
    return SegmentationScore(
        pk(reference, hypothesis, window), window_diff(reference, hypothesis, window), window
    )


def _lengths(spans: Iterable[tuple[int, int]], words: list[int]) -> list[int]:
    return [sum(words[first:last]) for first, last in spans]

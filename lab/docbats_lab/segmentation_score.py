"""How well a segmentation of a document matches its true segments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.metrics.boundaries import boundary_f1, boundary_similarity
from docbats_lab.metrics.window_errors import paper_window, pk, window_diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats_lab.segmented_document import SegmentedDocument

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class SegmentationScore:
    """Errors (`pk`, `window_diff`) and agreement (`boundary_similarity`, `boundary_f1`).

    The first two count words, with the window of the paper, and those named ``_sentences`` count
    sentences. The others compare boundaries between sentences; one that is one place off counts
    as a near miss or as found, and for `boundary_f1_within_2` one that is two places off as well.
    """

    pk: float
    window_diff: float
    window: int
    pk_sentences: float
    window_diff_sentences: float
    boundary_similarity: float
    boundary_f1: float
    boundary_f1_within_2: float


def score_segmentation(
    document: SegmentedDocument, spans: Sequence[tuple[int, int]]
) -> SegmentationScore:
    """Compare found segments, given as spans of sentences, with the true ones (eqs. 19, 20).

    Each sentence counts with its words, a sentence of none as one word. A document too short for
    any window has no error.
    """
    words = [count_words(sentence) for sentence in document.sentences]
    true = [len(segment) for segment in document.segments]
    found = [last - first for first, last in spans]
    true_words, found_words = _in_words(true, words), _in_words(found, words)
    window, sentence_window = paper_window(true_words), paper_window(true)
    by_words = window < sum(true_words)
    by_sentences = sentence_window < len(words)
    return SegmentationScore(
        pk=pk(true_words, found_words, window) if by_words else 0.0,
        window_diff=window_diff(true_words, found_words, window) if by_words else 0.0,
        window=window,
        pk_sentences=pk(true, found, sentence_window) if by_sentences else 0.0,
        window_diff_sentences=window_diff(true, found, sentence_window) if by_sentences else 0.0,
        boundary_similarity=boundary_similarity(true, found),
        boundary_f1=boundary_f1(true, found),
        boundary_f1_within_2=boundary_f1(true, found, tolerance=2),
    )


def count_words(sentence: str) -> int:
    """Return the number of words of a sentence, at least one."""
    return max(1, len(_WORD.findall(sentence)))


def _in_words(lengths: Sequence[int], words: Sequence[int]) -> list[int]:
    """Turn lengths of segments in sentences into lengths in words."""
    counts = iter(words)
    return [sum(next(counts) for _ in range(length)) for length in lengths]

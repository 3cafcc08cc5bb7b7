"""How well a segmentation matches the true segments: by B, and by the metrics of docbats itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.metrics import (
    boundary_f1,
    boundary_sets,
    paper_window,
    pk,
    segment_lengths,
    window_diff,
    window_errors,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats_lab.documents import SegmentedDocument

__all__ = [
    "boundary_f1",
    "boundary_similarity",
    "count_words",
    "paper_window",
    "pk",
    "score_segmentation",
    "segment_lengths",
    "window_diff",
    "window_errors",
]


def boundary_similarity(reference: Sequence[int], hypothesis: Sequence[int], n_t: int = 2) -> float:
    """B of Fournier, "Evaluating Text Segmentation using Boundary Edit Distance", ACL 2013.

    Boundaries of both segmentations are matches. Of the others, two that are fewer than `n_t`
    places apart, one of each segmentation, are a near miss and cost their distance / n_t; each one
    left costs 1. B is 1 minus the cost divided by the number of matches, near misses and misses. If
    neither segmentation has a boundary they agree, and B is 1.

    Parameters
    ----------
    reference, hypothesis
        The lengths of their segments, in sentences.
    n_t
        A larger one counts boundaries further apart as near misses; with 2, adjacent ones.

    Notes
    -----
    The author's program, segeval, weighs near misses in the same way. It pairs them greedily from
    the left, which is cheapest for n_t = 2 but not beyond; here they are always paired at the least
    cost. It also fails if there is no boundary at all.
    """
    ref, hyp = boundary_sets(reference, hypothesis)
    matches = len(ref & hyp)
    missed, extra = sorted(ref - hyp), sorted(hyp - ref)
    near, distance = _pair_near_misses(missed, extra, n_t)
    misses = len(missed) + len(extra) - 2 * near
    edits = matches + near + misses
    return 1 - (misses + distance / n_t) / edits if edits else 1.0


def _pair_near_misses(a: list[int], b: list[int], n_t: int) -> tuple[int, int]:
    """Return the number of pairs and their summed distance, at the least cost.

    A pair saves two misses and costs less than one, so more pairs are better, and of as many pairs
    the nearer. The cheapest pairs need not cross, hence this is an alignment of two sequences.
    """
    # best[j]: (minus the pairs, their distance) for a[:i] and b[:j]; the smaller tuple is better.
    best = [(0, 0)] * (len(b) + 1)
    for x in a:
        above = best
        best = [above[0]]
        for j, y in enumerate(b):
            choices = [above[j + 1], best[j]]
            if abs(x - y) < n_t:
                choices.append((above[j][0] - 1, above[j][1] + abs(x - y)))
            best.append(min(choices))
    return -best[-1][0], best[-1][1]


_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def score_segmentation(document: SegmentedDocument, starts: Sequence[int]) -> dict[str, float]:
    """Compare a segmentation, given as the first sentence of each segment, with the true one.

    `pk` and `wd` (eqs. 19, 20) count words, a sentence without words as one, and the scores named
    ``_sentences`` count sentences. The others compare boundaries between sentences: `b` is the
    boundary similarity; for `f1` a boundary one place off counts as found, for `f1_2` one two
    places off as well.
    """
    words = [count_words(sentence) for sentence in document.sentences]
    true = [len(segment) for segment in document.segments]
    true_starts = (np.cumsum(true) - true).tolist()
    found = segment_lengths(starts, len(words))
    pk, wd = window_errors(words, true_starts, starts)
    pk_sentences, wd_sentences = window_errors([1] * len(words), true_starts, starts)
    return {
        "pk": pk,
        "wd": wd,
        "pk_sentences": pk_sentences,
        "wd_sentences": wd_sentences,
        "b": boundary_similarity(true, found),
        "f1": boundary_f1(true, found),
        "f1_2": boundary_f1(true, found, tolerance=2),
    }


def count_words(sentence: str) -> int:
    """Return the number of words in a sentence, at least one."""
    return max(1, len(_WORD.findall(sentence)))

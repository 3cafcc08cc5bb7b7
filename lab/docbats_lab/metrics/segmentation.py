"""How well a segmentation matches the true segments: Pk and WindowDiff (eqs. 19, 20), B and F1."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.documents import SegmentedDocument


def paper_window(reference: Sequence[int]) -> int:
    """Return half the average segment length of the reference minus one, at least 1."""
    return max(1, round(sum(reference) / len(reference) / 2) - 1)


def pk(reference: Sequence[int], hypothesis: Sequence[int], window: int) -> float:
    """Return how often two words `window` apart are together in one segmentation only (eq. 19).

    Segmentations are lists of the lengths of their segments, in words or another unit.
    """
    ref, hyp = _boundaries_within(reference, hypothesis, window)
    return float(((ref == 0) != (hyp == 0)).mean())


def window_diff(reference: Sequence[int], hypothesis: Sequence[int], window: int) -> float:
    """Return how often the numbers of boundaries between two such words differ (eq. 20)."""
    ref, hyp = _boundaries_within(reference, hypothesis, window)
    return float((ref != hyp).mean())


def _boundaries_within(
    reference: Sequence[int], hypothesis: Sequence[int], window: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the boundaries between words i and i + window, for each of the N - window words i."""
    if sum(reference) != sum(hypothesis):
        msg = f"cannot compare segmentations of {sum(reference)} and {sum(hypothesis)} words"
        raise ValueError(msg)
    if not 1 <= window < sum(reference):
        msg = f"window must be between 1 and {sum(reference) - 1}, got {window}"
        raise ValueError(msg)
    ref, hyp = (np.repeat(np.arange(len(s)), s) for s in (reference, hypothesis))
    return ref[window:] - ref[:-window], hyp[window:] - hyp[:-window]


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
    ref, hyp = _boundaries(reference, hypothesis)
    matches = len(ref & hyp)
    missed, extra = sorted(ref - hyp), sorted(hyp - ref)
    near, distance = _pair_near_misses(missed, extra, n_t)
    misses = len(missed) + len(extra) - 2 * near
    edits = matches + near + misses
    return 1 - (misses + distance / n_t) / edits if edits else 1.0


def boundary_f1(reference: Sequence[int], hypothesis: Sequence[int], tolerance: int = 1) -> float:
    """Return the F1 of the boundaries; one at most `tolerance` sentences off counts as found.

    Each boundary is paired with at most one other, and as many are paired as possible. If neither
    segmentation has a boundary they agree, and F1 is 1; if only one has, it is 0.

    Parameters
    ----------
    reference, hypothesis
        The lengths of their segments, in sentences.
    tolerance
        How many sentences off is still right; 0 requires the exact place.
    """
    ref, hyp = (sorted(found) for found in _boundaries(reference, hypothesis))
    found = i = j = 0
    # Pairing the leftmost two that can be paired never costs a pair further right.
    while i < len(ref) and j < len(hyp):
        if abs(ref[i] - hyp[j]) <= tolerance:
            found, i, j = found + 1, i + 1, j + 1
        elif ref[i] < hyp[j]:
            i += 1
        else:
            j += 1
    total = len(ref) + len(hyp)
    return 2 * found / total if total else 1.0


def _boundaries(reference: Sequence[int], hypothesis: Sequence[int]) -> tuple[set[int], set[int]]:
    if sum(reference) != sum(hypothesis):
        msg = f"cannot compare segmentations of {sum(reference)} and {sum(hypothesis)} sentences"
        raise ValueError(msg)
    return set(accumulate(reference[:-1])), set(accumulate(hypothesis[:-1]))


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


def window_errors(
    words: Sequence[int], true_starts: Sequence[int], starts: Sequence[int]
) -> tuple[float, float]:
    """Return Pk and WindowDiff over words, with the window of the paper.

    `words` is the number of words in each sentence; segmentations are lists of the first sentence
    of each segment. A text too short for any window has no error.
    """
    true, found = (np.add.reduceat(words, list(each)).tolist() for each in (true_starts, starts))
    window = paper_window(true)
    if window >= sum(true):
        return 0.0, 0.0
    return pk(true, found, window), window_diff(true, found, window)


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


def segment_lengths(starts: Sequence[int], n_sentences: int) -> list[int]:
    """Return the number of sentences in each segment, given the first sentence of each."""
    return list(np.diff(starts, append=n_sentences).tolist())


def count_words(sentence: str) -> int:
    """Return the number of words in a sentence, at least one."""
    return max(1, len(_WORD.findall(sentence)))

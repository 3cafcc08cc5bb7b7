"""How well segments match the true ones: Pk and WindowDiff (eqs. 19, 20), and F1 of boundaries."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


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
    ref, hyp = (sorted(found) for found in boundary_sets(reference, hypothesis))
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


def boundary_sets(reference: Sequence[int], hypothesis: Sequence[int]) -> tuple[set[int], set[int]]:
    """Return the places of the boundaries of both, given the lengths of their segments."""
    if sum(reference) != sum(hypothesis):
        msg = f"cannot compare segmentations of {sum(reference)} and {sum(hypothesis)} sentences"
        raise ValueError(msg)
    return set(accumulate(reference[:-1])), set(accumulate(hypothesis[:-1]))


def segment_lengths(starts: Sequence[int], n_sentences: int) -> list[int]:
    """Return the number of sentences in each segment, given the first sentence of each."""
    return list(np.diff(starts, append=n_sentences).tolist())

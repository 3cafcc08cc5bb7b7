"""Pk and WindowDiff (eqs. 19, 20)."""

from __future__ import annotations

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

    Segmentations are given as the lengths of their segments, in words or another unit.
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

"""Pk and WindowDiff (eqs. 19, 20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["paper_window", "pk", "window_diff"]


def paper_window(reference: Sequence[int]) -> int:
    """One less than half the average segment length of the reference; at least 1."""
    return max(1, round(sum(reference) / len(reference) / 2) - 1)


def pk(reference: Sequence[int], hypothesis: Sequence[int], window: int) -> float:
    """Eq. 19: how often two words `window` apart are together in one segmentation only.

    Segmentations are given as the lengths of their segments, in words (or whatever the unit is).
    """
    ref, hyp = _boundaries_within(reference, hypothesis, window)
    return float(((ref == 0) != (hyp == 0)).mean())


def window_diff(reference: Sequence[int], hypothesis: Sequence[int], window: int) -> float:
    """Eq. 20: how often the number of boundaries between two words `window` apart differs."""
    ref, hyp = _boundaries_within(reference, hypothesis, window)
    return float((ref != hyp).mean())


def _boundaries_within(
    reference: Sequence[int], hypothesis: Sequence[int], window: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the boundaries between words i and i + window, for each of the N - window words i."""
    if sum(reference) != sum(hypothesis):
        msg = f"segmentations of {sum(reference)} and of {sum(hypothesis)} words do not compare"
        raise ValueError(msg)
    if not 1 <= window < sum(reference):
        msg = f"window={window} does not fit into {sum(reference)} words"
        raise ValueError(msg)
    ref, hyp = (np.repeat(np.arange(len(s)), s) for s in (reference, hypothesis))
    return ref[window:] - ref[:-window], hyp[window:] - hyp[:-window]

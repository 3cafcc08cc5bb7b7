"""Limits on the size of segments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.tables import segment_sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["SizeLimits"]

_SHORTFALL_COST = 1e9  # more than any gain, so that as few segments as can be are too small


@dataclass(frozen=True, eq=False)
class SizeLimits(SegmentCost):
    """The least and the most that a segment may hold.

    Attributes
    ----------
    sizes
        The size of each sentence, in the unit of the limits; none is above `maximum`.
    minimum, maximum
        A maximum is never exceeded; a minimum gives way where the text does not allow it.
    measure
        Returns the true size of the sentences from one to before another, where the sizes of
        sentences do not add up to it; and `measured_maximum` is the most that it may be.
    """

    sizes: NDArray[np.int64]
    minimum: int = 0
    maximum: int | None = None
    measure: Callable[[int, int], int] | None = None
    measured_maximum: int = 0

    penalty = 0.0

    def __post_init__(self) -> None:
        if self.maximum is not None and self.sizes.max() > self.maximum:
            msg = (
                f"sentences must be at most {self.maximum} long, got {self.sizes.max()}: split "
                "long ones first"
            )
            raise ValueError(msg)

    @cached_property
    def longest(self) -> int:
        """The most sentences that a segment may have."""
        return int(np.max(self._reach - np.arange(len(self._reach))))

    @cached_property
    def fewest(self) -> int:
        """The least number of segments that the text can be cut into."""
        segments, start = 0, 0
        while start < len(self.sizes):
            start = int(self._reach[start])
            segments += 1
        return segments

    def even_starts(self, k: int) -> list[int]:
        """Return the starts of k segments, at least `fewest`, within the maximum and about even."""
        m = len(self.sizes)
        # The earliest place where so many segments can begin that hold the rest of the text.
        earliest_starts = [m]
        for _ in range(k):
            before = self._ends[earliest_starts[-1]] - self._maximum
            earliest_starts.append(int(np.searchsorted(self._ends, before)))
        ideal = np.searchsorted(self._ends, self._ends[-1] * np.arange(k) / k).tolist()
        starts = [0]
        for t in range(1, k):
            latest = min(int(self._reach[starts[-1]]), m - (k - t))
            earliest = max(earliest_starts[k - t], starts[-1] + 1)
            starts.append(min(max(ideal[t], earliest), latest))
        return starts

    def keep_within(self, cut: Callable[[SizeLimits], list[int] | None]) -> list[int] | None:
        """Return the starts that `cut` finds within the limits.

        Where a segment is larger than its sentences add up to, it is cut again, with larger sizes
        for these sentences.
        """
        limits, starts = self, cut(self)
        while starts is not None:
            tighter = limits._tightened(starts)
            if tighter is None:
                break
            limits, starts = tighter, cut(tighter)
        return starts

    def _tightened(self, starts: list[int]) -> SizeLimits | None:
        """Return limits that rule out the segments that are too large; None where none is."""
        if self.measure is None or self.maximum is None:
            return None
        sizes = self.sizes.copy()
        for first, end in pairwise([*starts, len(sizes)]):
            if end - first > 1 and self.measure(first, end) > self.measured_maximum:
                own = np.maximum(sizes[first:end], 1)
                larger = np.ceil(own * ((self.maximum + 1) / own.sum())).astype(np.int64)
                sizes[first:end] = np.clip(larger, own, self.maximum)
        return None if np.array_equal(sizes, self.sizes) else replace(self, sizes=sizes)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return infinity for segments that are too large, and a lot for those too small."""
        blocks = np.add.reduceat(self.sizes, edges[:-1])
        width = min(width, len(blocks))
        sizes = segment_sums(blocks, width)
        costs = np.where(sizes < self.minimum, _SHORTFALL_COST, 0.0)
        costs[sizes > self._maximum] = np.inf
        costs[np.arange(len(blocks))[:, None] < np.arange(width)] = np.inf
        return costs

    def between(self, first: int, end: int) -> SizeLimits:
        """Return the same limits for these sentences."""
        return SizeLimits(self.sizes[first:end], self.minimum, self.maximum)

    @cached_property
    def _maximum(self) -> float:
        return np.inf if self.maximum is None else self.maximum

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def _reach(self) -> NDArray[np.int64]:
        """For each sentence, where the largest segment ends that begins with it."""
        return np.searchsorted(self._ends, self._ends[:-1] + self._maximum, side="right") - 1

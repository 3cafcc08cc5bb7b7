"""Limits on the size of segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.dirichlet import add_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Limits"]

_TOO_SMALL = 1e9  # more than any gain: a cut with fewer segments that are too small always wins


@dataclass(frozen=True, eq=False)
class Limits:
    """The least and the most that a segment may hold.

    Attributes
    ----------
    sizes
        The size of each sentence, in the unit of the limits; none is above `most`.
    least, most
        A maximum is never exceeded; a minimum gives way where the text does not allow it.
    """

    sizes: NDArray[np.int64]
    least: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        if self.most is not None and self.sizes.max() > self.most:
            msg = (
                f"a sentence of {self.sizes.max()} is larger than a segment may be, which is "
                f"{self.most}: split it first"
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
        """Cut the text into k segments, at least `fewest`, within the maximum and about even."""
        m = len(self.sizes)
        # Later than this no segment may begin if those after it are to hold the rest of the text.
        least_starts = [m]
        for _ in range(k):
            before = self._ends[least_starts[-1]] - self._most
            least_starts.append(int(np.searchsorted(self._ends, before)))
        ideal = np.searchsorted(self._ends, self._ends[-1] * np.arange(k) / k).tolist()
        starts = [0]
        for t in range(1, k):
            latest = min(int(self._reach[starts[-1]]), m - (k - t))
            earliest = max(least_starts[k - t], starts[-1] + 1)
            starts.append(min(max(ideal[t], earliest), latest))
        return starts

    def costs(self, edges: NDArray[np.int64], width: int) -> NDArray[np.float64]:
        """Tell what each segment of blocks costs by its size; laid out as other costs are."""
        blocks = np.add.reduceat(self.sizes, edges[:-1])
        width = min(width, len(blocks))
        sizes = add_up(blocks, width)
        costs = np.where(sizes < self.least, _TOO_SMALL, 0.0)
        costs[sizes > self._most] = np.inf
        costs[np.arange(len(blocks))[:, None] < np.arange(width)] = np.inf
        return costs

    @cached_property
    def _most(self) -> float:
        return np.inf if self.most is None else self.most

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def _reach(self) -> NDArray[np.int64]:
        """For each sentence, where the largest segment ends that begins with it."""
        return np.searchsorted(self._ends, self._ends[:-1] + self._most, side="right") - 1

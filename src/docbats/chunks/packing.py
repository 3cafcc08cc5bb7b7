"""The cut of a row of pieces into chunks of limited size that costs least."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["pack"]


def pack(sizes: Floats, extra: Floats, penalties: Floats, limit: float) -> list[int]:
    """Return the first piece of each chunk.

    A chunk costs the square of the share of the limit that it leaves empty, so that sizes are even,
    and each but the first the penalty of its first piece. No chunk is above the limit but for one
    of a single piece.

    Parameters
    ----------
    sizes
        Of the pieces.
    extra
        What a chunk that begins with this piece has on top of its pieces; less than 0 where it has
        less than them.
    penalties
        Of a cut before each piece.
    limit
        The largest size of a chunk.
    """
    n = len(sizes)
    ends = np.concatenate([[0.0], np.cumsum(sizes)])
    # The first piece of the longest chunk that ends before each place.
    earliest = np.searchsorted(ends, ends - limit + min(0.0, extra.min()) - 1e-9).tolist()
    base = ends[:-1] - extra  # a chunk from i to j has a size of ends[j] - base[i]
    before = np.zeros(n + 1)  # the least cost of all up to a place, and of the cut there
    first = [0] * (n + 1)
    cost_of_start = np.append(penalties, 0.0)
    cost_of_start[0] = 0.0
    for end in range(1, n + 1):
        low = min(earliest[end], end - 1)
        empty = 1.0 - (ends[end] - base[low:end]) / limit
        costs = before[low:end] + empty * empty
        costs[empty < -1e-9] = np.inf
        best = int(costs.argmin())
        if costs[best] == np.inf:  # a single piece that is too large by itself
            best = end - 1 - low
            costs[best] = before[end - 1]
        first[end] = low + best
        before[end] = costs[best] + cost_of_start[end]
    starts = []
    end = n
    while end > 0:
        end = first[end]
        starts.append(end)
    return starts[::-1]

"""The segments of the least total cost, by dynamic programming over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cut_into_k(costs: NDArray[np.float64], k: int) -> list[int]:
    """Return the first sentence of each of the k segments of the least total cost.

    ``costs[i, j]`` is the cost of the segment from sentence i up to but without j. Of equal totals
    the one whose last segment starts first is taken.
    """
    m = len(costs) - 1
    # With t segments before a boundary and k - t behind it, it has m - k + 1 places to be.
    width = m - k + 1
    late = np.tri(width, k=-1).T > 0
    total = costs[0, 1 : width + 1]
    choices = []
    for t in range(1, k):
        ways = costs[t : t + width, t + 1 : t + 1 + width].T + total
        ways[late] = np.inf
        best = ways.argmin(axis=1)
        choices.append(t + best)
        total = ways[np.arange(width), best]
    starts, end = [0] * k, m
    for t in range(k - 1, 0, -1):
        end = starts[t] = int(choices[t - 1][end - t - 1])
    return starts


def cut_with_penalty(costs: NDArray[np.float64]) -> list[int]:
    """Return the first sentences of the segments of the least total cost, however many."""
    m = len(costs) - 1
    total = np.zeros(m + 1)
    choice = np.zeros(m + 1, np.int64)
    for end in range(1, m + 1):
        ways = total[:end] + costs[:end, end]
        choice[end] = ways.argmin()
        total[end] = ways[choice[end]]
    starts = []
    end = m
    while end > 0:
        end = int(choice[end])
        starts.append(end)
    return starts[::-1] or [0]

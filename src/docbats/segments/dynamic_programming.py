"""The segments of the least total cost, exactly, by dynamic programming."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.tables import windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["cut_into_k", "cut_into_k_approximately", "cut_with_penalty", "least_costs"]

# In a table of costs, costs[j, l] is the segment of l + 1 blocks of which block j is the last. What
# may not be is infinite. Of equal cuts all functions take the one with the longest last segment,
# then the longest one before it, and so on.

_FORBIDDING_PENALTY = 1e12  # at which there are as few segments as can be
_TOLERANCE = 0.5  # times k: how closely penalties are looked for that give k segments
_CACHE_SIZE = 32_768  # numbers; with more a group of rows leaves the processor's cache
_UNIT = 2.0**-30  # in whole numbers of it sums are exact: equal cuts are equal to the last bit


def cut_into_k(
    costs: Floats, k: int, last_blocks: Sequence[tuple[int, int]] | None = None
) -> list[int] | None:
    """Find the k segments of the least total cost; the first block of each, or None if none may be.

    `last_blocks` may bound the last block of each segment: from the first number to before the
    second.
    """
    n = len(costs)
    if last_blocks is None:
        # So many segments come before and after, each of one block at least.
        last_blocks = [*((t, n - (k - t - 1)) for t in range(k - 1)), (n - 1, n)]
        costs = costs[:, : n - k + 1]
    width = costs.shape[1]
    flipped = _flip(costs)
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    before = windows(totals, width)  # the totals up to where each segment begins
    filled = slice(width - 1, width)
    choices = []
    memory = np.empty((min(n, max(1, _CACHE_SIZE // width)), width))
    for low, high in last_blocks:
        best, least = _best(before[low:high], flipped[low:high], memory)
        choices.append(best)
        totals[filled] = np.inf
        filled = slice(width + low, width + high)
        totals[filled] = least
    if not np.isfinite(totals[-1]):
        return None
    starts, end = [], n - 1
    for (low, _), best in zip(reversed(last_blocks), reversed(choices), strict=True):
        starts.append(end - (width - 1) + int(best[end - low]))
        end = starts[-1] - 1
    return starts[::-1]


def cut_with_penalty(costs: Floats, penalty: float) -> list[int] | None:
    """Find the segments of the least total cost, each with a penalty; None if none may be."""
    return _cut_flipped(_flip(costs), penalty)


def cut_into_k_approximately(costs: Floats, k: int) -> list[int] | None:
    """Find k segments of about the least total cost, where `cut_into_k` would take too long.

    The higher the penalty, the fewer segments there are. Of the boundaries at two penalties, at one
    of which there are more and at the other fewer segments than k, the best are found exactly.
    """
    flipped = _flip(costs)
    few = _cut_flipped(flipped, _FORBIDDING_PENALTY)
    many = _cut_flipped(flipped, -_FORBIDDING_PENALTY)
    if few is None or many is None or not len(few) <= k <= len(many):
        return None
    while len(many) - len(few) > _TOLERANCE * k:
        # At this penalty the two are equal, so that any other cut that is better is between them.
        penalty = (_total(costs, few) - _total(costs, many)) / (len(many) - len(few))
        between = _cut_flipped(flipped, penalty) or few
        if not len(few) < len(between) < len(many):
            break
        if len(between) >= k:
            many = between
        if len(between) <= k:
            few = between
    starts = np.union1d(many, few)
    found = cut_into_k(_between(costs, starts, _max_between(starts, few)), k)
    return None if found is None else list(starts[found].tolist())


def _cut_flipped(flipped: Floats, penalty: float) -> list[int] | None:
    """Find the segments of the least total cost, each with a penalty."""
    n, width = flipped.shape
    penalty = round(penalty / _UNIT) * _UNIT
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    choice = [0] * n
    for j in range(n):
        first = max(0, width - 1 - j)  # before it, segments would begin before the text
        ways = totals[j + first : j + width] + flipped[j, first:]
        best = int(ways.argmin())
        choice[j] = first + best
        totals[width + j] = ways[best] + penalty
    if not np.isfinite(totals[-1]):
        return None
    starts, end = [], n - 1
    while end >= 0:
        starts.append(end - (width - 1) + choice[end])
        end = starts[-1] - 1
    return starts[::-1]


def _total(costs: Floats, starts: list[int]) -> float:
    """Return the total cost of the segments that begin at `starts`."""
    edges = np.array([*starts, len(costs)])
    return float(costs[edges[1:] - 1, np.diff(edges) - 1].sum())


def _between(costs: Floats, starts: Ints, width: int) -> Floats:
    """Return the costs of segments of the longer blocks that begin at `starts`."""
    ends = np.append(starts[1:], len(costs)) - 1
    padded = np.append(np.full(width - 1, -len(costs)), starts)
    lengths = ends[:, None] - windows(padded, width)[:, ::-1]
    allowed = lengths < costs.shape[1]
    return np.where(allowed, costs[ends[:, None], np.where(allowed, lengths, 0)], np.inf)


def _max_between(starts: Ints, few: list[int]) -> int:
    """Return the most of `starts` that lie in one of few segments, and some more."""
    return 2 * int(np.diff(np.searchsorted(starts, few), append=len(starts)).max()) + 8


def least_costs(costs: Floats, k: int) -> Floats:
    """Return the least total cost of 1, 2, ... up to k segments."""
    n, width = costs.shape
    flipped = _flip(costs)
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    before = windows(totals, width)
    found = np.full(k, np.inf)
    memory = np.empty_like(flipped)
    for t in range(min(k, n)):
        shortest = max(0, width - (n - t))  # with t segments before, the longest ones are too long
        ways = np.add(before[t:n, shortest:], flipped[t:, shortest:], out=memory[t:, shortest:])
        least = ways.min(axis=1)
        totals[: width + t] = np.inf
        totals[width + t :] = least
        found[t] = least[-1]
    return found


def _best(before: Floats, flipped: Floats, memory: Floats) -> tuple[Ints, Floats]:
    """Find the least sum in each row of two tables: its place and what it is.

    Large tables are added by parts that stay in the cache: in `memory`.
    """
    rows = len(memory)
    if len(flipped) > rows:
        parts = (slice(j, j + rows) for j in range(0, len(flipped), rows))
        found = [_best(before[part], flipped[part], memory) for part in parts]
        places, sums = zip(*found, strict=True)
        return np.concatenate(places), np.concatenate(sums)
    ways = np.add(before, flipped, out=memory[: len(flipped)])
    best = ways.argmin(axis=1)
    return best, ways[np.arange(len(ways)), best]


def _flip(costs: Floats) -> Floats:
    """Put the longest segments first, in order of where they begin, and round."""
    flipped = costs[:, ::-1] * (1 / _UNIT)
    np.rint(flipped, out=flipped)
    flipped *= _UNIT
    return flipped

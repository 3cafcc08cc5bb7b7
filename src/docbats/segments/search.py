"""The cut of the least total cost: exact for short texts, from coarse to fine for long ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.candidates import StartPlaces, allowed_edges
from docbats.segments.costs.cost import SumOfCosts
from docbats.segments.dynamic_programming import (
    cut_into_k,
    cut_into_k_approximately,
    cut_with_penalty,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost
    from docbats.segments.costs.size_limits import SizeLimits

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "best_starts",
    "block_edges",
    "starts_between_blocks",
    "starts_worth_penalty",
]

_MAX_LENGTH_RATIO = 8  # to the mean length: longer segments are only looked for if that is a bound
_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds
_AFFORDABLE_STEPS = 1_000_000_000  # of an exact search; more would take seconds
_NEAR_BOUND = 0.75  # of the bound: with a segment so long, others might be longer yet
_EXTRA_EFFORT = 3  # times as much is affordable where segments might be longer
_BLOCKS_PER_SEGMENT = 4  # of mean length: blocks are no coarser
_MIN_CANDIDATES = 640  # for the boundaries of a long text; more take longer
_CANDIDATES_PER_SEGMENT = 8  # as many at least
_MAX_KEPT_CANDIDATES = 2560  # whose table is kept for other k: 21 megabytes at most
_MAX_BLOCKS_BETWEEN = 1024  # of candidates in one segment; more take longer
_FIRST_BLOCKS_BETWEEN = (
    256  # unless a segment comes near to it; above, a table takes longer to fill
)
_FAST_STEPS = 30_000_000  # of an exact search between candidates; more would take too long
_FINE_REACH = 16  # places to either side of a boundary that are weighed in the end, at most
_REFINEMENT = 8  # by how much blocks shrink from one round to the next; larger: rougher


def best_starts(
    cost: SegmentCost, n_sentences: int, k: int, limits: SizeLimits | None = None
) -> list[int] | None:
    """Return the first sentence of each of the k segments of the least total cost.

    Up to about a thousand sentences every cut between sentences is weighed. A longer text is first
    cut at some of them only, then each boundary is moved to either side, in ever smaller steps.
    None where there are fewer than k sentences or `limits` leave no such cut.
    """
    m = n_sentences
    if k > m or (limits is not None and k < limits.fewest):
        return None
    if k == 1:
        return [0]
    longest = m - k + 1
    bound = _MAX_LENGTH_RATIO * m // k + 1
    known = [0]
    if limits is not None:
        # With the boundaries of such a cut in it, a grid of blocks has a cut within the limits.
        known = limits.even_starts(k)
        longest = min(longest, limits.longest)
        fits = m * longest <= _AFFORDABLE_CELLS
        bound = longest if fits else max(bound, int(np.diff(known, append=m).max()))
    bound = min(bound, longest)
    step = _first_step(cost, m, bound, _BLOCKS_PER_SEGMENT * k)
    if limits is None and step > 1:
        return _cut_between_candidates(cost, m, k)
    edges = _grid(cost, m, step, known) if limits is not None else allowed_edges(cost, m, k)
    total = cost if limits is None else SumOfCosts([cost, limits])
    starts = _cut(total, edges, bound, k)
    cells = _EXTRA_EFFORT * cost.affordable_cells(step)
    affordable = min(cells, _AFFORDABLE_STEPS // k) // len(edges) * step
    longest = min(longest, affordable)
    while bound < longest and np.diff(starts, append=m).max() > _NEAR_BOUND * bound:
        bound = min(2 * bound, longest)
        starts = _cut(total, edges, bound, k)
    return _refined(cost, total, m, starts, step)


def starts_between_blocks(cost: SegmentCost, n_sentences: int, k: int, edges: Ints) -> list[int]:
    """Return about the best cut into k segments, found between blocks and then moved.

    That is fast where the cost has kept the table of these edges.
    """
    starts = _cut_blocks(cost, edges, len(edges) - 1, k, keep=True)
    return _refined(cost, cost, n_sentences, starts, int(np.diff(edges).max()))


def starts_worth_penalty(
    cost: SegmentCost, n_sentences: int, penalty: float, limits: SizeLimits
) -> list[int]:
    """Return the best cut within the limits, into as many segments as are worth the penalty."""
    m = n_sentences
    step = _first_step(cost, m, limits.longest, 2 * _BLOCKS_PER_SEGMENT * limits.fewest)
    edges = _grid(cost, m, step, limits.even_starts(limits.fewest))
    width = _max_blocks(edges, limits.longest)
    total = SumOfCosts([cost, limits])
    while True:
        starts = _sentences(edges, cut_with_penalty(total.table(edges, width), penalty))
        if step == 1:
            return list(starts.tolist())
        reach, step = 2 * step, max(1, step // _REFINEMENT)
        edges, low, high = _near(cost, m, starts, reach, step)
        width = int((high[2:] - low[:-2]).max(initial=1))  # two segments may become one


def block_edges(cost: SegmentCost, n_sentences: int, max_blocks: int) -> Ints:
    """Return the edges of at most so many blocks, between which segments may lie."""
    if cost.may_start is None:
        step = -(-n_sentences // max_blocks)
        return np.append(np.arange(0, n_sentences, step), n_sentences)
    edges = allowed_edges(cost, n_sentences, 1)
    step = -(-(len(edges) - 1) // max_blocks)
    places = np.unique([*edges[:-1:step], *_strong_starts(cost, max_blocks)])
    return np.append(places, n_sentences)


def _refined(cost: SegmentCost, total: SegmentCost, m: int, starts: Ints, step: int) -> list[int]:
    """Move each boundary to either side, in ever smaller steps; `total` includes limits."""
    while step > 1:
        reach, step = 2 * step, max(1, step // _REFINEMENT)
        edges, low, high = _near(cost, m, starts, reach, step)
        starts = _cut_within(total, edges, low, high, len(starts))
    return list(starts.tolist())


def _strong_starts(cost: SegmentCost, max_blocks: int) -> Ints:
    """Return the starts of the author's sections, as many as can be blocks of their own."""
    sections = cost.section_starts
    return np.zeros(1, np.int64) if sections is None else sections[:max_blocks]


def _cut_between_candidates(cost: SegmentCost, m: int, k: int) -> list[int]:
    """Cut a long text into k segments without limits.

    The candidates for boundaries are the same for many k, so that the cost may keep their table.
    """
    places = StartPlaces.of(cost, allowed_edges(cost, m, k))
    cells, n = 2 * cost.affordable_cells(1), _MIN_CANDIDATES  # half of a table has no segments
    while n * n > cells:
        n //= 2
    while n < _CANDIDATES_PER_SEGMENT * k:
        n *= 2
    edges = np.append(places.edges[places.best(n)], m)
    widest = min(len(edges) - 1, _MAX_BLOCKS_BETWEEN, max(cells // n, 4 * _CANDIDATES_PER_SEGMENT))
    width = widest if n <= _MIN_CANDIDATES else min(_FIRST_BLOCKS_BETWEEN, widest)
    starts = _cut_blocks(cost, edges, width, k, keep=n <= _MAX_KEPT_CANDIDATES)
    if width < widest and _most_blocks(edges, starts) > _NEAR_BOUND * width:
        starts = _cut_blocks(cost, edges, widest, k, keep=n <= _MAX_KEPT_CANDIDATES)
    step, reach = len(places) // n, _FINE_REACH
    if step > 1:
        finer = max(1, step // _REFINEMENT)
        starts = _move(cost, places, starts, step, finer)
        reach = min(reach, 2 * finer)
    return list(_move(cost, places, starts, reach, 1).tolist())


def _cut_blocks(cost: SegmentCost, edges: Ints, width: int, k: int, *, keep: bool) -> Ints:
    """Cut into segments of at most so many blocks; the cost may keep the table for other k."""
    if keep:
        cost.keep(edges, width)
    table = cost.table(edges, width, k)
    cut = cut_into_k if k * table.size <= _FAST_STEPS else cut_into_k_approximately
    return _sentences(edges, cut(table, k))


def _most_blocks(edges: Ints, starts: Ints) -> int:
    """Return the number of blocks in the segment that has most of them."""
    return int(np.diff(np.searchsorted(edges, np.append(starts, edges[-1]))).max())


def _move(cost: SegmentCost, places: StartPlaces, starts: Ints, reach: int, step: int) -> Ints:
    """Move each start to one of the places within `reach`, so that all together cost least."""
    n, k = len(places), len(starts)
    now = np.searchsorted(places.edges, starts)
    chosen = np.unique(np.concatenate([now, places.best_near(now[1:], reach, step), [n]]))
    low, high = _bounds(chosen, _reached(now, reach, n))
    return _cut_within(cost, places.edges[chosen], low, high, k)


def _reached(starts: Ints, reach: int, end: int) -> Ints:
    """Return the first and the last place of each boundary; the two at the ends stay."""
    inner = [starts[1:] - reach, starts[1:] + reach]
    return np.array([np.concatenate([[0], places, [end]]) for places in inner])


def _bounds(edges: Ints, limits: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last edge within the limits of each boundary of the segments."""
    low = np.searchsorted(edges, limits[0])
    high = np.searchsorted(edges, limits[1], side="right") - 1
    inside = np.arange(len(low))  # before and after each there are as many segments as there are
    return np.maximum(low, inside), np.minimum(high, len(edges) - 1 - inside[::-1])


def _cut_within(cost: SegmentCost, edges: Ints, low: Ints, high: Ints, k: int) -> Ints:
    """Cut into k segments, each boundary from the first to the last edge that it may have."""
    table = cost.table(edges, int((high[1:] - low[:-1]).max()), k)
    last_blocks = np.column_stack([low[1:] - 1, high[1:]])
    return _sentences(edges, cut_into_k(table, k, last_blocks.tolist()))


def _cut(cost: SegmentCost, edges: Ints, longest: int, k: int) -> Ints:
    """Cut between blocks into segments of at most `longest` sentences."""
    table = cost.table(edges, _max_blocks(edges, longest), k)
    places = len(table) - k + 1  # of each boundary
    is_affordable = k * places * min(places, table.shape[1]) <= _AFFORDABLE_STEPS
    cut = cut_into_k if is_affordable else cut_into_k_approximately
    return _sentences(edges, cut(table, k))


def _sentences(edges: Ints, blocks: list[int] | None) -> Ints:
    if blocks is None:
        msg = "no cut is within the limits, though a known one is"
        raise AssertionError(msg)
    return np.asarray(edges[blocks])


def _grid(cost: SegmentCost, m: int, step: int, known: Sequence[int]) -> Ints:
    """Return the edges of blocks of about `step` sentences, and of some known segments."""
    if step == 1:
        return np.arange(m + 1)
    return np.unique([0, *_likeliest(cost, m, np.arange(0, m, step), step), *known, m])


def _likeliest(cost: SegmentCost, m: int, places: Ints, step: int) -> Ints:
    """Return of each `step` sentences from a place on the likeliest to begin a segment."""
    if cost.start_log_odds is None:
        return places
    within = np.minimum(np.add.outer(places, np.arange(step)), m - 1)
    best = cost.start_log_odds[within].argmax(axis=1)
    return np.asarray(within[np.arange(len(places)), best])


def _max_blocks(edges: Ints, longest: int) -> int:
    """Return the number of blocks in a segment of about `longest` sentences, no fewer."""
    ends = np.searchsorted(edges, edges + longest, side="right") - 1
    return int((ends - np.arange(len(edges))).max()) + 1


def _near(
    cost: SegmentCost, m: int, starts: Ints, reach: int, step: int
) -> tuple[Ints, Ints, Ints]:
    """Return edges up to `reach` from each start, and the first and last of them for each."""
    places = np.add.outer(starts[1:], np.arange(-reach, reach + 1, step)).ravel()
    places = _likeliest(cost, m, np.unique(np.clip(places, 1, m - 1)), step)
    edges = np.unique(np.concatenate([[0], starts, places, [m]]))
    return edges, *_bounds(edges, _reached(starts, reach, m))


def _first_step(cost: SegmentCost, m: int, longest: int, min_blocks: int) -> int:
    """Return how many sentences a block has at first."""
    step = 1
    while m // (2 * step) >= min_blocks and m * longest > cost.affordable_cells(step) * step**2:
        step *= 2
    return step

"""The cut by likelihood: exact for short texts, from coarse to fine for long ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.dirichlet import add_prior_costs, block_costs
from docbats.segments.costs.vectors import vector_costs
from docbats.segments.dynamic_programming import (
    cut_into_k,
    cut_into_k_approximately,
    cut_with_penalty,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.costs.size_limits import Limits
    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]

__all__ = ["boundary_gains", "likelihood_starts", "limited_starts"]

_LONGEST = 8  # times the mean length: longer segments are only looked for if that is a bound
_CELLS = 2_000_000  # entries of a table of costs that are worth their time
_COUNTS = 100_000_000  # counts of a root in a segment that are worth theirs
_PAIR = 8  # counts take as long as a pair of blocks
_STEPS = 1_000_000_000  # of an exact search that are worth theirs
_NEAR = 0.75  # of the bound: with a segment so long, others might be longer yet
_WIDER = 3  # times as much is worth it where segments might be longer
_BLOCKS = 4  # in a segment of mean length: blocks are no coarser
_FINER = 8  # by how much blocks shrink from one round to the next


def likelihood_starts(evidence: Evidence, k: int, limits: Limits | None = None) -> list[int] | None:
    """Find the k segments that explain the words best; the first sentence of each.

    Up to about a thousand sentences every cut between sentences is weighed. A longer text is first
    cut between blocks of sentences; then each boundary is moved within a block to either side, in
    ever smaller steps. None where there are fewer than k sentences or `limits` leave no such cut.
    """
    m = len(evidence)
    if k > m or (limits is not None and k < limits.fewest):
        return None
    if k == 1:
        return [0]
    longest = m - k + 1
    bound = _LONGEST * m // k + 1
    known = [0]
    if limits is not None:
        # With the boundaries of such a cut in it, a grid of blocks has a cut within the limits.
        known = limits.even_starts(k)
        longest = min(longest, limits.longest)
        fits = m * longest <= _CELLS
        bound = longest if fits else max(bound, int(np.diff(known, append=m).max()))
    bound = min(bound, longest)
    step = _first_step(evidence, bound, _BLOCKS * k)
    edges = _grid(evidence, step, known)
    starts = _cut(evidence, edges, bound, k, limits)
    affordable = min(_WIDER * _room(evidence, step), _STEPS // k) // len(edges) * step
    longest = min(longest, affordable)
    while bound < longest and np.diff(starts, append=m).max() > _NEAR * bound:
        bound = min(2 * bound, longest)
        starts = _cut(evidence, edges, bound, k, limits)
    while step > 1:
        reach, step = 2 * step, max(1, step // _FINER)
        edges, low, high = _near(evidence, starts, reach, step)
        costs = _costs(evidence, edges, int((high[1:] - low[:-1]).max()), k, limits)
        last_blocks = np.column_stack([low[1:] - 1, high[1:]])
        starts = _sentences(edges, cut_into_k(costs, k, last_blocks.tolist()))
    return list(starts.tolist())


def limited_starts(evidence: Evidence, penalty: float, limits: Limits) -> list[int]:
    """Find the best cut within the limits, into as many segments as pay their penalty."""
    step = _first_step(evidence, limits.longest, 2 * _BLOCKS * limits.fewest)
    edges = _grid(evidence, step, limits.even_starts(limits.fewest))
    width = _most_blocks(edges, limits.longest)
    while True:
        costs = block_costs(evidence, edges, width)
        costs += limits.costs(edges, width)
        starts = _sentences(edges, cut_with_penalty(costs, penalty))
        if step == 1:
            return list(starts.tolist())
        reach, step = 2 * step, max(1, step // _FINER)
        edges, low, high = _near(evidence, starts, reach, step)
        width = int((high[2:] - low[:-2]).max(initial=1))  # two segments may become one


def boundary_gains(evidence: Evidence, starts: Sequence[int]) -> NDArray[np.float64]:
    """Tell for each boundary how much better the two segments explain their words than one."""
    if len(starts) == 1:
        return np.empty(0)
    costs = block_costs(evidence, np.append(starts, len(evidence)), 2)
    return np.asarray(costs[1:, 1] - costs[1:, 0] - costs[:-1, 0])


def _cut(evidence: Evidence, edges: Ints, longest: int, k: int, limits: Limits | None) -> Ints:
    """Cut between blocks into segments of at most `longest` sentences."""
    costs = _costs(evidence, edges, _most_blocks(edges, longest), k, limits)
    places = len(costs) - k + 1  # of each boundary
    exactly = k * places * min(places, costs.shape[1]) <= _STEPS
    return _sentences(
        edges, cut_into_k(costs, k) if exactly else cut_into_k_approximately(costs, k)
    )


def _sentences(edges: Ints, blocks: list[int] | None) -> Ints:
    if blocks is None:
        msg = "no cut is within the limits, though a known one is"
        raise AssertionError(msg)
    return np.asarray(edges[blocks])


def _costs(
    evidence: Evidence, edges: Ints, width: int, k: int, limits: Limits | None
) -> NDArray[np.float64]:
    costs = block_costs(evidence, edges, width)
    add_prior_costs(costs, evidence, edges, k)
    if evidence.vectors is not None:
        costs += evidence.model.vectors * vector_costs(evidence.vectors, edges, width)
    if limits is not None:
        costs += limits.costs(edges, width)
    return costs


def _grid(evidence: Evidence, step: int, known: Sequence[int]) -> Ints:
    """Give the edges of blocks of about `step` sentences, and of some known segments."""
    m = len(evidence)
    if step == 1:
        return np.arange(m + 1)
    return np.unique([0, *_best_looking(evidence, np.arange(0, m, step), step), *known, m])


def _best_looking(evidence: Evidence, places: Ints, step: int) -> Ints:
    """Find the best sentence to begin a segment of the `step` from each place on, by its look."""
    within = np.minimum(np.add.outer(places, np.arange(step)), len(evidence) - 1)
    return np.asarray(
        within[np.arange(len(places)), evidence.start_log_odds[within].argmax(axis=1)]
    )


def _most_blocks(edges: Ints, longest: int) -> int:
    """Count the blocks in a segment of about `longest` sentences, no fewer."""
    ends = np.searchsorted(edges, edges + longest, side="right") - 1
    return int((ends - np.arange(len(edges))).max()) + 1


def _near(evidence: Evidence, starts: Ints, reach: int, step: int) -> tuple[Ints, Ints, Ints]:
    """Give edges up to `reach` from each start; the first and the last of them for each, and m."""
    m = len(evidence)
    places = np.add.outer(starts[1:], np.arange(-reach, reach + 1, step)).ravel()
    places = _best_looking(evidence, np.unique(np.clip(places, 1, m - 1)), step)
    edges = np.unique(np.concatenate([[0], starts, places, [m]]))
    low = np.searchsorted(edges, np.concatenate([[0], starts[1:] - reach, [m]]))
    high = np.searchsorted(edges, np.concatenate([[0], starts[1:] + reach, [m]]), side="right") - 1
    inside = np.arange(len(low))  # before and after each there are as many segments as there are
    return edges, np.maximum(low, inside), np.minimum(high, len(edges) - 1 - inside[::-1])


def _first_step(evidence: Evidence, longest: int, fewest_blocks: int) -> int:
    """Choose how many sentences a block has at first."""
    m = len(evidence)
    step = 1
    while m // (2 * step) >= fewest_blocks and m * longest > _room(evidence, step) * step**2:
        step *= 2
    return step


def _room(evidence: Evidence, step: int) -> int:
    """Tell how large a table may be for blocks of `step` sentences, by what it costs to fill."""
    share = np.bincount(evidence.root) * step / len(evidence)  # of the blocks that hold a root
    # What is not counted in every segment is counted in pairs of blocks, which take longer.
    counts_a_cell = np.minimum(_PAIR * share**2, 1).sum()
    return int(min(_CELLS, _COUNTS / max(counts_a_cell, 1)))

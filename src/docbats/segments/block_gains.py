"""What cuts gain between blocks of sentences, before it is known how many segments there are."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.tables import at_starts
from docbats.segments.dynamic_programming import cut_into_k, least_costs
from docbats.segments.search import block_edges, starts_between_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost

    Floats = NDArray[np.float64]

__all__ = ["BlockGains"]

_MAX_BLOCKS = 256  # a longer text is cut between so many blocks of sentences; more take longer
_FEW_BLOCKS = 8  # for each segment, where few are looked for
_MAX_K = 100


class BlockGains:
    """The gains of cuts between blocks, and what neighbours save by being apart.

    Attributes
    ----------
    cost
        By which they gain.
    max_k
        The most segments that are weighed. If few are asked for, the blocks are longer and the cost
        keeps their table, so that :meth:`starts` is fast.
    """

    def __init__(self, cost: SegmentCost, n_sentences: int, max_k: int | None = None) -> None:
        self.cost = cost
        self._n_sentences = n_sentences
        max_blocks = _MAX_BLOCKS if max_k is None else _FEW_BLOCKS * max_k
        self._edges = block_edges(cost, n_sentences, max_blocks)
        n_blocks = len(self._edges) - 1
        if max_k is not None:
            cost.keep(self._edges, n_blocks)
        self._costs = cost.table(self._edges, n_blocks)
        self.max_k = min(n_blocks, max_k or _MAX_K, ceil(2.5 * sqrt(n_sentences)))

    def gains(self, openings: Floats | None = None) -> Floats:
        """Return how much less the best 1, 2, ... segments cost than one segment does.

        `openings` may say for each sentence how much less a segment costs that begins with it.
        """
        costs = self._costs
        if openings is not None:
            n_blocks = len(costs)
            at_edges = np.append(0.0, openings[self._edges[1:-1]])
            before = np.zeros(n_blocks - 1)
            costs = costs - at_starts(np.concatenate([before, at_edges, [0]]), n_blocks)
        totals = least_costs(costs, self.max_k)
        return np.asarray((totals[0] - totals).round(6))

    def starts(self, k: int) -> list[int]:
        """Return the first sentence of each of about the best k segments."""
        return starts_between_blocks(self.cost, self._n_sentences, k, self._edges)

    def savings(self, k: int) -> Floats:
        """Return what share of their cost neighbours among the best k segments save."""
        starts = cut_into_k(self._costs, k)
        if starts is None:
            return np.empty(0)
        ends = np.append(starts[1:], len(self._costs)) - 1
        first = np.array(starts)
        own = self._costs[ends, ends - first]
        joined = self._costs[ends[1:], ends[1:] - first[:-1]]
        together = own[1:] + own[:-1]
        return np.asarray((joined - together) / np.maximum(np.abs(together), 1e-9))

"""The likelihood of a segment's words: how badly one source of words explains all of them."""

from __future__ import annotations

from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaln

from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.root_uses import RootIndex, count_roots, sum_over_pairs
from docbats.segments.costs.split_gains import split_gains
from docbats.segments.costs.tables import coarser, cumulative_sums, row_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.cut_model import CutModel
    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["DirichletCost"]

_CACHED_SENTENCES = 256  # texts of up to so many keep their table of costs: a megabyte at most
_SHORT_TEXT = 192  # sentences, of which the table does for any blocks of theirs, too
_MAX_KEPT_TABLES = 3  # of those that are asked for; 21 megabytes at most
_COMMON_SHARE = 0.3  # of the blocks: a root in more of them is counted in each segment
_STIRLING_FROM = 8  # from here on the logarithm of the gamma function has a fast approximation

_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds
_AFFORDABLE_COUNTS = 100_000_000  # of a root in a segment; more would take seconds
_COUNTS_PER_PAIR = 8  # counts that take as long as a pair of blocks


class DirichletCost(SegmentCost):
    """Minus the log marginal likelihood of the words of each segment.

    J. Eisenstein and R. Barzilay, "Bayesian Unsupervised Topic Segmentation", EMNLP 2008: words are
    drawn from a distribution of the segment's own, which is integrated out under a symmetric
    Dirichlet prior a. With n_w of a segment's n words being w, V words in all and G the gamma
    function, the cost is ``log G(n + V a) - log G(V a) - sum_w (log G(n_w + a) - log G(a))``;
    here each word counts by its weight, and the costs under several priors are averaged.

    A boundary has to gain in proportion to the root of the number of words, since the likelihood
    takes words for independent, which they are not.
    """

    penalty: float

    def __init__(self, evidence: Evidence, model: CutModel, share: float = 1.0) -> None:
        self._evidence, self._model = evidence, model
        self._share = share  # of the cost, where there are several of the kind
        self._kept: tuple[tuple[Ints, Floats], ...] = ()  # edges and their table, latest first
        self._start_gains: tuple[Ints, int, Floats] | None = None
        self.penalty = share * model.boundary_penalty * sqrt(max(1, evidence.n_tokens))

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of all segments; see :meth:`SegmentCost.table`."""
        n_blocks, m = len(edges) - 1, len(self._evidence)
        width = min(width, n_blocks)
        if m <= _SHORT_TEXT and n_blocks < m:
            return coarser(self.table(np.arange(m + 1), m), edges, width)
        if n_blocks == m <= _CACHED_SENTENCES:
            # Whoever chooses k cuts the text next, or cuts it again: one table does for all.
            self.keep(edges, width)
        known = self._find_kept(edges, width)
        return self._fill(edges, width) if known is None else known[:, :width].copy()

    def keep(self, edges: Ints, width: int) -> None:
        """Fill the table of these edges now, for it is the same whatever k is."""
        width = min(width, len(edges) - 1)
        if self._find_kept(edges, width) is None:
            others = [kept for kept in self._kept if not np.array_equal(kept[0], edges)]
            # Threads that come here at a time fill the same table; one of theirs stays.
            kept = (edges, self._fill(edges, width))
            self._kept = (kept, *others)[:_MAX_KEPT_TABLES]

    def _find_kept(self, edges: Ints, width: int) -> Floats | None:
        for known, table in self._kept:
            if table.shape[1] >= width and np.array_equal(known, edges):
                return table
        return None

    def start_gains(self, units: Ints, block_size: int) -> Floats:
        """Return what a boundary before each unit gains; see :meth:`SegmentCost.start_gains`."""
        known = self._start_gains
        if known is None or known[1] != block_size or not np.array_equal(known[0], units):
            gains = self._find_start_gains(units, block_size)
            self._start_gains = known = units, block_size, gains
        return known[2]

    def _find_start_gains(self, units: Ints, block_size: int) -> Floats:
        uses, weight_before = self._index.in_blocks(units), self._index.weight_before[units]
        pairs_of_blocks = np.diff(weight_before[:: 2 * block_size], append=weight_before[-1])
        size_costs = _size_costs(np.arange(2 * pairs_of_blocks.max() + 2), self._sum_priors)
        gains = split_gains(uses, self._f, size_costs, weight_before, block_size)
        n_blocks = -(-len(gains) // block_size)
        scale = self._model.expectation_scale(self._evidence.n_tokens, n_blocks)
        return gains * (self._share / scale)

    def _fill(self, edges: Ints, width: int) -> Floats:
        n_blocks, n_priors = len(edges) - 1, len(self._model.priors)
        uses, f = self._index.in_blocks(edges), self._f
        is_common = (np.bincount(uses.root) > _COMMON_SHARE * n_blocks)[uses.root]
        costs = sum_over_pairs(uses.where(~is_common), f, (n_blocks, width))
        weight, counts = count_roots(uses.where(is_common), n_blocks)
        root_ends, root_starts = cumulative_sums(counts, width)
        ends, starts = cumulative_sums(np.diff(self._index.weight_before[edges]), width)
        for rows, columns in row_groups(costs.shape, max(n_priors, len(weight))):
            part = _size_costs(ends[rows] - starts[rows, columns], self._sum_priors)
            if len(weight):
                often = root_ends[:, rows] - root_starts[:, rows, columns]
                part -= (weight @ f.take(often).reshape(len(weight), -1)).reshape(part.shape)
            np.subtract(part, costs[rows, columns], out=costs[rows, columns])
        if self._share != 1:
            costs *= self._share
        return costs

    def between(self, first: int, end: int) -> DirichletCost:
        """Return the cost of the words that two of these sentences share."""
        return DirichletCost(self._evidence.between(first, end), self._model, self._share)

    def affordable_cells(self, block_size: int) -> int:
        """Return how large a table may be, by what it takes to fill."""
        share = self._index.n_sentences_with * block_size / len(self._evidence)  # of blocks
        # What is not counted in every segment is counted in pairs of blocks, which take longer.
        counts_per_cell = np.minimum(_COUNTS_PER_PAIR * share**2, 1).sum()
        return int(min(_AFFORDABLE_CELLS, _AFFORDABLE_COUNTS / max(counts_per_cell, 1)))

    @cached_property
    def _index(self) -> RootIndex:
        return RootIndex(self._evidence)

    @cached_property
    def _f(self) -> Floats:
        """What a root gives that stands 0, 1, ... times in a segment."""
        return _log_rising(self._index.highest_count, self._model.priors)

    @cached_property
    def _sum_priors(self) -> Floats:
        return max(float(self._evidence.weight.sum()), 1e-9) * np.array(self._model.priors)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again, so that a pickle has no more than it needs."""
        made = {name: self.__dict__[name] for name in ("_evidence", "_model", "_share", "penalty")}
        return {**made, "_kept": (), "_start_gains": None}


def _size_costs(sizes: Floats, sums: Floats) -> Floats:
    """Return log G(n + V a) - log G(V a), averaged over the priors, of which `sums` are the V a."""
    costs = np.zeros(sizes.shape)
    for va in sums[sums < _STIRLING_FROM]:
        costs += gammaln(sizes + va)
    for log_gamma in _log_gamma(np.add.outer(sums[sums >= _STIRLING_FROM], sizes)):
        costs += log_gamma
    costs -= sum(gammaln(sums))
    costs /= len(sums)
    return costs


def _log_gamma(x: Floats) -> Floats:
    """Return log G(x) by Stirling's series, which has 11 digits for large x."""
    y = 1 / x
    square = y * y
    series = square * (-1 / 1680)
    for coefficient in (1 / 1260, -1 / 360):
        series += coefficient
        series *= square
    series += 1 / 12
    series *= y
    series += 0.5 * np.log(2 * np.pi)
    result = np.log(x)
    result *= x - 0.5
    result -= x
    result += series
    return result


def _log_rising(highest: int, priors: Sequence[float]) -> Floats:
    """Return log G(n + a) - log G(a) for n from 0 to `highest`, averaged over the priors."""
    steps = np.add.outer(np.array(priors), np.arange(highest))
    return np.concatenate([[0.0], np.cumsum(np.log(steps).mean(axis=0))])

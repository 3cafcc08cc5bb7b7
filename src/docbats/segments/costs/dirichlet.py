"""The likelihood of a segment's words: how badly one source of words explains all of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.tables import cumulative_sums, row_groups

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.segments.cut_model import CutModel
    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["DirichletCost"]

_CACHED_SENTENCES = 256  # texts of up to so many keep their table of costs: a megabyte at most
_COMMON_SHARE = 0.3  # of the blocks: a root in more of them is counted in each segment
_PAIRS_AT_A_TIME = 8_192  # more would leave the processor's cache
_PAIRS_PER_SUM = 1_000_000  # that are summed by themselves: sums of sums lose less to rounding
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

    def __init__(self, evidence: Evidence, model: CutModel, share: float = 1.0) -> None:
        self._evidence, self._model = evidence, model
        self._share = share  # of the cost, where there are several of the kind
        self._known: Floats | None = None
        self.penalty = share * model.boundary_penalty * sqrt(max(1, evidence.n_tokens))

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of all segments; see :meth:`SegmentCost.table`."""
        n_blocks, m = len(edges) - 1, len(self._evidence)
        width = min(width, n_blocks)
        if n_blocks < m or m > _CACHED_SENTENCES:
            return self._fill(edges, width)
        # Whoever chooses k cuts the text next, or cuts it again: one table does for all.
        if self._known is None or self._known.shape[1] < width:
            self._known = self._fill(edges, width)
        return self._known[:, :width].copy()

    def _fill(self, edges: Ints, width: int) -> Floats:
        table = _fill(self._evidence, self._model.priors, edges, width)
        if self._share != 1:
            table *= self._share
        return table

    def between(self, first: int, end: int) -> DirichletCost:
        """Return the cost of the words that two of these sentences share."""
        return DirichletCost(self._evidence.between(first, end), self._model, self._share)

    def affordable_cells(self, block_size: int) -> int:
        """Return how large a table may be, by what it takes to fill."""
        evidence = self._evidence
        share = np.bincount(evidence.root) * block_size / len(evidence)  # of blocks with a root
        # What is not counted in every segment is counted in pairs of blocks, which take longer.
        counts_per_cell = np.minimum(_COUNTS_PER_PAIR * share**2, 1).sum()
        return int(min(_AFFORDABLE_CELLS, _AFFORDABLE_COUNTS / max(counts_per_cell, 1)))


def _fill(evidence: Evidence, priors: tuple[float, ...], edges: Ints, width: int) -> Floats:
    n_blocks = len(edges) - 1
    uses = _merge(evidence, edges)
    f = _log_rising(int(np.bincount(uses.root, uses.count).max(initial=0)), priors)
    is_common = (np.bincount(uses.root) > _COMMON_SHARE * n_blocks)[uses.root]
    costs = _sum_over_pairs(uses.where(~is_common), f, (n_blocks, width))
    weight, counts = _count_roots(uses.where(is_common), n_blocks)
    root_ends, root_starts = cumulative_sums(counts, width)
    weighted = np.bincount(uses.block, uses.weight * uses.count, minlength=n_blocks)
    ends, starts = cumulative_sums(weighted, width)
    sum_priors = max(float(evidence.weight.sum()), 1e-9) * np.array(priors)
    for rows, columns in row_groups(costs.shape, max(len(priors), len(weight))):
        part = _size_costs(ends[rows] - starts[rows, columns], sum_priors)
        if len(weight):
            often = root_ends[:, rows] - root_starts[:, rows, columns]
            part -= (weight @ f.take(often).reshape(len(weight), -1)).reshape(part.shape)
        np.subtract(part, costs[rows, columns], out=costs[rows, columns])
    return costs


@dataclass(frozen=True, eq=False)
class _Uses:
    """How often a root stands in a block, and its weight; sorted by root, then by block."""

    root: Ints
    block: Ints
    count: Ints
    weight: Floats

    def where(self, these: NDArray[np.bool_]) -> _Uses:
        return _Uses(self.root[these], self.block[these], self.count[these], self.weight[these])


def _merge(evidence: Evidence, edges: Ints) -> _Uses:
    """Count the roots of each block."""
    root, count = evidence.root, evidence.count
    block = np.repeat(np.arange(len(edges) - 1), np.diff(edges))[evidence.sentence]
    if len(edges) - 1 < len(evidence) and root.size:
        new = np.flatnonzero(np.diff(root, prepend=-1) | np.diff(block, prepend=-1))
        root, block, count = root[new], block[new], np.add.reduceat(count, new)
    return _Uses(root, block, count, evidence.weight[root])


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


def _count_roots(uses: _Uses, n_blocks: int) -> tuple[Floats, Ints]:
    """Return the weight of each root, and how often it stands in each block."""
    new = np.diff(uses.root, prepend=-1) > 0
    counts = np.zeros((np.count_nonzero(new), n_blocks), np.int64)
    counts[np.cumsum(new) - 1, uses.block] = uses.count
    return uses.weight[new], counts


def _sum_over_pairs(uses: _Uses, f: Floats, shape: tuple[int, ...]) -> Floats:
    """Sum f of the count of each root in each segment, without visiting segments.

    For one root, f(its count in a segment) is a sum over the pairs of blocks in the segment that
    hold the root, of f's second difference over the two: what the segment from the one to the
    other has beyond those that are one block shorter. Running sums spread that over all segments.
    """
    n_blocks, width = shape
    block, count = uses.block, uses.count
    upto = np.cumsum(count)
    places = uses.root * (n_blocks + width) + block
    # Each is paired with itself and with those less than `width` after it.
    partners = np.searchsorted(places, places + width) - np.arange(len(places))
    sums = np.zeros(shape)
    for group in _groups(partners, _PAIRS_PER_SUM):
        table = np.zeros(n_blocks * width) if group.start else sums.reshape(-1)
        for few in _groups(partners[group.start : group.stop], _PAIRS_AT_A_TIME):
            first, last = _pairs(partners, group[few.start : few.stop])
            in_first, in_last = count[first], count[last]
            without_first = upto[last] - upto[first]
            between = without_first + in_first
            gain = f[between] - f[without_first] - f[between - in_last]
            gain += f[np.maximum(without_first - in_last, 0)]
            gain *= uses.weight[first]
            np.add.at(table, block[last] * (width + 1) - block[first], gain)
        if group.start:
            sums += table.reshape(shape)
    for part in row_groups(shape):
        np.cumsum(sums[part], axis=1, out=sums[part])
    for above, row in zip(sums[:-1, :-1], sums[1:, 1:], strict=True):
        np.add(row, above, out=row)
    return sums


def _groups(sizes: Ints, limit: int) -> Iterator[range]:
    """Group neighbours so that their sizes add up to at most `limit`, if they are not one alone."""
    upto = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(sizes):
        end = int(np.searchsorted(upto, upto[begin] + limit, side="right")) - 1
        end = max(end, begin + 1)
        yield range(begin, end)
        begin = end


def _pairs(partners: Ints, group: range) -> tuple[Ints, Ints]:
    """Pair each of a group with itself and with those after it, as many as it has partners."""
    sizes = partners[group.start : group.stop]
    first = np.repeat(np.arange(group.start, group.stop), sizes)
    begin = np.cumsum(sizes) - sizes
    return first, first + np.arange(len(first)) - np.repeat(begin, sizes)

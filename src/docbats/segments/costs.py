"""What a segment costs: how badly one source of words explains all of its words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.special import gammaln

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["add_up", "block_costs", "prior_costs"]

_SHORT = 256  # sentences of a text whose table of costs is kept
_COMMON = 0.3  # of the blocks: a root in more of them is counted in each segment
_AT_A_TIME = 1_000_000  # numbers held in memory before they are added up
_CACHED = 16_384  # numbers that a processor holds at hand


def block_costs(evidence: Evidence, edges: Ints, width: int) -> Floats:
    """Minus the log marginal likelihood of the words of each segment.

    `edges` are the first sentence of each block and the number of sentences; a segment is a run of
    at most `width` blocks. In the table ``costs[j, l]`` is the segment of l + 1 blocks of which
    block j is the last; those that would begin before the text mean nothing.

    J. Eisenstein and R. Barzilay, "Bayesian Unsupervised Topic Segmentation", EMNLP 2008: words are
    drawn from a distribution of the segment's own, which is integrated out under a symmetric
    Dirichlet prior a. With n_w of a segment's n words being w, V words in all and G the gamma
    function, the cost is ``log G(n + V a) - log G(V a) - sum_w (log G(n_w + a) - log G(a))``;
    here each word counts by its weight, and the costs under several priors are averaged.
    """
    n_blocks = len(edges) - 1
    width = min(width, n_blocks)
    if n_blocks < len(evidence) or n_blocks > _SHORT:
        return _fill(evidence, edges, width)
    # Whoever chooses k cuts the text next, or cuts it again: one table does for all.
    known = [table for table in evidence.tables if table.shape[1] >= width]
    if not known:
        known = [_fill(evidence, edges, width)]
        evidence.tables[:] = known
    return known[0][:, :width].copy()


def _fill(evidence: Evidence, edges: Ints, width: int) -> Floats:
    n_blocks = len(edges) - 1
    uses = _merge(evidence, edges)
    weighted = np.bincount(uses.block, uses.weight * uses.count, minlength=n_blocks)
    priors = evidence.model.priors
    costs = _size_costs(add_up(weighted, width), float(evidence.weight.sum()), priors)
    if not uses.root.size:
        return costs
    f = _log_rising(int(np.bincount(uses.root, uses.count).max()), priors)
    common = (np.bincount(uses.root) > _COMMON * n_blocks)[uses.root]
    if common.any():
        _subtract_common(costs, uses.where(common), f)
    if not common.all():
        costs -= _sum_over_pairs(uses.where(~common), f, costs.shape)
    return costs


def prior_costs(evidence: Evidence, edges: Ints, width: int, k: int) -> Floats:
    """Tell what to add for the length of each segment and for how its first sentence begins.

    Lengths are expected to scatter around the mean by a factor, the first one around less than the
    mean. The likelihood takes words for independent, which they are not: it is too sure of itself,
    the more so the more words a segment has. So the prior counts in proportion to the words.
    """
    model = evidence.model
    width = min(width, len(edges) - 1)
    words = np.add.reduceat(evidence.sizes, edges[:-1])
    costs = add_up(words * (k / words.sum()), width)
    np.log(costs, out=costs)
    whole = np.arange(width)  # the segments that begin with the text end with block 0, 1, ...
    first = model.first_length * (costs[whole, whole] - np.log(model.first_share)) ** 2
    costs *= costs
    costs *= model.length
    costs[whole, whole] = first
    openings = evidence.openings[edges[:-1]]
    openings[0] = 0  # the text has to begin somehow
    # Nothing begins before the text.
    costs -= _windows(np.concatenate([np.full(width - 1, -np.inf), openings]), width)
    if model.reference is not None:
        costs *= max(evidence.mass, 1) / k / model.reference
    return costs


def add_up(sizes: NDArray[np.float64 | np.int64], width: int) -> Floats:
    """Add up the sizes of the blocks of each segment; laid out as costs are."""
    ends = np.concatenate([np.zeros(width), np.cumsum(sizes)])
    return np.asarray(ends[width:, None] - _windows(ends[:-1], width))


def _windows(values: Floats, width: int) -> Floats:
    """Lay out what stands at the first block of each segment."""
    return sliding_window_view(values, width)[:, ::-1]


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


def _size_costs(sizes: Floats, roots: float, priors: Sequence[float]) -> Floats:
    """Give log G(n + V a) - log G(V a), averaged over the priors; in the place of the sizes."""
    sums = [max(roots, 1e-9) * a for a in priors]
    for part in _parts(sizes.shape):
        total = sum(_log_gamma(sizes[part] + va, va) for va in sums)
        sizes[part] = (total - sum(gammaln(sums))) / len(sums)
    return sizes


def _parts(shape: tuple[int, ...], layers: int = 1) -> Iterator[tuple[slice, slice]]:
    """Part a table into rows that stay in the cache, without what begins before the text."""
    n_blocks, width = shape
    rows = max(1, _CACHED // (width * layers))
    for j in range(0, n_blocks, rows):
        yield slice(j, j + rows), slice(0, j + rows)


def _log_gamma(x: Floats, least: float) -> Floats:
    """Give log G(x) for x from `least` on, by Stirling's series where that has 11 digits."""
    if least < 8:
        return np.asarray(gammaln(x))
    y = 1 / x
    square = y * y
    series = y * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680))))
    return np.asarray((x - 0.5) * np.log(x) - x + (0.5 * np.log(2 * np.pi) + series))


def _log_rising(most: int, priors: Sequence[float]) -> Floats:
    """Give log G(n + a) - log G(a) for n from 0 to `most`, averaged over the priors."""
    steps = np.add.outer(np.array(priors), np.arange(most))
    return np.concatenate([[0.0], np.cumsum(np.log(steps).mean(axis=0))])


def _subtract_common(costs: Floats, uses: _Uses, f: Floats) -> None:
    """Subtract f of the count of each root in each segment, times its weight."""
    n_blocks, width = costs.shape
    new = np.diff(uses.root, prepend=-1) > 0
    weight = uses.weight[new]
    ends = np.zeros((len(weight), width + n_blocks), np.int64)
    ends[np.cumsum(new) - 1, width + uses.block] = uses.count
    np.cumsum(ends, axis=1, out=ends)
    starts = sliding_window_view(ends[:, :-1], width, axis=1)[..., ::-1]
    for rows, columns in _parts(costs.shape, len(weight)):
        counts = ends[:, width:][:, rows, None] - starts[:, rows, columns]
        summed = weight @ f.take(counts).reshape(len(weight), -1)
        costs[rows, columns] -= summed.reshape(counts.shape[1:])


def _sum_over_pairs(uses: _Uses, f: Floats, shape: tuple[int, ...]) -> Floats:
    """Sum f of the count of each root in each segment, without visiting segments.

    For one root, f(its count in a segment) is a sum over the pairs of blocks in the segment that
    hold the root, of f's second difference over the two: what the segment from the one to the
    other has beyond those that are one block shorter. Running sums spread that over all segments.
    """
    n_blocks, width = shape
    root, block, count = uses.root, uses.block, uses.count
    upto = np.cumsum(count)
    table = np.zeros(0)
    for first, last in _pairs(root * (n_blocks + width) + block, width):
        in_first, in_last = count[first], count[last]
        between = upto[last] - upto[first] + in_first
        without_first = between - in_first
        gain = f[between] - f[without_first] - f[between - in_last]
        gain += f[np.maximum(without_first - in_last, 0)]
        cell = block[last] * (width + 1) - block[first]
        part = np.bincount(cell, gain * uses.weight[first], minlength=n_blocks * width)
        table = np.add(table, part) if table.size else np.asarray(part, np.float64)
    sums = table.reshape(n_blocks, width)
    np.cumsum(sums, axis=1, out=sums)
    for above, row in pairwise(sums):
        row[1:] += above[:-1]
    return sums


def _pairs(places: Ints, width: int) -> Iterator[tuple[Ints, Ints]]:
    """Pair each of the sorted places with itself and those less than `width` after it."""
    partners = np.searchsorted(places, places + width) - np.arange(len(places))
    upto = np.concatenate([[0], np.cumsum(partners)])
    begin = 0
    while begin < len(places):
        end = int(np.searchsorted(upto, upto[begin] + _AT_A_TIME, side="right")) - 1
        end = max(end, begin + 1)
        first = np.repeat(np.arange(begin, end), partners[begin:end])
        yield first, first + np.arange(upto[begin], upto[end]) - upto[first]
        begin = end

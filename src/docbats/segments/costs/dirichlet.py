"""What a segment costs: how badly one source of words explains all of its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaln

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["add_prior_costs", "add_up", "block_costs", "windows"]

_SHORT = 256  # sentences of a text whose table of costs is kept
_COMMON = 0.3  # of the blocks: a root in more of them is counted in each segment
_AT_A_TIME = 8_192  # pairs that are looked at together
_SUMMED = 1_000_000  # pairs that are summed by themselves: sums of sums lose less to rounding
_LARGE = 8  # from here on the logarithm of the gamma function has a fast approximation
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
    priors = evidence.model.priors
    f = _log_rising(int(np.bincount(uses.root, uses.count).max(initial=0)), priors)
    is_common = (np.bincount(uses.root) > _COMMON * n_blocks)[uses.root]
    costs = _sum_over_pairs(uses.where(~is_common), f, (n_blocks, width))
    weight, counts = _count_roots(uses.where(is_common), n_blocks)
    root_ends, root_starts = _sums(counts, width)
    weighted = np.bincount(uses.block, uses.weight * uses.count, minlength=n_blocks)
    ends, starts = _sums(weighted, width)
    sum_priors = max(float(evidence.weight.sum()), 1e-9) * np.array(priors)
    for rows, columns in _parts(costs.shape, max(len(priors), len(weight))):
        part = _size_costs(ends[rows] - starts[rows, columns], sum_priors)
        if len(weight):
            often = root_ends[:, rows] - root_starts[:, rows, columns]
            part -= (weight @ f.take(often).reshape(len(weight), -1)).reshape(part.shape)
        np.subtract(part, costs[rows, columns], out=costs[rows, columns])
    return costs


def add_prior_costs(costs: Floats, evidence: Evidence, edges: Ints, k: int) -> None:
    """Add what the length of each segment costs, and how its first sentence begins.

    Lengths are expected to scatter around the mean by a factor, the first one around less than the
    mean. The likelihood takes words for independent, which they are not: it is too sure of itself,
    the more so the more words a segment has. So the prior counts in proportion to the words.
    """
    model = evidence.model
    width = costs.shape[1]
    words = np.add.reduceat(evidence.sizes, edges[:-1])
    ends, starts = _sums(words * (k / words.sum()), width)
    first = model.first_length * (np.log(ends[:, 0]) - np.log(model.first_share)) ** 2
    start_log_odds = evidence.start_log_odds[edges[:-1]]
    start_log_odds[0] = 0  # the text has to begin somehow
    start_log_odds = _at_starts(np.concatenate([np.zeros(width - 1), start_log_odds, [0]]), width)
    scale = 1.0 if model.reference is None else max(evidence.n_tokens, 1) / k / model.reference
    for rows, columns in _parts(costs.shape):
        part = ends[rows] - starts[rows, columns]
        np.log(part, out=part)
        part *= part
        part *= model.length
        # The segments that begin with the text end with block 0, 1, ...
        whole = np.arange(rows.start, min(rows.stop, width))
        part[whole - rows.start, whole] = first[whole]
        part -= start_log_odds[rows, columns]
        part *= scale
        costs[rows, columns] += part


def add_up(sizes: NDArray[np.float64 | np.int64], width: int) -> NDArray[Any]:
    """Add up the sizes of the blocks of each segment; laid out as costs are."""
    ends, starts = _sums(sizes, width)
    return np.asarray(ends - starts)


def _sums(sizes: NDArray[Any], width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sum sizes up to the end and up to the start of each segment; laid out as costs are."""
    ends = np.zeros((*sizes.shape[:-1], width + sizes.shape[-1]), sizes.dtype)
    np.cumsum(sizes, axis=-1, out=ends[..., width:])
    return ends[..., width:, None], _at_starts(ends, width)


def _at_starts(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Lay out what stands at the first block of each segment."""
    return windows(values, width)[..., :-1, ::-1]


def windows(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Show each `width` neighbours, as NumPy's sliding_window_view does in ten times the time."""
    values = np.ascontiguousarray(values)
    shape = (*values.shape[:-1], values.shape[-1] - width + 1, width)
    return np.ndarray(shape, values.dtype, values, strides=(*values.strides, values.itemsize))


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
    """Give log G(n + V a) - log G(V a), averaged over the priors, of which `sums` are the V a."""
    costs = np.zeros(sizes.shape)
    for va in sums[sums < _LARGE]:
        costs += gammaln(sizes + va)
    for log_gamma in _log_gamma(np.add.outer(sums[sums >= _LARGE], sizes)):
        costs += log_gamma
    costs -= sum(gammaln(sums))
    costs /= len(sums)
    return costs


def _parts(shape: tuple[int, ...], layers: int = 1) -> Iterator[tuple[slice, slice]]:
    """Part a table into rows that stay in the cache, without what begins before the text.

    A large table is slow to come by, so what is worked out on the way to one is only made by parts.
    """
    n_blocks, width = shape
    rows = max(1, _CACHED // (width * layers))
    for j in range(0, n_blocks, rows):
        end = min(j + rows, n_blocks)
        yield slice(j, end), slice(0, end)


def _log_gamma(x: Floats) -> Floats:
    """Give log G(x) by Stirling's series, which has 11 digits for large x."""
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


def _log_rising(most: int, priors: Sequence[float]) -> Floats:
    """Give log G(n + a) - log G(a) for n from 0 to `most`, averaged over the priors."""
    steps = np.add.outer(np.array(priors), np.arange(most))
    return np.concatenate([[0.0], np.cumsum(np.log(steps).mean(axis=0))])


def _count_roots(uses: _Uses, n_blocks: int) -> tuple[Floats, Ints]:
    """Give the weight of each root, and how often it stands in each block."""
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
    for group in _groups(partners, _SUMMED):
        table = np.zeros(n_blocks * width) if group.start else sums.reshape(-1)
        for few in _groups(partners[group.start : group.stop], _AT_A_TIME):
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
    for part in _parts(shape):
        np.cumsum(sums[part], axis=1, out=sums[part])
    for above, row in zip(sums[:-1, :-1], sums[1:, 1:], strict=True):
        np.add(row, above, out=row)
    return sums


def _groups(sizes: Ints, most: int) -> Iterator[range]:
    """Group neighbours so that their sizes add up to at most `most`, if they are not one alone."""
    upto = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(sizes):
        end = int(np.searchsorted(upto, upto[begin] + most, side="right")) - 1
        end = max(end, begin + 1)
        yield range(begin, end)
        begin = end


def _pairs(partners: Ints, group: range) -> tuple[Ints, Ints]:
    """Pair each of a group with itself and with those after it, as many as it has partners."""
    sizes = partners[group.start : group.stop]
    first = np.repeat(np.arange(group.start, group.stop), sizes)
    begin = np.cumsum(sizes) - sizes
    return first, first + np.arange(len(first)) - np.repeat(begin, sizes)

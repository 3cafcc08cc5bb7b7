"""How often each root stands in each block, and sums over that for all segments at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.tables import row_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["RootIndex", "RootUses", "count_roots", "sum_over_pairs"]

_PAIRS_AT_A_TIME = 8_192  # more would leave the processor's cache
_PAIRS_PER_SUM = 1_000_000  # that are summed by themselves: sums of sums lose less to rounding


@dataclass(frozen=True, eq=False)
class RootUses:
    """How often a root stands in a block, and its weight; sorted by root, then by block.

    `before` is how often any root stands before, in this order; the differences are the counts.
    """

    root: Ints
    block: Ints
    count: Ints
    before: Ints
    weight: Floats

    def where(self, these: Bools | Ints) -> RootUses:
        """Return some of the uses."""
        return RootUses(
            self.root[these],
            self.block[these],
            self.count[these],
            self.before[these],
            self.weight[these],
        )


class RootIndex:
    """The evidence, prepared for counting its roots in any blocks of sentences.

    Narrow integers take half of the time and of the memory.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._root = evidence.root.astype(np.int32)
        self._sentence = evidence.sentence.astype(np.int32)
        self._is_first = np.diff(self._root, prepend=-1) != 0
        self._before = np.cumsum(evidence.count) - evidence.count
        self._evidence = evidence

    @cached_property
    def n_sentences_with(self) -> Ints:
        """The number of sentences that have each root."""
        return np.bincount(self._root)

    @cached_property
    def highest_count(self) -> int:
        """How often the commonest root stands in the text."""
        return int(np.bincount(self._root, self._evidence.count).max(initial=0))

    @cached_property
    def weight_before(self) -> Floats:
        """The weighted words before each sentence, and of the whole text."""
        evidence = self._evidence
        weighted = evidence.weight[self._root] * evidence.count
        in_each = np.bincount(self._sentence, weighted, minlength=len(evidence))
        return np.concatenate([[0.0], np.cumsum(in_each)])

    def in_blocks(self, edges: Ints) -> RootUses:
        """Count the roots of each block."""
        evidence, n_blocks = self._evidence, len(edges) - 1
        if n_blocks == len(evidence):
            weight = evidence.weight[self._root]
            return RootUses(evidence.root, evidence.sentence, evidence.count, self._before, weight)
        block_of = np.repeat(np.arange(n_blocks, dtype=np.int32), np.diff(edges))
        block = block_of[self._sentence]
        is_new = self._is_first.copy()
        is_new[1:] |= block[1:] != block[:-1]
        new = np.flatnonzero(is_new)
        root, before = self._root[new].astype(np.int64), self._before[new]
        count = np.diff(before, append=evidence.n_tokens)
        return RootUses(root, block[new].astype(np.int64), count, before, evidence.weight[root])


def count_roots(uses: RootUses, n_blocks: int) -> tuple[Floats, Ints]:
    """Return the weight of each root, and how often it stands in each block."""
    new = np.diff(uses.root, prepend=-1) > 0
    counts = np.zeros((np.count_nonzero(new), n_blocks), np.int64)
    counts[np.cumsum(new) - 1, uses.block] = uses.count
    return uses.weight[new], counts


def sum_over_pairs(uses: RootUses, f: Floats, shape: tuple[int, ...]) -> Floats:
    """Sum f of the count of each root in each segment, without visiting segments.

    For one root, f(its count in a segment) is a sum over the pairs of blocks in the segment that
    hold the root, of f's second difference over the two: what the segment from the one to the
    other has beyond those that are one block shorter. Running sums spread that over all segments.
    """
    n_blocks, width = shape
    sums = np.zeros(shape)
    firsts, partners = _count_partners(uses, n_blocks, width)
    alone = np.ones(len(uses.root), np.bool_)
    alone[firsts] = False
    single = uses.weight[alone] * f[uses.count[alone]]
    sums[:, 0] = np.bincount(uses.block[alone], single, minlength=n_blocks)
    upto = np.cumsum(uses.count)
    before = upto - uses.count
    for group in _groups(partners, _PAIRS_PER_SUM):
        table = np.zeros(n_blocks * width) if group.start else sums.reshape(-1)
        for few in _groups(partners[group.start : group.stop], _PAIRS_AT_A_TIME):
            these = slice(group.start + few.start, group.start + few.stop)
            first, times = firsts[these], partners[these]
            begin = np.cumsum(times) - times
            last = np.repeat(first - begin, times) + np.arange(begin[-1] + times[-1])
            upto_last = upto[last]
            # What the first adds to a segment up to the last; beyond what it adds up to the last
            # but one, which is the entry before.
            added = f[upto_last - np.repeat(before[first], times)]
            added -= f[upto_last - np.repeat(upto[first], times)]
            gain = np.diff(added, prepend=0.0)
            gain[begin] = added[begin]
            gain *= np.repeat(uses.weight[first], times)
            cells = uses.block[last] * (width + 1) - np.repeat(uses.block[first], times)
            np.add.at(table, cells, gain)
        if group.start:
            sums += table.reshape(shape)
    for part in row_groups(shape):
        np.cumsum(sums[part], axis=1, out=sums[part])
    for above, row in zip(sums[:-1, :-1], sums[1:, 1:], strict=True):
        np.add(row, above, out=row)
    return sums


def _count_partners(uses: RootUses, n_blocks: int, width: int) -> tuple[Ints, Ints]:
    """Return the uses that are paired with others, and how many pairs each is the first of.

    A use is paired with itself, and with those of the same root less than `width` blocks after it.
    """
    places = uses.root * (n_blocks + width) + uses.block
    firsts = np.flatnonzero(np.diff(places) < width)
    return firsts, np.searchsorted(places, places[firsts] + width) - firsts


def _groups(sizes: Ints, limit: int) -> Iterator[range]:
    """Group neighbours so that their sizes add up to at most `limit`, if they are not one alone."""
    upto = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(sizes):
        end = int(np.searchsorted(upto, upto[begin] + limit, side="right")) - 1
        end = max(end, begin + 1)
        yield range(begin, end)
        begin = end

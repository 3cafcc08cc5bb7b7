"""Where the author of a document left breaks, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.document import Document

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

__all__ = ["NO_HEADING", "Breaks", "find_breaks", "top_level"]

NO_HEADING = -1
_MIN_TOP_HEADINGS = 3  # of one level, for them to divide the text
_MIN_BLOCKS = 3  # with fewer, breaks tell nothing
_LONG_BLOCK = 40  # sentences; a longer one may be cut inside, unless only breaks may be cut at,
_LONG_BLOCK_SHARE = 0.5  # if it is more than half of the text
_CONTINUES_LAST = frozenset({"list_item", "code", "table"})  # belong to what comes before them


@dataclass(frozen=True, eq=False)
class Breaks:
    """What stands before each sentence; arrays with an entry for each sentence.

    Attributes
    ----------
    block
        The number of its block; they rise along the text.
    may_start
        Whether a segment may begin with it.
    depth
        Of a heading, how far it is below the top-level headings, which have 0; -1 for all others.
    is_certain
        Whether the file says that it is a heading.
    """

    block: Ints
    may_start: Bools
    depth: Ints
    is_certain: Bools

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.block)

    @cached_property
    def opens_block(self) -> Bools:
        """Whether each sentence is the first of its block."""
        return np.diff(self.block, prepend=-1) > 0

    @cached_property
    def section_starts(self) -> Ints:
        """The sentences at which the author's top-level sections begin, 0 among them.

        Only 0 where headings do not divide the text.
        """
        return self._starts_of_levels(1)

    @cached_property
    def subsection_starts(self) -> Ints:
        """The same with the sections of the next level that there is."""
        return self._starts_of_levels(2)

    def _starts_of_levels(self, n_levels: int) -> Ints:
        for headings in (self.is_certain, ~self.is_certain):
            allowed = headings & self.may_start & (self.depth != NO_HEADING)
            if np.count_nonzero(self.depth[allowed] == 0) >= _MIN_TOP_HEADINGS:
                deepest = np.unique(self.depth[allowed])[:n_levels][-1]
                return np.union1d([0], np.flatnonzero(allowed & (self.depth <= deepest)))
        return np.zeros(1, np.int64)

    def between(self, first: int, end: int) -> Breaks:
        """Return the breaks before some sentences."""
        part = slice(first, end)
        return Breaks(
            self.block[part] - self.block[first],
            self.may_start[part],
            self.depth[part],
            self.is_certain[part],
        )


def find_breaks(document: Document, *, strict: bool = False) -> Breaks | None:
    """Return the breaks of a document; None where it has hardly any blocks.

    A segment may begin with the first sentence of a block, but not between a heading and what it
    heads, nor inside a list, code, a table or a quotation, nor with what belongs to the block
    before it. A very long block, and a turn without a speaker, may be cut inside, too, unless that
    is `strict`.
    """
    blocks = document.blocks
    if not blocks:
        return None
    starts = np.array([block.start for block in blocks], np.int64)
    block = np.maximum(np.searchsorted(starts, document.spans[:, 0], side="right") - 1, 0)
    block = np.cumsum(np.diff(block, prepend=block[0]) > 0)  # without those that have no sentence
    number = np.searchsorted(starts, document.spans[:, 0], side="right") - 1
    first = np.flatnonzero(np.diff(block, prepend=-1))
    of_sentence = [blocks[max(0, i)] for i in number[first].tolist()]
    if len(first) < _MIN_BLOCKS:
        return None
    may_start = np.zeros(len(document), np.bool_)
    may_start[first] = _may_start(of_sentence)
    if not strict:
        # Turns of nobody in particular were made of captions, and may be cut wherever they are.
        is_loose = np.array([found.kind == "turn" and not found.speaker for found in of_sentence])
        may_start |= is_loose[block]
        sizes = np.bincount(block)
        is_long = sizes > max(_LONG_BLOCK, _LONG_BLOCK_SHARE * len(document))
        may_start |= is_long[block] & ~np.isin(np.arange(len(document)), first)
    depth = np.full(len(document), NO_HEADING)
    is_certain = np.zeros(len(document), np.bool_)
    for certain in (False, True):
        headings = [
            (sentence, found.level or 1)
            for sentence, found in zip(first.tolist(), of_sentence, strict=True)
            if found.kind == "heading" and found.is_certain == certain
        ]
        if not headings:
            continue
        top = top_level([level for _, level in headings])
        for sentence, level in headings:
            depth[sentence] = max(0, level - top)
            is_certain[sentence] = certain
    return Breaks(block, may_start, depth, is_certain)


def top_level(levels: Sequence[int]) -> int:
    """Return the highest level that three headings have, or the highest of all.

    A single heading above the others is the title of the whole.

    >>> top_level([1, 2, 3, 2, 3, 2])
    2
    """
    count = Counter(levels)
    often = [level for level, uses in count.items() if uses >= _MIN_TOP_HEADINGS]
    return min(often or count)


def _may_start(blocks: Sequence[Block]) -> list[bool]:
    """Whether a segment may begin with each block."""
    allowed = [True]
    for before, block in pairwise(blocks):
        is_inside = block.kind == before.kind and block.kind in {"quote", "contents", "references"}
        follows_heading = before.kind == "heading"
        allowed.append(not (is_inside or follows_heading or block.kind in _CONTINUES_LAST))
    return allowed[: len(blocks)]

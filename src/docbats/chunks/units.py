"""What a text is packed from: its sentences, and the units of them that are kept whole.

A sentence here is a stretch of the text from the end of the one before it, so that white space and
rules go with what follows them, and all stretches tile the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.document import Document

__all__ = [
    "LINE",
    "PLAIN",
    "RECORD",
    "Sentences",
    "Unit",
    "find_sentences",
    "find_units",
    "skip_blank",
    "skip_blank_before",
]

PLAIN, LINE, RECORD = 0, 1, 2
"""Edges of sentences: of no kind, a blank or an escaped line break, the next of several records."""

MAX_LEAD_WORDS = 14  # of a line that leads to what follows it; longer ones are taken for prose
_LEAD_END = re.compile(r"[:：]\s*$")
_PROSE_END = re.compile(r"[.?!;,…。！？；，][\"'”’»)\]*_]*\s*$")
# Records and lines of a text in JSON or the like, written on a single line.
_BLANK_LINE = re.compile(r"[^\S\n]*\n[^\S\n]*\n")
_RECORD_EDGE = re.compile(r"[}\])],(?=\s*[{\[(])")
_ESCAPED_LINES = re.compile(r"(?:\\r)?(?:\\n)+(?=\S)")


@dataclass(frozen=True)
class Unit:
    """Sentences from `first` to before `stop` that belong together.

    Attributes
    ----------
    kind
        That of a block, or ``"list"`` for the items of a list, which are its `parts`.
    level
        Of a heading.
    leads
        Whether it leads to the unit after it: a line that ends in a colon or looks like a heading.
    """

    kind: str
    first: int
    stop: int
    level: int | None = None
    leads: bool = False
    parts: tuple[Unit, ...] = ()


@dataclass(frozen=True)
class Sentences:
    """Where the sentences end, one after the other, and what kind of edge is before each.

    Attributes
    ----------
    ends
        The last is the end of the text.
    block
        The number of the block that each sentence is in, or of what stands between two blocks.
    edges
        What is before each sentence: one of `PLAIN`, `LINE` and `RECORD`.
    """

    ends: NDArray[np.int64]
    block: NDArray[np.int64]
    edges: list[int]


def find_sentences(document: Document) -> Sentences:
    """Return the sentences of a document, none of them in two blocks; they tile the text."""
    text, blocks = document.text, document.blocks
    block_starts = np.array([block.start for block in blocks], np.int64)
    block_ends = np.array([block.end for block in blocks], np.int64)
    ends = document.spans[:, 1].copy()
    if blocks:
        # The last sentence of a block ends with it, whatever marks follow it there.
        inside = np.searchsorted(block_starts, document.spans[:, 0], side="right") - 1
        is_last = np.append(inside[1:] != inside[:-1], True) & (inside >= 0)
        is_last &= document.spans[:, 0] < block_ends[inside]
        ends[is_last] = np.maximum(ends[is_last], block_ends[inside[is_last]])
    records = {match.end() for match in _RECORD_EDGE.finditer(text)}
    lines = {match.end() for match in _ESCAPED_LINES.finditer(text)}
    places = {*ends.tolist(), *records, *lines, *block_starts.tolist(), *block_ends.tolist()}
    edges = sorted({skip_blank_before(text, at) for at in places} - {0})
    stop = skip_blank_before(text, len(text))
    edges = [*(at for at in edges if at < stop), len(text)]
    kinds = [PLAIN, *(_edge_kind(text, at, records, lines) for at in edges[:-1])]
    starts = np.array([skip_blank(text, at) for at in (0, *edges[:-1])], np.int64)
    found = np.searchsorted(block_starts, starts, side="right") - 1
    outside = found < 0
    if blocks:
        outside |= starts >= block_ends[found]
    # What stands between two blocks is a block of its own.
    numbers = np.where(outside, len(blocks) + found + 1, found)
    return Sentences(np.array(edges, np.int64), numbers, kinds)


def _edge_kind(text: str, at: int, records: set[int], lines: set[int]) -> int:
    if at in records:
        return RECORD
    return LINE if at in lines or _BLANK_LINE.match(text, at) else PLAIN


def skip_blank(text: str, offset: int) -> int:
    """Return where the white space from a place on ends."""
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def skip_blank_before(text: str, offset: int) -> int:
    """Return where the white space before a place begins."""
    while offset and text[offset - 1].isspace():
        offset -= 1
    return offset


def find_units(document: Document, sentences: Sentences) -> list[Unit]:
    """Return the units of a document, which tile its sentences."""
    return list(_join_lists(_block_units(document, sentences)))


def _block_units(document: Document, sentences: Sentences) -> list[Unit]:
    block, blocks = sentences.block, document.blocks
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    units = []
    for first, stop in pairwise(edges):
        number = int(block[first])
        if number >= len(blocks):
            units.append(Unit("paragraph", first, stop))
            continue
        each = blocks[number]
        leads = each.kind != "heading" and _leads(document.text, each)
        level = (each.level or 1) if each.kind == "heading" else None
        units.append(Unit(each.kind, first, stop, level, leads))
    return units


def _leads(text: str, block: Block) -> bool:
    """Whether a block only announces what follows it."""
    written = text[block.start : block.end]
    if _LEAD_END.search(written):
        return True
    if block.kind != "paragraph" or "\n" in written.strip() or _PROSE_END.search(written):
        return False
    return 0 < len(written.split()) <= MAX_LEAD_WORDS and len(written) <= 12 * MAX_LEAD_WORDS


def _join_lists(units: list[Unit]) -> Iterator[Unit]:
    """Make one unit of the items of each list."""
    items: list[Unit] = []
    for unit in units:
        if unit.kind == "list_item":
            items.append(unit)
            continue
        yield from _list(items)
        items = []
        yield unit
    yield from _list(items)


def _list(items: list[Unit]) -> Iterator[Unit]:
    if len(items) > 1:
        yield Unit("list", items[0].first, items[-1].stop, parts=tuple(items))
    else:
        yield from items

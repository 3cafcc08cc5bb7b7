"""What chunks consist of: units that are kept whole, and parts of those that do not fit."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.segments.sizes import clause_ends, split_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.chunks.sizes import Sizes
    from docbats.text.languages.language import Language

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


KEPT_WHOLE = frozenset({"table", "code", "list_item"})

_BLANKS = re.compile(r"(?<=\S)(?=\s)")


@dataclass(frozen=True)
class CutCosts:
    """What it costs to begin a chunk at a place; an empty chunk would cost 1.

    Attributes
    ----------
    heading
        Before a heading: a gain if negative. Larger: more chunks hold the end of one section and
        the beginning of the next.
    unit
        Before a paragraph, a list and so on.
    item
        Between the items of a list that is too large for a chunk.
    sentence
        Between the sentences of a paragraph that is too large for a chunk.
    clause, word
        Inside a sentence that is too large for a chunk.
    lead
        After a line that leads to what follows it.
    after_heading
        Only where nothing else is possible.
    """

    heading: float = -0.25
    unit: float = 0.1
    item: float = 0.3
    sentence: float = 0.5
    clause: float = 3.0
    word: float = 6.0
    letter: float = 50.0
    lead: float = 1.0
    after_heading: float = 1e6


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, from the end of the piece before it, that is not divided.

    Attributes
    ----------
    start
        Where what can be seen of it begins.
    size
        By what a chunk grows with it, the white space before it included.
    gap
        The size of that white space, which a chunk that begins with it does not have.
    cut
        What it costs to begin a chunk with it.
    reach
        Where a chunk that begins with it begins, if that is before it: it is the rest of a table
        or the like, whose beginning has to stand under its heading, and which a chunk has room for.
    before
        The size of what is repeated so.
    """

    start: int
    end: int
    size: float
    gap: float
    cut: float
    reach: int | None = None
    before: float = 0.0


class PieceMaker:
    """Makes the pieces of one text.

    Parameters
    ----------
    sentences
        Of the text.
    sizes
        What measures texts.
    whole
        How large a chunk may be at most.
    room
        Of a chunk that begins at a character, how much room there is beside what goes before it.
    """

    def __init__(
        self,
        text: str,
        sentences: Sentences,
        sizes: Sizes,
        *,
        whole: float,
        room: Callable[[int], float],
        costs: CutCosts,
        language: Language,
    ) -> None:
        self._text = text
        self._ends = [0, *sentences.ends.tolist()]
        by_edge = {PLAIN: costs.sentence, LINE: costs.item, RECORD: costs.unit}
        self._sentence_costs = [by_edge[edge] for edge in sentences.edges]
        self._sizes = sizes
        self._edge = sizes("")
        self._whole = max(1.0, whole)
        self._room = room
        self._costs = costs
        self._language = language
        self._gaps: dict[str, float] = {}
        self._totals = np.concatenate([[0.0], np.cumsum(self._measure(self._ends))]).tolist()

    def make(self, units: Sequence[Unit]) -> list[Piece]:
        """Return the pieces of units that tile the text."""
        pieces: list[Piece] = []
        glued = 0.0  # the size of the headings right before
        before: Unit | None = None
        for unit in units:
            begin = self._ends[unit.first]
            gap = self.gap(begin, self._visible(begin))
            if before is None or before.kind != "heading":
                glued = -gap
            cut = _cost(before, unit, self._costs)
            room = max(1.0, self._whole - glued - gap)
            first = unit.parts[0] if unit.parts else unit
            own = self._unit(unit, room, cut)
            if before is not None and before.kind == "heading" and first.kind in KEPT_WHOLE:
                own = self._repeating(own, first)
            pieces += own
            glued += self._size(unit.first, unit.stop)
            before = unit
        return pieces

    def _repeating(self, pieces: list[Piece], unit: Unit) -> list[Piece]:
        """Let what is left of a unit that its heading divides repeat its beginning.

        So the unit is whole in the chunk after that of its heading.
        """
        begin, end = self._ends[unit.first], self._ends[unit.stop]
        inside = [piece for piece in pieces if piece.end <= end]
        size = self._size(unit.first, unit.stop)
        if len(inside) < 2 or not self._fits(begin, size, self._whole):
            return pieces
        head, rest = inside[0], inside[1:]
        joined = Piece(
            rest[0].start,
            end,
            sum(piece.size for piece in rest),
            rest[0].gap,
            rest[0].cut,
            head.start,
            head.size - head.gap + rest[0].gap,
        )
        return [head, joined, *pieces[len(inside) :]]

    def divide(self, piece: Piece, begin: int) -> list[Piece]:
        """Return parts of a piece that turned out too large; itself where it cannot be divided."""
        first, stop = bisect_right(self._ends, begin), bisect_left(self._ends, piece.end)
        if first < stop:
            edges = [begin, *self._ends[first:stop], piece.end]
            costs = [piece.cut, *self._sentence_costs[first:stop]]
            return [
                self._piece(a, b, size, cost)
                for (a, b), size, cost in zip(
                    pairwise(edges), self._measure(edges), costs, strict=True
                )
            ]
        room = max(1.0, min(self._room(piece.start), piece.size) * 0.75)
        return self._inside(begin, piece.end, room, piece.cut)

    def gap(self, begin: int, start: int) -> float:
        """Return by how much a text grows with the white space between two visible characters."""
        blank = self._text[begin:start]
        if not blank or not begin:
            return 0.0
        if blank not in self._gaps:
            joined, apart = self._sizes(f"a{blank}a"), 2 * self._sizes("a") - self._edge
            self._gaps[blank] = float(max(0, joined - apart))
        return self._gaps[blank]

    def _measure(self, edges: Sequence[int]) -> list[float]:
        """Return the size of what is between each two places, with the white space before it."""
        starts = [min(self._visible(begin), end) for begin, end in pairwise(edges)]
        written = [
            self._text[start:end].rstrip() for start, end in zip(starts, edges[1:], strict=True)
        ]
        return [
            max(0, size - self._edge) + self.gap(begin, start)
            for size, begin, start in zip(
                self._sizes.many(written), edges[:-1], starts, strict=True
            )
        ]

    def _size(self, first: int, stop: int) -> float:
        """Return the size of some sentences."""
        return float(self._totals[stop] - self._totals[first])

    def _fits(self, begin: int, size: float, room: float) -> bool:
        return size - self.gap(begin, self._visible(begin)) <= room

    def _visible(self, offset: int) -> int:
        return skip_blank(self._text, offset)

    def _piece(self, begin: int, end: int, size: float, cut: float) -> Piece:
        start = min(self._visible(begin), end)
        return Piece(start, end, size, self.gap(begin, start), cut)

    def _unit(self, unit: Unit, room: float, cut: float) -> list[Piece]:
        """Return a unit as one piece if it fits, else its parts."""
        size = self._size(unit.first, unit.stop)
        if self._fits(self._ends[unit.first], size, room):
            return [self._piece(self._ends[unit.first], self._ends[unit.stop], size, cut)]
        pieces: list[Piece] = []
        if unit.parts:
            for part in unit.parts:
                own = self._whole if pieces else room
                pieces += self._unit(part, own, self._costs.item if pieces else cut)
            return pieces
        for i in range(unit.first, unit.stop):
            begin, end = self._ends[i], self._ends[i + 1]
            size = self._size(i, i + 1)
            cost = self._sentence_costs[i] if pieces else cut
            if self._fits(begin, size, self._whole if pieces else room):
                pieces.append(self._piece(begin, end, size, cost))
            else:
                own = self._room(self._visible(begin))
                pieces += self._inside(begin, end, own if pieces else min(own, room), cost)
        return pieces

    def _inside(self, begin: int, end: int, room: float, cut: float) -> list[Piece]:
        """Split a sentence at clauses, what is too large of these at words, and then at letters."""
        pieces: list[Piece] = []
        clauses = clause_ends(self._text[begin:end], self._language)
        for a, b, size in self._parts(begin, end, clauses):
            cost = self._costs.clause if pieces else cut
            if self._fits(a, size, room):
                pieces.append(self._piece(a, b, size, cost))
                continue
            words = [match.start() for match in _BLANKS.finditer(self._text[a:b])]
            for c, d, own in self._parts(a, b, words):
                if self._fits(c, own, room):
                    pieces.append(self._piece(c, d, own, cost))
                else:
                    pieces += self._letters(c, d, room, cost)
                cost = self._costs.word
        return pieces

    def _parts(self, begin: int, end: int, inner: Sequence[int]) -> list[tuple[int, int, float]]:
        """Return the parts between some places of a stretch, counted from its beginning."""
        places = {skip_blank_before(self._text, begin + at) for at in inner}
        edges = [begin, *sorted(at for at in places if begin < at < end), end]
        sizes = self._measure(edges)
        return [(a, b, size) for (a, b), size in zip(pairwise(edges), sizes, strict=True)]

    def _letters(self, begin: int, end: int, room: float, cut: float) -> list[Piece]:
        """Split a word that is too large by itself."""
        start = self._visible(begin)
        word = self._text[start:end].rstrip()
        document = Document(word, np.array([[0, len(word)]]))
        largest = max(1, int(room)) + self._edge
        inner = split_long(document, largest, self._sizes, self._language).spans[1:, 0].tolist()
        return [
            self._piece(a, b, size, self._costs.letter if i else cut)
            for i, (a, b, size) in enumerate(
                self._parts(begin, end, [start - begin + at for at in inner])
            )
        ]


def _cost(before: Unit | None, unit: Unit, costs: CutCosts) -> float:
    """Return what a cut between two units costs."""
    if before is None:
        return 0.0
    if before.kind == "heading":
        return costs.after_heading
    if unit.kind == "heading":
        return costs.heading
    return costs.lead if before.leads else costs.unit

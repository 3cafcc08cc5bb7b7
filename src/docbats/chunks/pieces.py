"""Pieces that chunks are packed from: passages that stay whole, and parts of those too large.

A document is cut into sentences, sentences are grouped into passages (a paragraph, a table, a
list), and a passage that is too large for a chunk is divided into items, sentences, clauses, words
and finally characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.segments.sizes import clause_ends, split_long

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.chunks.sizes import Sizes
    from docbats.text.languages.language import Language

PLAIN, LINE, RECORD, HEADER = 0, 1, 2, 3
"""Edges between sentences: an ordinary one, a blank or escaped line break, the next record, one in
the header of a table or after it."""
MAX_LEAD_WORDS = 14  # of a line that leads to what follows it; longer ones are prose
KEPT_WHOLE = frozenset({"table", "code", "list_item"})

_LEAD_END = re.compile(r"[:：]\s*$")
_PROSE_END = re.compile(r"[.?!;,…。！？；，][\"'”’»)\]*_]*\s*$")
_BLANK_LINE = re.compile(r"[^\S\n]*\n[^\S\n]*\n")
# Records and lines of JSON or the like, written on a single line.
_RECORD_EDGE = re.compile(r"[}\])],(?=\s*[{\[(])")
_ESCAPED_LINES = re.compile(r"(?:\\r)?(?:\\n)+(?=\S)")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
_RULE = re.compile(r"(?=.*(?:--|==|[|+:]\s*[-=]))[-=|+:\s]+")  # a line below the header of a table
_LINE_END = re.compile(r"\r\n?|\n")
_MAX_HEADER_LINES = 5  # if larger, rows may be mistaken for a header where a rule is below them


def skip_blank(text: str, offset: int) -> int:
    """Return the end of the white space that begins at `offset`."""
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def skip_blank_before(text: str, offset: int) -> int:
    """Return the beginning of the white space that ends at `offset`."""
    while offset and text[offset - 1].isspace():
        offset -= 1
    return offset


@dataclass(frozen=True)
class TableHeader:
    """The header of the table ``text[start:stop]``, with its rule if it has one, up to `end`."""

    start: int
    end: int
    stop: int


def find_table_headers(document: Document) -> list[TableHeader]:
    """Return the headers of all tables: the rows above a rule, or else the first row with cells."""
    headers = []
    for block in document.blocks:
        if block.kind == "table":
            end = _header_end(document.text, block)
            if end is not None:
                headers.append(TableHeader(block.start, end, block.end))
    return headers


def _header_end(text: str, block: Block) -> int | None:
    """Return where the header of a table ends; None if it has none, or nothing below it."""
    edges = [block.start]
    while len(edges) <= _MAX_HEADER_LINES and edges[-1] < block.end:
        found = _LINE_END.search(text, edges[-1], block.end)
        edges.append(block.end if found is None else found.end())
    lines = [text[a:b].strip("\r\n") for a, b in pairwise(edges)]
    rules = [i for i, line in enumerate(lines) if _RULE.fullmatch(line)]
    if rules[:1] == [0]:  # above the header
        rules = rules[1:]
    cells = (
        i for i, line in enumerate(lines) if len(list(filter(str.strip, line.split("\t")))) > 1
    )
    last = rules[0] if rules else next(cells, None)
    if last is None:
        return None
    end = edges[last] + len(lines[last].rstrip())
    return end if text[end : block.end].strip() else None


@dataclass(frozen=True)
class Sentences:
    """Sentences that tile a text: where each ends, its block, and the kind of edge before it."""

    ends: NDArray[np.int64]  # the last at the end of the text
    block: NDArray[np.int64]  # the number of the block, or of the gap between two blocks
    edges: list[int]  # PLAIN, LINE, RECORD or HEADER


def find_sentences(document: Document) -> Sentences:
    """Return the sentences of a document, none of them in two blocks."""
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
    headers = find_table_headers(document)
    offsets = {*ends.tolist(), *records, *lines, *block_starts.tolist(), *block_ends.tolist()}
    offsets.update(header.end for header in headers)
    edges = sorted({skip_blank_before(text, at) for at in offsets} - {0})
    stop = skip_blank_before(text, len(text))
    edges = [*(at for at in edges if at < stop), len(text)]
    kinds = [PLAIN, *(_edge_kind(text, at, records, lines) for at in edges[:-1])]
    for header in headers:  # between its lines, and before the first row
        for i in range(bisect_right(edges, header.start), bisect_right(edges, header.end)):
            kinds[i + 1] = HEADER
    starts = np.array([skip_blank(text, at) for at in (0, *edges[:-1])], np.int64)
    found = np.searchsorted(block_starts, starts, side="right") - 1
    outside = found < 0
    if blocks:
        outside |= starts >= block_ends[found]
    # Text between two blocks gets its own number.
    numbers = np.where(outside, len(blocks) + found + 1, found)
    return Sentences(np.array(edges, np.int64), numbers, kinds)


def _edge_kind(text: str, at: int, records: set[int], lines: set[int]) -> int:
    if at in records:
        return RECORD
    return LINE if at in lines or _BLANK_LINE.match(text, at) else PLAIN


@dataclass(frozen=True)
class Passage:
    """Sentences from `first` to before `stop` that belong together."""

    # Of its block, or "list" for several list items, which are its parts; so are the paragraphs of
    # what one speaker says.
    kind: str
    first: int
    stop: int
    leads: bool = False  # to the next passage: it ends in a colon or looks like a heading
    parts: tuple[Passage, ...] = ()
    speaker: str | None = None
    n_header: int = 0  # sentences of the header of a table


def find_passages(document: Document, sentences: Sentences) -> list[Passage]:
    """Return the passages of a document, which tile its sentences."""
    passages: list[Passage] = []
    for (is_item, speaker), group in groupby(
        _block_passages(document, sentences),
        lambda passage: (passage.kind == "list_item", passage.speaker),
    ):
        found = list(group)
        if (is_item or speaker) and len(found) > 1:
            kind = "list" if is_item else "turn"
            found = [Passage(kind, found[0].first, found[-1].stop, parts=tuple(found))]
        passages += found
    return passages


def _block_passages(document: Document, sentences: Sentences) -> list[Passage]:
    block, blocks = sentences.block, document.blocks
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    passages = []
    for first, stop in pairwise(edges):
        number = int(block[first])
        if number >= len(blocks):
            passages.append(Passage("paragraph", first, stop))
        else:
            each = blocks[number]
            leads = _leads(document.text, each)
            header = sentences.edges[first + 1 : stop].count(HEADER) if each.kind == "table" else 0
            passages.append(
                Passage(each.kind, first, stop, leads, speaker=each.speaker, n_header=header)
            )
    return passages


def _leads(text: str, block: Block) -> bool:
    """Whether a block only announces what follows it."""
    written = text[block.start : block.end]
    if block.kind == "heading":
        return False
    if _LEAD_END.search(written):
        return True
    if block.kind != "paragraph" or "\n" in written.strip() or _PROSE_END.search(written):
        return False
    return 0 < len(written.split()) <= MAX_LEAD_WORDS and len(written) <= 12 * MAX_LEAD_WORDS


@dataclass(frozen=True)
class CutCosts:
    """The cost of beginning a chunk at each kind of place; an empty chunk would cost 1."""

    heading: float = -0.25  # a gain; with a larger one, more chunks have parts of two sections
    unit: float = 0.1  # before a paragraph, a list and so on
    item: float = 0.3  # between the items of a list that is too large for a chunk
    sentence: float = 0.5  # between the sentences of a paragraph that is too large for a chunk
    clause: float = 3.0  # inside a sentence that is too large for a chunk
    word: float = 6.0
    header: float = 20.0  # in the header of a table, or right after it
    letter: float = 50.0
    lead: float = 1.0  # after a line that leads to what follows it
    after_heading: float = 1e6  # only if nothing else is possible

    def between(self, before: Passage | None, passage: Passage) -> float:
        """Return the cost of a cut between two passages."""
        if before is None:
            return 0.0
        if before.kind == "heading":
            return self.after_heading
        if passage.kind == "heading":
            return self.heading
        return self.lead if before.leads else self.unit


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, from the end of the piece before it, that is not divided.

    A chunk that begins with the rest of a table or the like `repeats_from` the table's beginning:
    it was divided to keep that with its heading, but would fit into a chunk as a whole.
    """

    start: int  # the first visible character
    end: int
    size: float  # how much it adds to a chunk, with the white space before it
    gap: float  # the size of that white space, which a chunk that begins here does not have
    cut: float  # the cost of beginning a chunk here
    repeats_from: int | None = None
    repeated: float = 0.0  # the size of the repeated beginning


class PieceMaker:
    """Makes the pieces of one text.

    `whole` is the largest size of a chunk; `room` returns the room for its own text in a chunk that
    begins at an offset.
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
        by_edge = {
            PLAIN: costs.sentence,
            LINE: costs.item,
            RECORD: costs.unit,
            HEADER: costs.header,
        }
        self._sentence_costs = [by_edge[edge] for edge in sentences.edges]
        self._sizes = sizes
        self._edge = sizes("")
        self._whole = max(1.0, whole)
        self._room = room
        self._costs = costs
        self._language = language
        self._gaps: dict[str, float] = {}
        self._totals = np.concatenate([[0.0], np.cumsum(self._measure(self._ends))]).tolist()

    def make(self, passages: Sequence[Passage]) -> list[Piece]:
        """Return the pieces of passages that tile the text."""
        pieces: list[Piece] = []
        glued = 0.0  # the size of the headings right before
        before: Passage | None = None
        for passage in passages:
            begin = self._ends[passage.first]
            gap = self._gap(begin, self._visible(begin))
            is_headed = before is not None and before.kind == "heading"
            if not is_headed:
                glued = -gap
            room = max(1.0, self._whole - glued - gap)
            found = self._divide_passage(passage, room, self._costs.between(before, passage))
            first = passage.parts[0] if passage.parts else passage
            if is_headed and first.kind in KEPT_WHOLE:
                found = self._repeat_beginning(found, first)
            pieces += found
            glued += self._size(passage.first, passage.stop)
            before = passage
        return pieces

    def divide_at_sentences(self, piece: Piece, begin: int) -> list[Piece]:
        """Return the sentences of a piece; itself if it is a single one."""
        first, stop = bisect_right(self._ends, begin), bisect_left(self._ends, piece.end)
        if first >= stop or piece.repeats_from is not None:
            return [piece]
        edges = [begin, *self._ends[first:stop], piece.end]
        costs = [piece.cut, *self._sentence_costs[first:stop]]
        parts = zip(pairwise(edges), self._measure(edges), costs, strict=True)
        return [self._piece(a, b, size, cost) for (a, b), size, cost in parts]

    def divide(self, piece: Piece, begin: int) -> list[Piece]:
        """Return the parts of a piece that is too large; itself if it cannot be divided."""
        sentences = self.divide_at_sentences(replace(piece, repeats_from=None), begin)
        if len(sentences) > 1:
            return sentences
        room = max(1.0, min(self._room(piece.start), piece.size) * 0.75)
        return self._divide_sentence(begin, piece.end, room, piece.cut)

    def _repeat_beginning(self, pieces: list[Piece], passage: Passage) -> list[Piece]:
        """Join the rest of a passage that its heading divides, and let it repeat the beginning.

        So the passage is whole in the chunk after its heading.
        """
        begin, end = self._ends[passage.first], self._ends[passage.stop]
        inside = [piece for piece in pieces if piece.end <= end]
        size = self._size(passage.first, passage.stop)
        if len(inside) < 2 or not self._fits(begin, size, self._whole):
            return pieces
        head, rest = inside[0], inside[1:]
        joined = replace(
            rest[0],
            end=end,
            size=sum(piece.size for piece in rest),
            repeats_from=head.start,
            repeated=head.size - head.gap + rest[0].gap,
        )
        return [head, joined, *pieces[len(inside) :]]

    def _divide_passage(self, passage: Passage, room: float, cut: float) -> list[Piece]:
        """Return a passage as one piece if it fits, else its items or sentences."""
        begin, end = self._ends[passage.first], self._ends[passage.stop]
        size = self._size(passage.first, passage.stop)
        if self._fits(begin, size, room):
            return [self._piece(begin, end, size, cut)]
        pieces: list[Piece] = []
        if passage.parts:
            for part in passage.parts:
                part_room = self._whole if pieces else room
                cost = self._costs.item if pieces else cut
                pieces += self._divide_passage(part, part_room, cost)
            return pieces
        after_header = passage.first
        for n in (passage.n_header + 1, passage.n_header) if passage.n_header else ():
            stop = passage.first + n
            size = self._size(passage.first, stop)
            if self._fits(begin, size, room):  # with the first row, or without it
                pieces.append(self._piece(begin, self._ends[stop], size, cut))
                after_header = stop
                break
        for i in range(after_header, passage.stop):
            begin, end = self._ends[i], self._ends[i + 1]
            size = self._size(i, i + 1)
            cost = self._sentence_costs[i] if pieces else cut
            if self._fits(begin, size, self._whole if pieces else room):
                pieces.append(self._piece(begin, end, size, cost))
            else:
                alone = self._room(self._visible(begin))
                smaller = alone if pieces else min(alone, room)
                pieces += self._divide_sentence(begin, end, smaller, cost)
        return pieces

    def _divide_sentence(self, begin: int, end: int, room: float, cut: float) -> list[Piece]:
        """Split a sentence at clauses, long clauses at words, and long words anywhere."""
        pieces: list[Piece] = []
        clauses = clause_ends(self._text[begin:end], self._language)
        for a, b, size in self._split(begin, end, clauses):
            cost = self._costs.clause if pieces else cut
            if self._fits(a, size, room):
                pieces.append(self._piece(a, b, size, cost))
                continue
            words = [match.start() for match in _WORD_END.finditer(self._text[a:b])]
            for c, d, word_size in self._split(a, b, words):
                if self._fits(c, word_size, room):
                    pieces.append(self._piece(c, d, word_size, cost))
                else:
                    pieces += self._divide_word(c, d, room, cost)
                cost = self._costs.word
        return pieces

    def _divide_word(self, begin: int, end: int, room: float, cut: float) -> list[Piece]:
        start = self._visible(begin)
        word = self._text[start:end].rstrip()
        document = Document(word, np.array([[0, len(word)]]))
        largest = max(1, int(room)) + self._edge
        inner = split_long(document, largest, self._sizes, self._language).spans[1:, 0].tolist()
        parts = self._split(begin, end, [start - begin + at for at in inner])
        return [
            self._piece(a, b, size, self._costs.letter if i else cut)
            for i, (a, b, size) in enumerate(parts)
        ]

    def _split(self, begin: int, end: int, inner: Sequence[int]) -> list[tuple[int, int, float]]:
        """Return the spans between `inner` offsets, relative to `begin`, with their sizes."""
        offsets = {skip_blank_before(self._text, begin + at) for at in inner}
        edges = [begin, *sorted(at for at in offsets if begin < at < end), end]
        sizes = self._measure(edges)
        return [(a, b, size) for (a, b), size in zip(pairwise(edges), sizes, strict=True)]

    def _measure(self, edges: Sequence[int]) -> list[float]:
        """Return the size of the text between each two edges, with the white space before it."""
        starts = [min(self._visible(begin), end) for begin, end in pairwise(edges)]
        written = [
            self._text[start:end].rstrip() for start, end in zip(starts, edges[1:], strict=True)
        ]
        sizes = zip(self._sizes.many(written), edges[:-1], starts, strict=True)
        return [max(0, size - self._edge) + self._gap(begin, start) for size, begin, start in sizes]

    def _size(self, first: int, stop: int) -> float:
        """Return the size of the sentences from `first` to before `stop`."""
        return float(self._totals[stop] - self._totals[first])

    def _gap(self, begin: int, start: int) -> float:
        """Return how much the white space between two visible characters adds to a text."""
        blank = self._text[begin:start]
        if not blank or not begin:
            return 0.0
        if blank not in self._gaps:
            joined, apart = self._sizes(f"a{blank}a"), 2 * self._sizes("a") - self._edge
            self._gaps[blank] = float(max(0, joined - apart))
        return self._gaps[blank]

    def _fits(self, begin: int, size: float, room: float) -> bool:
        return size - self._gap(begin, self._visible(begin)) <= room

    def _visible(self, offset: int) -> int:
        return skip_blank(self._text, offset)

    def _piece(self, begin: int, end: int, size: float, cut: float) -> Piece:
        start = min(self._visible(begin), end)
        return Piece(start, end, size, self._gap(begin, start), cut)

"""Packs the pieces of a document into chunks, none of them above the limit."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from docbats.blocks import HeadingIndex
from docbats.chunks.chunk import CONTEXT_JOIN, Chunk, content_before
from docbats.chunks.pieces import (
    CutCosts,
    Piece,
    PieceMaker,
    find_passages,
    find_sentences,
    find_table_headers,
    skip_blank,
)
from docbats.errors import InputError
from docbats.text.languages import load_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.chunks.pieces import TableHeader
    from docbats.chunks.sizes import Sizes
    from docbats.document import Document

    Floats = NDArray[np.float64]

MAX_CONTEXT_SHARE = 1 / 3  # of a chunk; a longer path loses its highest headings
MAX_HEADER_SHARE = 1 / 3  # of a chunk; a longer header of a table is not repeated
MAX_OVERLAP_SHARE = 1 / 2  # of a chunk; more would leave too little room for its own text
TITLE_SHARE = 1 / 8  # of a chunk, reserved for a title that is found later
SMALL_COST = 1.0  # of a chunk below the smallest size; if larger, sentences are kept apart for it
DEFAULT_COSTS = CutCosts()

_WORD = re.compile(r"\S+")


def pack(
    sizes: Floats, extra: Floats, penalties: Floats, limit: float, least: float = 0.0
) -> list[int]:
    """Return the first piece of each chunk.

    A chunk costs the square of the share of the limit that it leaves empty, so that sizes are even;
    each but the first also costs the penalty of its first piece, and one smaller than `least` costs
    as much as an empty one in addition. Only a chunk of a single piece can be above the limit.
    `extra` is, for each piece, the size that a chunk which begins with it has in addition to its
    pieces; negative if the chunk is smaller than their sum.
    """
    n = len(sizes)
    ends = np.concatenate([[0.0], np.cumsum(sizes)])
    # The first piece of the longest chunk that can end at each position.
    earliest = np.searchsorted(ends, ends - limit + min(0.0, extra.min()) - 1e-9).tolist()
    base = ends[:-1] - extra  # a chunk from i to j has a size of ends[j] - base[i]
    best_costs = np.zeros(n + 1)  # of everything up to a position, with the cut there
    first = [0] * (n + 1)
    cost_of_start = np.append(penalties, 0.0)
    cost_of_start[0] = 0.0
    for end in range(1, n + 1):
        low = min(earliest[end], end - 1)
        empty = 1.0 - (ends[end] - base[low:end]) / limit
        costs = best_costs[low:end] + empty * empty
        if least:
            costs += SMALL_COST * (ends[end] - ends[low:end] < least)
        costs[empty < -1e-9] = np.inf
        best = int(costs.argmin())
        if costs[best] == np.inf:  # a single piece that is too large by itself
            best = end - 1 - low
            costs[best] = best_costs[end - 1]
        first[end] = low + best
        best_costs[end] = costs[best] + cost_of_start[end]
    starts = []
    end = n
    while end > 0:
        end = first[end]
        starts.append(end)
    return starts[::-1]


class Packer:
    """Packs one document into chunks, and again where a chunk turns out too large.

    The sizes of pieces need not add up to the size of the whole: each chunk is measured, and if one
    is above the limit, its neighborhood is packed again with a larger size for its beginning.

    The options are the attributes of a :class:`~docbats.Chunker`; the context ``"title"`` is found
    later and only needs room here.
    """

    def __init__(
        self,
        document: Document,
        sizes: Sizes,
        limit: int,
        *,
        overlap: int = 0,
        least: int = 0,
        context: str = "none",
        strip: bool = True,
        costs: CutCosts = DEFAULT_COSTS,
    ) -> None:
        self.headings = HeadingIndex.of(document)
        self._text = document.text
        self._sizes = sizes
        self._limit = limit
        self._overlap = overlap
        self._least = least
        self._context = context
        self._strip = strip
        self._costs = costs
        self._edge = sizes("")  # special tokens
        self._prose = document.text if document.prose is None else document.prose
        self._blocks = document.blocks
        self._turns = [block for block in document.blocks if block.speaker]
        self._headers = find_table_headers(document)
        self._before_sizes: dict[str, int] = {}
        self._own_sizes: dict[tuple[int, int], int] = {}  # by spans
        self._cost_at: dict[int, float] = {}  # of the cut before each chunk, by its own start
        sentences = find_sentences(document)
        self._sentence_ends = sentences.ends
        self._maker = PieceMaker(
            document.text,
            sentences,
            sizes,
            whole=limit - self._edge,
            room=lambda start: max(1.0, limit - self._size_before(start)),
            costs=costs,
            language=load_language(document.language.code),
        )
        self._pieces = self._maker.make(find_passages(document, sentences))
        self._extra = [self._extra_of(i) for i in range(len(self._pieces))]

    def chunks(self) -> list[Chunk]:
        """Return the chunks in order, with their context but no other description."""
        starts = self._pack(0, len(self._pieces))
        done: dict[tuple[int, int], Chunk] = {}  # by their spans
        given_up: set[int] = set()  # the starts of small chunks that nothing could be added to
        while True:
            groups = list(pairwise([*starts, len(self._pieces)]))
            todo = [group for group in groups if self._span(*group) not in done]
            large = []
            for group, chunk in zip(todo, self._measure(todo), strict=True):
                if chunk.size > self._limit:
                    large.append((*group, chunk))
                else:
                    done[self._span(*group)] = chunk
            if large:
                starts = self._repack(starts, large)
                continue
            enlarged = self._enlarge_small(groups, given_up) if self._least else None
            if enlarged is None:
                break
            starts = enlarged
        chunks = [done[self._span(*group)] for group in groups]
        return [chunk for chunk in chunks if chunk.end > chunk.own_start]

    def group(self, chunks: Sequence[Chunk], limit: int) -> list[tuple[int, int]]:
        """Return the first chunk of each parent of up to `limit`, and the one after its last."""
        alone = self._sizes.many([self._text[chunk.own_start : chunk.end] for chunk in chunks])
        # White space between chunks counts, too.
        net = np.array([size - self._edge + 1 for size in alone], float)
        extra = np.full(len(chunks), float(self._edge))
        costs = np.array([self._cost_at[chunk.own_start] for chunk in chunks])
        while True:
            starts = pack(net, extra, costs, limit)
            groups = list(pairwise([*starts, len(chunks)]))
            joined = [self._text[chunks[a].own_start : chunks[b - 1].end] for a, b in groups]
            large = [
                (a, size)
                for (a, b), size in zip(groups, self._sizes.many(joined), strict=True)
                if size > limit and b - a > 1
            ]
            if not large:
                return groups
            for first, size in large:
                extra[first] += size - limit

    def join(self, chunks: Sequence[Chunk], limit: int) -> Chunk:
        """Return several chunks as one, without overlap and context."""
        start, end = chunks[0].own_start, chunks[-1].end
        text = self._text[start:end]
        joined = Chunk(text, start, end, start, self._sizes(text))
        headed = replace(joined, table_header=self._header_above(start))
        size = self._sizes(headed.content)
        return replace(headed, size=size) if size <= limit else joined

    def _table_at(self, start: int) -> TableHeader | None:
        """Return the header of the table whose rows are at an offset."""
        i = bisect_right(self._headers, start, key=attrgetter("end")) - 1
        return self._headers[i] if i >= 0 and start < self._headers[i].stop else None

    def _header_above(self, start: int) -> str:
        """Return the header of the table that a chunk which starts here goes on with."""
        table = self._table_at(start)
        if table is None:
            return ""
        header = self._text[table.start : table.end]
        size = self._before_size(content_before("", header))
        return header if size <= self._limit * MAX_HEADER_SHARE else ""

    def _path(self, start: int) -> tuple[str, ...]:
        """Return the headings that are the context of a chunk with this own start.

        The highest are left out where they would take up too much of it.
        """
        if self._context != "headings":
            return ()
        path = (*self.headings.path_above(start), *self._speaker_before(start))
        room = self._limit * MAX_CONTEXT_SHARE
        while path and self._before_size(content_before(CONTEXT_JOIN.join(path), "")) > room:
            path = path[1:]
        return path

    def _speaker_before(self, start: int) -> tuple[str, ...]:
        """Return who goes on to speak at an offset, if the name is not written there."""
        i = bisect_right(self._turns, start, key=attrgetter("start")) - 1
        if i < 0 or self._turns[i].end <= start:
            return ()
        turn = self._turns[i]
        is_written = start == turn.start and self._prose[start].isspace()
        return () if is_written else (turn.speaker or "",)

    def _before_size(self, before: str) -> int:
        if before not in self._before_sizes:
            self._before_sizes[before] = self._sizes(before) - self._edge
        return self._before_sizes[before]

    def _size_before(self, start: int) -> float:
        """Return the size of all that a chunk with this own start has besides its own text."""
        before = content_before(CONTEXT_JOIN.join(self._path(start)), self._header_above(start))
        title = self._limit * TITLE_SHARE if self._context == "title" else 0
        overlap = min(self._overlap, self._limit * MAX_OVERLAP_SHARE)
        return self._edge + overlap + title + (self._before_size(before) if before else 0)

    def _extra_of(self, first: int) -> float:
        """Return what a chunk has besides its pieces, as far as its first passage leaves room."""
        piece, last = self._pieces[first], first + 1
        least = piece.size - piece.gap + piece.repeated
        while last < len(self._pieces) and self._pieces[last].cut >= self._costs.after_heading:
            least += self._pieces[last].size
            last += 1
        before = min(self._size_before(piece.start), self._limit - least)
        return piece.repeated + max(self._edge, before)

    def _pack(self, first: int, stop: int) -> list[int]:
        """Return the first piece of each chunk of these pieces."""
        pieces = self._pieces[first:stop]
        starts = pack(
            np.array([piece.size for piece in pieces]),
            np.array(self._extra[first:stop]) - [piece.gap for piece in pieces],
            np.array([piece.cut for piece in pieces]),
            self._limit,
            self._least,
        )
        return [first + start for start in starts]

    def _span(self, first: int, stop: int) -> tuple[int, int]:
        """Return the span of a chunk of these pieces, without overlap."""
        start, end = self._pieces[first].start, self._pieces[stop - 1].end
        if self._strip:
            return start, start + len(self._text[start:end].rstrip())
        end = self._pieces[stop].start if stop < len(self._pieces) else len(self._text)
        return start if first else 0, end

    def _measure(self, groups: list[tuple[int, int]]) -> list[Chunk]:
        """Return a chunk for each group of pieces, with as much before it as there is room for."""
        chunks = []
        for first, stop in groups:
            own_start, end = self._span(first, stop)
            piece = self._pieces[first]
            start = own_start if piece.repeats_from is None else piece.repeats_from
            context = CONTEXT_JOIN.join(self._path(own_start))
            self._cost_at[own_start] = piece.cut
            header = self._header_above(start)
            text = self._text[start:end]
            chunks.append(
                Chunk(text, start, end, own_start, 0, context=context, table_header=header)
            )
        sizes = self._sizes.many([chunk.content for chunk in chunks])
        return [
            self._with_overlap(self._with_less_context(replace(chunk, size=size)))
            for chunk, size in zip(chunks, sizes, strict=True)
        ]

    def _changed(self, chunk: Chunk, start: int, context: str, header: str) -> Chunk:
        """Return a chunk with another start and context, measured again."""
        text = self._text[start : chunk.end]
        changed = replace(chunk, start=start, text=text, context=context, table_header=header)
        return replace(changed, size=self._sizes(changed.content))

    def _with_less_context(self, chunk: Chunk) -> Chunk:
        """Drop the highest headings of a context, then the header, that make a chunk too large."""
        path = self._path(chunk.own_start) if chunk.size > self._limit else ()
        while chunk.size > self._limit and path:
            path = path[1:]
            context = CONTEXT_JOIN.join(path)
            chunk = self._changed(chunk, chunk.start, context, chunk.table_header)
        if chunk.size > self._limit and chunk.table_header:
            chunk = self._changed(chunk, chunk.start, chunk.context, "")
        return chunk

    def _with_overlap(self, chunk: Chunk) -> Chunk:
        """Extend a chunk backwards as far as there is room for an overlap.

        An overlap is whole sentences, or whole words if not even one sentence fits. Of a table it
        is whole rows.
        """
        if not self._overlap or chunk.size > self._limit:
            return chunk
        i = int(np.searchsorted(self._sentence_ends, chunk.own_start, side="right"))
        while i > 0:
            i -= 1
            start = skip_blank(self._text, int(self._sentence_ends[i - 1]) if i else 0)
            if start >= chunk.start or self._is_in_header(start):
                continue
            longer = self._starting_at(start, chunk)
            if longer is None:
                if chunk.start < chunk.own_start or self._table_at(start) is not None:
                    break  # a part of a row tells nothing
                found_words = _WORD.finditer(self._text, start, chunk.own_start)
                words = [m.start() for m in found_words if not self._is_in_header(m.start())]
                fits = bisect_left(words, True, key=lambda at: bool(self._starting_at(at, chunk)))
                found = self._starting_at(words[fits], chunk) if fits < len(words) else None
                return found or chunk
            chunk = longer
        return chunk

    def _is_in_header(self, offset: int) -> bool:
        """Whether a part of a table's header is before this offset, and a part after it."""
        i = bisect_right(self._headers, offset, key=attrgetter("end"))
        return i < len(self._headers) and self._headers[i].start < offset

    def _starting_at(self, start: int, chunk: Chunk) -> Chunk | None:
        """Return a chunk with an overlap that begins at `start`; None if there is no room."""
        overlap = self._text[start : chunk.own_start]
        if self._sizes(overlap) - self._edge > self._overlap:
            return None
        longer = self._changed(chunk, start, chunk.context, self._header_above(start))
        return None if longer.size > self._limit else longer

    def _repack(self, starts: list[int], large: list[tuple[int, int, Chunk]]) -> list[int]:
        """Pack the neighborhood of each chunk that is too large again, from last to first."""
        edges = [*starts, len(self._pieces)]
        index = {start: i for i, start in enumerate(starts)}
        windows: list[tuple[int, int, list[tuple[int, int, Chunk]]]] = []
        for each in large:
            i = index[each[0]]
            low, high = max(0, i - 1), min(len(starts), i + 2)
            if windows and low < windows[-1][1]:
                windows[-1] = (windows[-1][0], high, [*windows[-1][2], each])
            else:
                windows.append((low, high, [each]))
        for low, high, inside in reversed(windows):
            first, stop = edges[low], edges[high]
            for each in reversed(inside):
                stop += self._make_smaller(*each)
            shift = stop - edges[high]
            later = [start + shift for start in starts[high:]]
            starts = [*starts[:low], *self._pack(first, stop), *later]
        return starts

    def _enlarge_small(self, groups: list[tuple[int, int]], given_up: set[int]) -> list[int] | None:
        """Let chunks that are too small share the paragraphs of a neighbor, from last to first.

        The neighbor must be under the same heading. Return the first piece of each chunk; None if
        nothing can be done.
        """
        starts = [first for first, _ in groups]
        untouched = len(groups)  # before this one, `groups` are as they were
        for i in range(len(groups) - 1, -1, -1):
            start = self._pieces[groups[i][0]].start
            if i >= untouched or start in given_up or self._own_size(*groups[i]) >= self._least:
                continue
            given_up.add(start)
            for low in (i - 1, i):
                if low < 0 or low + 1 >= untouched:
                    continue
                first, second = groups[low], groups[low + 1]
                if not self._is_one_section(first, second):
                    continue
                added = self._divide_paragraphs(*(first if low < i else second))
                if added:
                    after = [each + added for each in starts[low + 2 :]]
                    starts = [*starts[:low], *self._pack(first[0], second[1] + added), *after]
                    untouched = low
                    break
        return starts if untouched < len(groups) else None

    def _own_size(self, first: int, stop: int) -> int:
        span = self._span(first, stop)
        if span not in self._own_sizes:
            self._own_sizes[span] = self._sizes(self._text[slice(*span)].strip()) - self._edge
        return self._own_sizes[span]

    def _is_one_section(self, group: tuple[int, int], following: tuple[int, int]) -> bool:
        """Whether a chunk goes on under the heading that the chunk before it ends under."""
        above = self.headings.path_at(self._pieces[group[1] - 1].start)
        return self.headings.path_at(self._pieces[following[0]].start)[: len(above)] == above

    def _divide_paragraphs(self, first: int, stop: int) -> int:
        """Divide the paragraphs among pieces into sentences; return how many pieces were added."""
        added = 0
        for i in reversed(range(first, stop)):
            piece = self._pieces[i]
            block = bisect_right(self._blocks, piece.start, key=attrgetter("start")) - 1
            if block >= 0 and self._blocks[block].kind not in {"paragraph", "quote", "turn"}:
                continue
            parts = self._maker.divide_at_sentences(piece, self._pieces[i - 1].end if i else 0)
            self._pieces[i : i + 1] = parts
            self._extra[i : i + 1] = map(self._extra_of, range(i, i + len(parts)))
            added += len(parts) - 1
        return added

    def _make_smaller(self, first: int, stop: int, chunk: Chunk) -> int:
        """Leave a chunk less room, or divide its last piece; return how many pieces were added."""
        glue = self._costs.after_heading
        if any(piece.cut < glue for piece in self._pieces[first + 1 : stop]):
            self._extra[first] += chunk.size - self._limit
            return 0
        # Headings and one piece: it is divided rather than separated from them.
        first = stop - 1
        piece = self._pieces[first]
        parts = self._divide(first)
        if len(parts) < 2 and chunk.own_start < piece.start:
            self._pieces[first] = replace(piece, cut=0.0)
            return 0
        if len(parts) < 2:
            written = self._text[piece.start : piece.end]
            msg = (
                f"{written[:20]!r} alone has a size of {chunk.size}, but the chunk size is "
                f"{self._limit}: pass a larger chunk_size, or less overlap"
            )
            raise InputError(msg)
        self._pieces[first : first + 1] = parts
        self._extra[first : first + 1] = map(self._extra_of, range(first, first + len(parts)))
        return len(parts) - 1

    def _divide(self, i: int) -> list[Piece]:
        """Return the parts of a piece that is too large; itself if it cannot be divided."""
        piece, begin = self._pieces[i], self._pieces[i - 1].end if i else 0
        if self._strip:
            return self._maker.divide(piece, begin)
        # White space belongs to chunks that tile the text, and may be too much for one.
        start = piece.start if i else 0
        stop = self._pieces[i + 1].start if i + 1 < len(self._pieces) else len(self._text)
        written = self._text[start:stop]
        if not written.strip():
            middle = (start + stop) // 2
            edges = [start, middle, stop] if start < middle else [start, stop]
        else:
            visible = start + len(written) - len(written.lstrip())
            edges = sorted({start, visible, start + len(written.rstrip()), stop})
            if len(edges) == 2:
                return self._maker.divide(piece, begin)
        return [
            Piece(a, b, self._sizes(self._text[a:b]), 0.0, piece.cut) for a, b in pairwise(edges)
        ]

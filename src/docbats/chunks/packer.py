"""Packs the pieces of a document into chunks, none of them above the limit."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.chunks.chunk import CONTEXT_END, CONTEXT_JOIN, Cut
from docbats.chunks.pieces import (
    CutCosts,
    Piece,
    PieceMaker,
    find_sentences,
    find_units,
    skip_blank,
)
from docbats.errors import InputError
from docbats.headings import HeadingIndex
from docbats.text.languages import load_language

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.chunks.sizes import Sizes
    from docbats.document import Document

    Floats = NDArray[np.float64]


def pack(sizes: Floats, extra: Floats, penalties: Floats, limit: float) -> list[int]:
    """Return the first piece of each chunk.

    A chunk costs the square of the share of the limit that it leaves empty, so that sizes are even,
    and each but the first the penalty of its first piece. No chunk is above the limit but for one
    of a single piece.

    Parameters
    ----------
    sizes
        Of the pieces.
    extra
        What a chunk that begins with this piece has on top of its pieces; less than 0 where it has
        less than them.
    penalties
        Of a cut before each piece.
    limit
        The largest size of a chunk.
    """
    n = len(sizes)
    ends = np.concatenate([[0.0], np.cumsum(sizes)])
    # The first piece of the longest chunk that ends before each place.
    earliest = np.searchsorted(ends, ends - limit + min(0.0, extra.min()) - 1e-9).tolist()
    base = ends[:-1] - extra  # a chunk from i to j has a size of ends[j] - base[i]
    before = np.zeros(n + 1)  # the least cost of all up to a place, and of the cut there
    first = [0] * (n + 1)
    cost_of_start = np.append(penalties, 0.0)
    cost_of_start[0] = 0.0
    for end in range(1, n + 1):
        low = min(earliest[end], end - 1)
        empty = 1.0 - (ends[end] - base[low:end]) / limit
        costs = before[low:end] + empty * empty
        costs[empty < -1e-9] = np.inf
        best = int(costs.argmin())
        if costs[best] == np.inf:  # a single piece that is too large by itself
            best = end - 1 - low
            costs[best] = before[end - 1]
        first[end] = low + best
        before[end] = costs[best] + cost_of_start[end]
    starts = []
    end = n
    while end > 0:
        end = first[end]
        starts.append(end)
    return starts[::-1]


_WORD = re.compile(r"\S+")


class Packer:
    """Packs the pieces of a document, and again where a chunk turns out too large.

    The sizes of texts need not add up to that of the whole: each chunk is measured, and where one
    is above the limit, its surroundings are packed anew with a larger size for its beginning.
    """

    def __init__(self, cutter: Cutter) -> None:
        self._cutter = cutter
        document = cutter.document
        self._text = document.text
        sentences = find_sentences(document)
        self._sentence_ends = sentences.ends
        self._maker = PieceMaker(
            document.text,
            sentences,
            cutter.sizes,
            whole=cutter.limit - cutter.edge,
            room=lambda start: max(1.0, cutter.limit - cutter.extra(start)),
            costs=cutter.costs,
            language=load_language(document.language.code),
        )
        self._pieces = self._maker.make(find_units(document, sentences))
        self._extra = [0.0] * len(self._pieces)
        self._set_extra(0, len(self._pieces))

    def cut(self) -> list[Cut]:
        """Return the chunks in order."""
        starts = self._pack(0, len(self._pieces))
        done: dict[tuple[int, int], Cut] = {}  # by their spans
        while True:
            chunks = list(pairwise([*starts, len(self._pieces)]))
            todo = [each for each in chunks if self._span(*each) not in done]
            large = []
            for each, cut in zip(todo, self._measure(todo), strict=True):
                if cut.size > self._cutter.limit:
                    large.append((*each, cut))
                else:
                    done[self._span(*each)] = cut
            if not large:
                break
            starts = self._repack(starts, large)
        found = [done[self._span(*each)] for each in chunks]
        return [cut for cut in found if cut.end > cut.own_start]

    def _span(self, first: int, stop: int) -> tuple[int, int]:
        """Return the span of a chunk of these pieces, without an overlap."""
        start, end = self._pieces[first].start, self._pieces[stop - 1].end
        if self._cutter.strip:
            return start, start + len(self._text[start:end].rstrip())
        # They tile the text.
        end = self._pieces[stop].start if stop < len(self._pieces) else len(self._text)
        return start if first else 0, end

    def _pack(self, first: int, stop: int) -> list[int]:
        pieces = self._pieces[first:stop]
        starts = pack(
            np.array([piece.size for piece in pieces]),
            np.array(self._extra[first:stop]) - [piece.gap for piece in pieces],
            np.array([piece.cut for piece in pieces]),
            self._cutter.limit,
        )
        return [first + start for start in starts]

    def _set_extra(self, first: int, stop: int) -> None:
        """Set what chunks have on top of their pieces; what must be in one chunk goes before it."""
        cutter, pieces = self._cutter, self._pieces
        for i in range(first, stop):
            least, last = pieces[i].size - pieces[i].gap + pieces[i].before, i + 1
            while last < len(pieces) and pieces[last].cut >= cutter.costs.after_heading:
                least += pieces[last].size
                last += 1
            extra = cutter.extra(pieces[i].start)
            self._extra[i] = pieces[i].before
            self._extra[i] += max(cutter.edge, min(extra, cutter.limit - least))

    def _measure(self, chunks: list[tuple[int, int]]) -> list[Cut]:
        """Measure what is indexed of each chunk, with as much before it as there is room for."""
        cutter = self._cutter
        cuts = []
        for first, stop in chunks:
            start, end = self._span(first, stop)
            piece = self._pieces[first]
            reach = start if piece.reach is None else piece.reach
            cuts.append(Cut(reach, end, start, 0, tuple(cutter.path(start)), piece.cut))
        sizes = cutter.sizes.many([cut.content(self._text) for cut in cuts])
        return [
            self._with_overlap(self._with_context(replace(cut, size=size)))
            for cut, size in zip(cuts, sizes, strict=True)
        ]

    def _with_context(self, cut: Cut) -> Cut:
        """Leave out the highest headings of a context that makes a chunk too large."""
        while cut.size > self._cutter.limit and cut.path:
            cut = replace(cut, path=cut.path[1:])
            cut = replace(cut, size=self._cutter.sizes(cut.content(self._text)))
        return cut

    def _with_overlap(self, cut: Cut) -> Cut:
        """Let a chunk repeat what there is room for of the text before it.

        That is whole sentences, or whole words where not even one sentence fits.
        """
        if not self._cutter.overlap or cut.size > self._cutter.limit:
            return cut
        at = int(np.searchsorted(self._sentence_ends, cut.own_start, side="right"))
        while at > 0:
            at -= 1
            begin = int(self._sentence_ends[at - 1]) if at else 0
            start = skip_blank(self._text, begin)
            if start >= cut.start:
                continue
            longer = self._from(cut, start)
            if longer is None:
                if cut.start < cut.own_start:
                    break
                words = [m.start() for m in _WORD.finditer(self._text, start, cut.own_start)]
                first = bisect_left(words, True, key=lambda word: self._from(cut, word) is not None)
                found = self._from(cut, words[first]) if first < len(words) else None
                return found or cut
            cut = longer
        return cut

    def _from(self, cut: Cut, start: int) -> Cut | None:
        """Return a chunk with an overlap that begins here; None where there is no room for it."""
        cutter = self._cutter
        if cutter.sizes(self._text[start : cut.own_start]) - cutter.edge > cutter.overlap:
            return None
        longer = replace(cut, start=start)
        size = cutter.sizes(longer.content(self._text))
        return None if size > cutter.limit else replace(longer, size=size)

    def _repack(self, starts: list[int], large: list[tuple[int, int, Cut]]) -> list[int]:
        """Pack again what is around chunks that are too large, from the last to the first."""
        edges = [*starts, len(self._pieces)]
        place = {start: i for i, start in enumerate(starts)}
        windows: list[tuple[int, int, list[tuple[int, int, Cut]]]] = []
        for each in large:
            i = place[each[0]]
            low, high = max(0, i - 1), min(len(starts), i + 2)
            if windows and low < windows[-1][1]:
                windows[-1] = (windows[-1][0], high, [*windows[-1][2], each])
            else:
                windows.append((low, high, [each]))
        for low, high, inside in reversed(windows):
            first, stop = edges[low], edges[high]
            for a, b, cut in reversed(inside):
                stop += self._make_smaller(a, b, cut)
            shift = stop - edges[high]
            later = [start + shift for start in starts[high:]]
            starts = [*starts[:low], *self._pack(first, stop), *later]
        return starts

    def _make_smaller(self, first: int, stop: int, cut: Cut) -> int:
        """Enlarge a chunk, or divide it if it is a piece; return how many were added."""
        glue = self._cutter.costs.after_heading
        if any(piece.cut < glue for piece in self._pieces[first + 1 : stop]):
            self._extra[first] += cut.size - self._cutter.limit
            return 0
        # Headings and one piece: it is divided rather than parted from them.
        first = stop - 1
        piece = self._pieces[first]
        parts = self._parts(first)
        if len(parts) < 2 and cut.own_start < piece.start:
            self._pieces[first] = replace(piece, cut=0.0)
            return 0
        if len(parts) < 2:
            written = self._text[piece.start : piece.end]
            msg = (
                f"{written[:20]!r} alone has a size of {cut.size}, but the chunk size is "
                f"{self._cutter.limit}: give a larger chunk_size, or less overlap"
            )
            raise InputError(msg)
        self._pieces[first : first + 1] = parts
        self._extra[first : first + 1] = [0.0] * len(parts)
        self._set_extra(first, first + len(parts))
        return len(parts) - 1

    def _parts(self, first: int) -> list[Piece]:
        """Return what a piece that is too large can be divided into."""
        piece = self._pieces[first]
        begin = self._pieces[first - 1].end if first else 0
        if self._cutter.strip:
            return self._maker.divide(piece, begin)
        # White space belongs to chunks that tile the text, and may be too much for one.
        start = piece.start if first else 0
        stop = self._pieces[first + 1].start if first + 1 < len(self._pieces) else len(self._text)
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
            Piece(a, b, self._cutter.sizes(self._text[a:b]), 0.0, piece.cut)
            for a, b in pairwise(edges)
        ]


MAX_CONTEXT_SHARE = 1 / 3  # of a chunk; a longer path of headings loses the highest ones
MAX_OVERLAP_SHARE = 1 / 2  # of a chunk is kept free for an overlap at most
TITLE_SHARE = 1 / 8  # of a chunk is left for its title


@dataclass(frozen=True)
class Cutter:
    """Cuts one document into chunks.

    Attributes
    ----------
    limit
        The largest size of what is indexed of a chunk: its context, its overlap and itself.
    overlap
        The largest size of what a chunk repeats of the text before it.
    context_kind
        What goes before each chunk: the path of ``"headings"``; for a ``"title"``, which is found
        afterwards, room is left; nothing for ``"none"``.
    strip
        Whether white space around chunks is left out.
    """

    document: Document
    sizes: Sizes
    limit: int
    overlap: int = 0
    context_kind: str = "none"
    strip: bool = True
    costs: CutCosts = field(default_factory=CutCosts)
    _known: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def headings(self) -> HeadingIndex:
        """The headings over each place."""
        return HeadingIndex.of(self.document)

    def cut(self) -> list[Cut]:
        """Return the chunks in order."""
        return Packer(self).cut()

    def path(self, start: int) -> list[str]:
        """Return the headings above a chunk whose own text begins at this character.

        The highest are left out where they would take too much of it.
        """
        if self.context_kind != "headings":
            return []
        path = list(self.headings.path_above(start))
        while path and self._size_of(path) > self.limit * MAX_CONTEXT_SHARE:
            del path[0]
        return path

    def extra(self, start: int) -> float:
        """Return what a chunk that begins at this character has on top of its own text."""
        path = self.path(start)
        title = self.limit * TITLE_SHARE if self.context_kind == "title" else 0
        overlap = min(self.overlap, self.limit * MAX_OVERLAP_SHARE)
        return self.edge + overlap + title + (self._size_of(path) if path else 0)

    @cached_property
    def edge(self) -> int:
        """The size of an empty text: special tokens."""
        return self.sizes("")

    def _size_of(self, path: list[str]) -> int:
        context = CONTEXT_JOIN.join(path)
        if context not in self._known:
            self._known[context] = self.sizes(context + CONTEXT_END) - self.edge
        return self._known[context]

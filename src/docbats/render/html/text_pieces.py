"""The text of a document as HTML: its sentences, in pieces that no cut divides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markup import Markup, element, escaped, joined
from docbats.render.html.shown_blocks import is_special, open_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.blocks import Block
    from docbats.render.html.shown_text import ShownText
    from docbats.result import Result

__all__ = ["TextPieces", "write_pieces"]

_MAX_UNITS = 6000  # elements for sentences; with more the page is larger and slower to scroll
_MAX_RUNS = 40  # pieces that begin within a line; with more, a text without lines is slow to change
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class TextPieces:
    """A text as HTML.

    Attributes
    ----------
    pieces
        The text, split wherever any cut may begin a segment; each is a block of its own.
    wrapped
        Whether lines are broken inside sentences, so that only blank lines matter.
    units
        The first sentence of each element for sentences; in a very long text one holds several.
    """

    pieces: tuple[Markup, ...]
    wrapped: bool
    units: list[int]


@dataclass(frozen=True)
class _Unit:
    """Some sentences with an element of their own, what follows them, and their block."""

    first: int
    start: int
    end: int
    gap_end: int
    block: Block | None
    name: str | None


def write_pieces(
    result: Result,
    key: str,
    shown: ShownText,
    *,
    pieces: Sequence[int],
    places: Iterable[int],
    above: Iterable[int],
    heading_level: int,
) -> TextPieces:
    """Write the sentences.

    Parameters
    ----------
    result, shown
        The document, and how its text is shown.
    key
        The prefix of ids.
    pieces
        The sentences at which pieces begin.
    places
        The sentences that something links to.
    above
        The sentences that are headings and shown as the titles of segments already.
    heading_level
        That of all other headings, for screen readers.
    """
    text, spans = result.document.text, result.document.spans
    places = set(places)
    firsts = _unit_starts(result, shown, [*pieces, *places])
    is_each = len(firsts) == len(spans)
    wrapped = is_each and _is_wrapped(result)
    units = list(_units(result, key, shown, firsts, places))
    edges = np.searchsorted([unit.first for unit in units], [*pieces, len(spans)]).tolist()
    names = [_name_piece(text[spans[i - 1, 1] : spans[i, 0]] if i else "\n\n") for i in pieces]
    if names.count("piece run") > _MAX_RUNS:
        names = ["piece"] * len(names)
    writer = _Writer(text, shown, wrapped, is_each, heading_level, frozenset(above))
    found = []
    for (first, last), name in zip(pairwise(edges), names, strict=True):
        before = writer.opening(units[0].start) if first == 0 else None
        content = writer.piece(units[first:last], None if last == len(units) else units[last])
        found.append(element("div", before, content, class_=name, dir="auto"))
    return TextPieces(pieces=tuple(found), wrapped=wrapped, units=[unit.first for unit in units])


def _unit_starts(result: Result, shown: ShownText, fixed: list[int]) -> list[int]:
    """Return the first sentence of each element; headings, lists and so on have their own."""
    spans = result.document.spans
    step = -(-len(spans) // _MAX_UNITS)
    firsts = np.unique([*range(0, len(spans), step), *fixed])
    if step == 1:
        return list(firsts.tolist())
    special = [block for block in shown.document.blocks if is_special(block)]
    edges = [edge for block in special for edge in (block.start, block.end)]
    found = np.searchsorted(spans[:, 0], edges)
    found = np.unique([*firsts, *found[found < len(spans)]])
    return list((found if len(found) <= 2 * _MAX_UNITS else firsts).tolist())


def _units(
    result: Result, key: str, shown: ShownText, firsts: list[int], places: set[int]
) -> Iterator[_Unit]:
    spans = result.document.spans
    starts = spans[firsts, 0].tolist()
    ends = spans[[*(i - 1 for i in firsts[1:]), len(spans) - 1], 1].tolist()
    gap_ends = [*starts[1:], len(result.document.text)]
    for first, start, end, gap_end in zip(firsts, starts, ends, gap_ends, strict=True):
        block = shown.block(start, end)
        yield _Unit(
            first,
            start,
            end,
            gap_end,
            block if block is not None and is_special(block) else None,
            f"{key}-s{first}" if first in places else None,
        )


@dataclass(frozen=True)
class _Writer:
    text: str
    shown: ShownText
    wrapped: bool
    is_each: bool
    heading_level: int
    above: frozenset[int]

    def opening(self, start: int) -> Markup:
        """Return what stands before the first sentence."""
        if not self.text[:start].isspace() and self.shown.is_hidden(0, start):
            return element("span", self.text[:start], class_="gap")
        return self.shown.markup(0, start)

    def piece(self, units: Sequence[_Unit], following: _Unit | None) -> Markup:
        """Return some sentences and what is between them; lists and so on are blocks."""
        parts: list[Markup] = []
        inside: list[Markup] = []  # of the block that is being written, from `opened` on
        opened = 0
        for unit, after in pairwise([*units, following]):
            assert unit is not None
            block = unit.block
            opened = opened if inside else unit.start
            (parts if block is None else inside).append(self._sentence(unit))
            goes_on = after is not None and after.block is block and after is not following
            gap = unit.end
            if block is not None:
                gap = unit.gap_end if goes_on else max(gap, min(block.end, unit.gap_end))
                inside.append(self._within(block, unit.end, gap))
            if block is not None and not goes_on:
                attributes = open_block(
                    self.shown,
                    block,
                    self.heading_level,
                    goes_on=opened > block.start,
                    is_cut=after is not None and after.block is block,
                    is_above=unit.first in self.above,
                )
                parts.append(element("div", *inside, **attributes))
                inside = []
            if gap < unit.gap_end:
                is_between = block is not None or (after is not None and after.block is not None)
                ends_line = after is following and _LINE_END.search(self.text, gap, unit.gap_end)
                parts.append(self._gap(gap, unit.gap_end, hide=is_between or bool(ends_line)))
        return joined(*parts)

    def _sentence(self, unit: _Unit) -> Markup:
        is_row = self.is_each and unit.block is not None and unit.block.kind == "table"
        content = (self.shown.cells if is_row else self.shown.markup)(unit.start, unit.end)
        return element("span", content, class_="s", id=unit.name)

    def _within(self, block: Block, start: int, end: int) -> Markup:
        """Return what is between two sentences of a block, or after the last."""
        if start >= end:
            return Markup()
        if self.is_each and block.kind == "table":
            return element("span", self.text[start:end], class_="gap")
        return self.shown.markup(start, end)

    def _gap(self, start: int, end: int, *, hide: bool) -> Markup:
        """Return what is between two sentences; line ends are hidden where blocks meet."""
        text = self.text[start:end]
        if not text:
            return Markup()
        if not text.isspace() and self.shown.is_hidden(start, end):
            if hide:
                return element("span", text, class_="gap")
            mark = start + len(text.rstrip())
            return joined(
                element("span", self.text[start:mark], class_="gap"),
                self._gap(mark, end, hide=False),
            )
        if not text.isspace():
            return self.shown.markup(start, end)
        blank = self.wrapped and _BLANK_LINE.search(_plain(text))
        names = ["gap"] * hide + ["blank"] * bool(blank)
        return element("span", text, class_=" ".join(names)) if names else escaped(text)


def _name_piece(gap: str) -> str:
    """Return the classes of the piece after a gap: it begins a paragraph, a line, or runs on."""
    if _BLANK_LINE.search(_plain(gap)):
        return "piece par"
    return "piece" if _LINE_END.search(gap) else "piece run"


def _plain(gap: str) -> str:
    return _LINE_END.sub("\n", gap)


def _is_wrapped(result: Result) -> bool:
    """Whether most lines end inside a sentence, as in texts wrapped at a fixed width."""
    if result.document.markup:
        return True
    text, spans = result.document.text, result.document.spans.tolist()
    inside = sum(len(_LINE_END.findall(text, start, end)) for start, end in spans)
    gaps = (text[end:start] for (_, end), (start, _) in pairwise(spans))
    between = sum(len(_LINE_END.findall(gap)) == 1 for gap in gaps)
    return inside > between

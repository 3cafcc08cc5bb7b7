"""How the text of a document is shown: its sentences in pieces, and which marks are hidden."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.render.html.markup import Markup, element, escape_html, joined
from docbats.render.html.talk import speaker_class, turn_label
from docbats.text.markup import scan_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.render.speakers import Talk, Turn
    from docbats.result import Result

MARK = "m"
"""The class of hidden text."""

_LABEL = "who"  # the class of names and times in the text, which are shown beside it
_INLINE_CLASSES = {
    "code": "c", "reference": "c", "footnote": "u", "break": "n", "image": "e",
    "strong emphasis": "b e", "strong": "b", "deleted": "d", "emphasis": "e",
}  # fmt: skip
_BLOCK_CLASSES = {
    "heading": "title", "list_item": "item", "quote": "quote", "code": "code", "table": "table",
    "contents": "aside", "references": "aside", "turn": "turn",
}  # fmt: skip
_MAX_DEPTH = 4  # of lists and headings; deeper ones look the same
_MAX_UNITS = 6000  # elements for sentences; with more the page is larger and slower to scroll
_MAX_TURNS = 20_000  # with a name and a time, each in elements of its own; with more, in none
_MAX_RUNS = 40  # pieces that begin within a line; with more, a text without lines is slow to change
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE_END = re.compile(r"\r\n?|\n")
_BULLET = re.compile(r"[-*+•‣◦▪▫●○■□⁃·–]\s*+")
_NUMBER = re.compile(r"\(?(?:\d{1,9}|[a-zA-Z])[.)]\s")
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n\r]*+(?:\r\n?|\n|\Z)")
_FENCE_END = re.compile(r"(?:\r\n?|\n)[ \t>]*+(?:`{3,}|~{3,})[ \t]*+\Z")
_RULE = re.compile(r"(?m)^[ \t]*+([-*_])[ \t]*+(?:\1[ \t]*+){2,}$")
_BLANKS = re.compile(r"[ \t]++")
_CELL_EDGE = re.compile(r"\\.|\||\t")


class Style(NamedTuple):
    """The class of a span of text."""

    start: int
    end: int
    name: str


def inline_styles(written: str) -> Iterator[Style]:
    r"""Yield what to hide of a block of Markdown and how to show words; styles may be nested.

    >>> text = "**Bats** and `tea*`"
    >>> [(text[s.start : s.end], s.name) for s in inline_styles(text)]
    [('`', 'm'), ('tea*', 'c'), ('`', 'm'), ('**', 'm'), ('Bats', 'b'), ('**', 'm')]
    """
    for kind, start, words_start, words_end, end in scan_inline(written):
        if kind == "alert":
            continue
        for style in (
            Style(start, words_start, MARK),
            Style(words_start, words_end, _INLINE_CLASSES.get(kind, "")),
            Style(words_end, end, MARK),
        ):
            if style.name and style.end > style.start:
                yield style


class ShownText:
    """The text of a document as the report shows it: spans of it have classes, none is dropped.

    The document's blocks say what is a heading, a list item and so on, and its prose which of
    their characters are marks rather than words.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._text = document.text
        self._block_starts = [block.start for block in document.blocks]

    def block(self, start: int, end: int) -> Block | None:
        """Return the block around a span of the text, if it is within one."""
        i = bisect_right(self._block_starts, start) - 1
        found = self.document.blocks[i] if i >= 0 else None
        return found if found is not None and end <= found.end else None

    def kind(self, block: Block) -> str:
        """Return how a block is shown: code inside a list is shown as code."""
        has_prose = self._prose[block.start : block.end].strip()
        return "code" if block.kind in {"list_item", "quote"} and not has_prose else block.kind

    def has_bullet(self, block: Block) -> bool:
        """Whether a list item begins with a bullet, which the page draws itself."""
        return _BULLET.match(self._text, block.start, block.end) is not None

    def has_number(self, block: Block) -> bool:
        """Whether a list item begins with a number or a letter."""
        return _NUMBER.match(self._text, block.start, block.end) is not None

    def markup(self, start: int, end: int) -> Markup:
        """Return a span of the text with its classes."""
        return joined(
            *(
                element("span", self._text[first:last], class_=name)
                if name
                else self._text[first:last]
                for first, last, name in self._between(start, end)
            )
        )

    def cells(self, start: int, end: int) -> Markup:
        """Return a table row as cells between the marks."""
        text = self._text
        sign = "|" if self.document.markup else "\t"
        edges = [
            match.start() for match in _CELL_EDGE.finditer(text, start, end) if match[0] == sign
        ]
        parts: list[Markup] = []
        for first, last in pairwise([start - 1, *edges, end]):
            if first >= start:
                parts.append(element("span", text[first], class_=MARK))
            is_outside = (first < start or last == end) and not text[first + 1 : last].strip()
            if is_outside and edges:
                parts.append(escape_html(text[first + 1 : last]))
            else:
                parts.append(element("span", self.markup(first + 1, last), class_="cell"))
        return joined(*parts)

    def plain(self, start: int, end: int) -> str:
        """Return a span of the text without the hidden marks, and without who says it."""
        return "".join(
            self._text[first:last]
            for first, last, name in self._between(start, end)
            if not {MARK, _LABEL} & set(name.split())
        )

    def is_hidden(self, start: int, end: int) -> bool:
        """Whether a span shows nothing but white space."""
        parts = self._between(start, end)
        return all(name == MARK or self._text[a:b].isspace() for a, b, name in parts)

    @property
    def _prose(self) -> str:
        return self._text if self.document.prose is None else self.document.prose

    def _between(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Split a span of the text where its class changes."""
        starts = self._style_starts
        at = start
        for style in self._styles[
            max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)
        ]:
            first, last = max(at, style.start), min(end, style.end)
            if first >= last:
                continue
            if at < first:
                yield at, first, ""
            yield first, last, style.name
            at = last
        if at < end:
            yield at, end, ""

    @cached_property
    def _style_starts(self) -> list[int]:
        return [style.start for style in self._styles]

    @cached_property
    def _styles(self) -> list[Style]:
        """The classes in the order of the text, without overlaps."""
        found = [style for block in self.document.blocks for style in self._block_styles(block)]
        if self.document.markup:
            found += self._styles_between()
        return _flat(found)

    def _block_styles(self, block: Block) -> Iterator[Style]:
        kind = self.kind(block)
        if kind == "code":
            yield from self._fences(block)
            return
        blanked = self._blanked(block.start, block.end) if block.is_prose else []
        if kind == "turn":
            end = self._label_end(block, blanked)
            if end > block.start:
                yield Style(block.start, end, _LABEL)
            if not self.document.markup:  # times amid the turn, and such
                visible = (self._visible(first, last) for first, last in blanked if first >= end)
                yield from (Style(first, last, _LABEL) for first, last in visible if first < last)
        elif kind in {"list_item", "contents"}:
            label = _BULLET.match(self._text, block.start, block.end)
            if label is not None:
                yield Style(*label.span(), MARK)
        elif kind in {"heading", "quote"}:
            yield from (Style(*span, MARK) for span in blanked)
        if self.document.markup:
            written = self._text[block.start : block.end]
            for style in inline_styles(written):
                yield Style(block.start + style.start, block.start + style.end, style.name)

    def _visible(self, start: int, end: int) -> tuple[int, int]:
        text = self._text[start:end]
        return start + len(text) - len(text.lstrip()), start + len(text.rstrip())

    def _label_end(self, block: Block, blanked: Sequence[tuple[int, int]]) -> int:
        """Return where the name and the time end that a turn begins with.

        Blanks and line ends in them are no different in the prose. In Markdown, addresses and
        images, which are blank in the prose as well, may follow.
        """
        end, last_name = block.start, (block.speaker or "").split()[-1:]
        for first, last in blanked:
            label = self._text[block.start : end]
            if self._text[end:first].strip():
                break
            is_named = all(name in label for name in last_name)
            if self.document.markup and is_named and any(map(str.isalpha, self._text[first:last])):
                break
            end = last
        return end

    def _fences(self, block: Block) -> Iterator[Style]:
        if not self.document.markup:
            return
        first = _FENCE.match(self._text, block.start, block.end)
        if first is not None:
            yield Style(*first.span(), MARK)
            last = _FENCE_END.search(self._text, first.end() - 1, block.end)
            if last is not None:
                yield Style(*last.span(), MARK)

    def _styles_between(self) -> Iterator[Style]:
        """Hide what is not text between the blocks of Markdown: metadata, comments, rules."""
        blocks = self.document.blocks
        edges = [
            0,
            *(edge for block in blocks for edge in (block.start, block.end)),
            len(self._text),
        ]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if not self._text[start:end].isspace():
                yield from (Style(*span, MARK) for span in self._blanked(start, end))
                for rule in _RULE.finditer(self._text, start, end):
                    yield Style(*rule.span(), MARK)

    def _blanked(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the spans that are blank only in the prose, with the blanks after them."""
        written, prose = self._text[start:end], self._prose[start:end]
        if written == prose:
            return []
        differs = np.array([a != b for a, b in zip(written, prose, strict=True)])
        edges = np.flatnonzero(np.diff(differs, prepend=False, append=False)).tolist()
        spans = []
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            blanks = _BLANKS.match(self._text, start + last, end)
            spans.append((start + first, blanks.end() if blanks else start + last))
        return spans


def _flat(styles: Iterable[Style]) -> list[Style]:
    """Split overlapping styles, so that each part has the names of all that cover it."""
    events = sorted(
        (place, step, style.name)
        for style in styles
        for place, step in ((style.start, 1), (style.end, 0))
    )
    flat: list[Style] = []
    active: list[str] = []
    at = 0
    for place, step, name in events:
        if active and place > at:
            names = MARK if MARK in active else " ".join(dict.fromkeys(sorted(active)))
            flat.append(Style(at, place, names))
        at = place
        if step:
            active.append(name)
        else:
            active.remove(name)
    return flat


@dataclass(frozen=True)
class TextPieces:
    """A text as HTML.

    Attributes
    ----------
    pieces
        The text as blocks, split wherever a segment of any cut may begin.
    wrapped
        Whether lines are broken inside sentences, so that only blank lines matter.
    units
        The first sentence of each element; in a very long text an element has several.
    turns
        The turn of each element that shows one, and the time at which the element begins.
    """

    pieces: tuple[Markup, ...]
    wrapped: bool
    units: list[int]
    turns: list[tuple[Turn, float | None]]


@dataclass(frozen=True)
class _Unit:
    """Sentences that share an element, the gap after them, and their block."""

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
    talk: Talk | None,
) -> TextPieces:
    """Return the text as HTML.

    Parameters
    ----------
    result, shown
        The document, and how its text is shown.
    key
        The prefix of ids.
    pieces
        The first sentence of each piece.
    places
        The sentences that are targets of links.
    above
        The headings that are already shown as titles of segments.
    heading_level
        The level of the other headings, for screen readers.
    talk
        Who says what, if that is to be shown.
    """
    text, spans = result.document.text, result.document.spans
    places = set(places)
    if talk is not None and len(talk.turns) > _MAX_TURNS:
        talk = None
    most = 2 * _MAX_UNITS if talk is None else _MAX_UNITS + 2 * _MAX_TURNS
    firsts = _unit_starts(result, shown, [*pieces, *places], most)
    is_each = len(firsts) == len(spans)
    wrapped = is_each and _is_wrapped(result)
    units = list(_units(result, key, shown, firsts, places))
    edges = np.searchsorted([unit.first for unit in units], [*pieces, len(spans)]).tolist()
    names = [_name_piece(text[spans[i - 1, 1] : spans[i, 0]] if i else "\n\n") for i in pieces]
    if names.count("piece run") > _MAX_RUNS:
        names = ["piece"] * len(names)
    writer = _TextWriter(text, shown, wrapped, is_each, heading_level, frozenset(above), talk)
    found = []
    for (first, last), name in zip(pairwise(edges), names, strict=True):
        before = writer.opening(units[0].start) if first == 0 else None
        content = writer.piece(units[first:last], None if last == len(units) else units[last])
        found.append(element("div", before, content, class_=name, dir="auto"))
    firsts = [unit.first for unit in units]
    return TextPieces(pieces=tuple(found), wrapped=wrapped, units=firsts, turns=writer.turns)


def _unit_starts(result: Result, shown: ShownText, fixed: list[int], most: int) -> list[int]:
    """Return the first sentence of each element; special blocks have elements of their own.

    With more than `most` elements they have not.
    """
    spans = result.document.spans
    step = -(-len(spans) // _MAX_UNITS)
    firsts = np.unique([*range(0, len(spans), step), *fixed])
    if step == 1:
        return list(firsts.tolist())
    special = [block for block in shown.document.blocks if block.kind in _BLOCK_CLASSES]
    edges = [edge for block in special for edge in (block.start, block.end)]
    found = np.searchsorted(spans[:, 0], edges)
    found = np.unique([*firsts, *found[found < len(spans)]])
    return list((found if len(found) <= most else firsts).tolist())


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
            block if block is not None and block.kind in _BLOCK_CLASSES else None,
            f"{key}-s{first}" if first in places else None,
        )


@dataclass(frozen=True)
class _TextWriter:
    text: str
    shown: ShownText
    wrapped: bool
    is_each: bool
    heading_level: int
    above: frozenset[int]
    talk: Talk | None
    turns: list[tuple[Turn, float | None]] = field(
        default_factory=list
    )  # as far as they are written

    def opening(self, start: int) -> Markup:
        """Return the text before the first sentence."""
        if not self.text[:start].isspace() and self.shown.is_hidden(0, start):
            return element("span", self.text[:start], class_="gap")
        return self.shown.markup(0, start)

    def piece(self, units: Sequence[_Unit], following: _Unit | None) -> Markup:
        """Return sentences and the text between them; special blocks have their own elements."""
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
                is_cut = after is not None and after.block is block
                parts.append(self._block(block, inside, opened, unit.first, is_cut=is_cut))
                inside = []
            if gap < unit.gap_end:
                is_between = block is not None or (after is not None and after.block is not None)
                ends_line = after is following and _LINE_END.search(self.text, gap, unit.gap_end)
                parts.append(self._gap(gap, unit.gap_end, hide=is_between or bool(ends_line)))
        return joined(*parts)

    def _block(
        self, block: Block, inside: list[Markup], opened: int, first: int, *, is_cut: bool
    ) -> Markup:
        """Return the element of a block, or of the part of it from `opened` on."""
        kind = self.shown.kind(block)
        names = [_BLOCK_CLASSES[kind]]
        if is_cut:
            names.append("cut")
        if opened > block.start:
            names.append("on")
        elif kind in {"list_item", "contents"} and self.shown.has_bullet(block):
            names.append("bullet")
        elif kind == "list_item" and self.shown.has_number(block):
            names.append("number")
        if first in self.above:
            names.append("above")
        if kind in {"heading", "list_item"}:
            names.append(f"l{min(block.level or 1, _MAX_DEPTH)}")
        turn = None if self.talk is None else self.talk.turn(block)
        label = None
        if turn is not None and self.talk is not None:
            names += filter(None, ["spoken", speaker_class(turn.speaker)])
            is_first = opened <= block.start
            seconds = turn.seconds if is_first else self._seconds(opened)
            label = turn_label(self.talk, turn, seconds, is_first=is_first)
            self.turns.append((turn, seconds))
        is_heading = kind == "heading"
        return element(
            "div", label, *inside, class_=" ".join(names), role="heading" if is_heading else None,
            aria_level=self.heading_level if is_heading else None,
        )  # fmt: skip

    def _seconds(self, start: int) -> float | None:
        place = self.shown.document.place(start, start + 1)
        return None if place is None or place.seconds is None else place.seconds[0]

    def _sentence(self, unit: _Unit) -> Markup:
        is_row = self.is_each and unit.block is not None and unit.block.kind == "table"
        content = (self.shown.cells if is_row else self.shown.markup)(unit.start, unit.end)
        return element("span", content, class_="s", id=unit.name)

    def _within(self, block: Block, start: int, end: int) -> Markup:
        """Return the text between two sentences of a block, or after its last."""
        if start >= end:
            return Markup()
        if self.is_each and block.kind == "table":
            return element("span", self.text[start:end], class_="gap")
        return self.shown.markup(start, end)

    def _gap(self, start: int, end: int, *, hide: bool) -> Markup:
        """Return the text between two sentences; line ends are hidden where blocks meet."""
        text = self.text[start:end]
        if not text:
            return Markup()
        if not text.isspace() and self.shown.is_hidden(start, end):
            mark = end if hide else start + len(text.rstrip())
            gap = element("span", self.text[start:mark], class_="gap")
            return joined(gap, self._gap(mark, end, hide=hide))
        if not text.isspace():
            return self.shown.markup(start, end)
        blank = self.wrapped and _BLANK_LINE.search(_plain(text))
        names = ["gap"] * hide + ["blank"] * bool(blank)
        return element("span", text, class_=" ".join(names)) if names else escape_html(text)


def _name_piece(gap: str) -> str:
    """Return the classes of the piece after a gap: a new paragraph, a new line, or neither."""
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

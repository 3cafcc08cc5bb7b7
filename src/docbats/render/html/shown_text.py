"""How the text of a document is shown: which of its marks are hidden, and which words stand out."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markdown_styles import MARK, Style, inline_styles
from docbats.render.html.markup import Markup, element, escaped, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.blocks import Block
    from docbats.document import Document

__all__ = ["ShownText"]

_BULLET = re.compile(r"[-*+•‣◦▪▫●○■□⁃·–]\s*+")
_NUMBER = re.compile(r"\(?(?:\d{1,9}|[a-zA-Z])[.)]\s")
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n\r]*+(?:\r\n?|\n|\Z)")
_FENCE_END = re.compile(r"(?:\r\n?|\n)[ \t>]*+(?:`{3,}|~{3,})[ \t]*+\Z")
_RULE = re.compile(r"(?m)^[ \t]*+([-*_])[ \t]*+(?:\1[ \t]*+){2,}$")
_BLANKS = re.compile(r"[ \t]++")
_CELL_EDGE = re.compile(r"\\.|\||\t")


class ShownText:
    """The text of a document with classes for some stretches; all of it stays in the page.

    Parameters
    ----------
    document
        Its blocks say what is a heading, an item of a list and so on, and its prose which marks of
        them are no words.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._text = document.text
        self._block_starts = [block.start for block in document.blocks]

    def block(self, start: int, end: int) -> Block | None:
        """Return the block that a stretch of text lies in."""
        i = bisect_right(self._block_starts, start) - 1
        found = self.document.blocks[i] if i >= 0 else None
        return found if found is not None and end <= found.end else None

    def kind(self, block: Block) -> str:
        """Return how a block is shown: code inside a list is shown as code."""
        if (
            block.kind in {"list_item", "quote"}
            and not self._prose[block.start : block.end].strip()
        ):
            return "code"
        return block.kind

    def has_bullet(self, block: Block) -> bool:
        """Whether an item of a list begins with a bullet, which is drawn instead."""
        return _BULLET.match(self._text, block.start, block.end) is not None

    def has_number(self, block: Block) -> bool:
        """Whether an item of a list begins with a number or a letter."""
        return _NUMBER.match(self._text, block.start, block.end) is not None

    def markup(self, start: int, end: int) -> Markup:
        """Return a stretch of the text with its classes."""
        parts = [
            element("span", self._text[first:last], class_=name)
            if name
            else escaped(self._text[first:last])
            for first, last, name in self._between(start, end)
        ]
        return joined(*parts)

    def cells(self, start: int, end: int) -> Markup:
        """Return a row of a table as cells between the marks."""
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
                parts.append(escaped(text[first + 1 : last]))
            else:
                parts.append(element("span", self.markup(first + 1, last), class_="cell"))
        return joined(*parts)

    def plain(self, start: int, end: int) -> str:
        """Return a stretch of the text as it is shown, without hidden marks."""
        return "".join(
            self._text[first:last]
            for first, last, name in self._between(start, end)
            if name != MARK
        )

    def is_hidden(self, start: int, end: int) -> bool:
        """Whether nothing but white space is shown of a stretch."""
        return not self.plain(start, end).strip()

    @property
    def _prose(self) -> str:
        return self._text if self.document.prose is None else self.document.prose

    def _between(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Split a stretch of the text where its class changes."""
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
        """The classes in the order of the text; none overlap."""
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
            yield from (Style(*span, "who") for span in blanked[:1] if span[0] == block.start)
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
        """Hide what is no words between the blocks of Markdown: metadata, comments, rules."""
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
        """Return where the prose has blanks and the text has not, with the blanks behind that."""
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
    """Return stretches that do not overlap: where some do, one with the names of all of them."""
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

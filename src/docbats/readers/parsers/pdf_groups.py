"""The lines of a PDF's pages, grouped to what the author built: paragraphs, list items, code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.readers.parsers.pdf_style import ends_sentence, have_same_font

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docbats.blocks import BlockKind
    from docbats.readers.parsers.pdf_bookmarks import MarkedHeading
    from docbats.readers.parsers.pdf_line import Line
    from docbats.readers.parsers.pdf_style import Style

__all__ = ["LINE_KINDS", "Group", "group_lines"]

LINE_KINDS = frozenset({"code", "table", "contents"})  # blocks whose lines stay lines

_MIN_PARAGRAPH_GAP = 1.25  # of the usual distance between lines; larger joins more paragraphs
_MIN_INDENT = 0.8  # of a paragraph's first line, in sizes of letters
_MAX_INDENT = 8.0
_SHORT_LINE = 0.6  # of a full line: a sentence that ends there ends its paragraph
_FULL_LINE = 0.85
_MIN_FULL_LENGTH = 50  # in narrower text short lines show nothing
_SAME_LEFT = 2.0  # points by which lines of one column may begin apart

_BULLETS = "•◦▪‣●○■□·∙\uf0b7\uf0a7"
_DASHES = "-–—*"
_ITEM_NUMBER = re.compile(r"\(?(\d{1,3}|[a-z])[.)]\s")


@dataclass(slots=True)
class Group:
    """Lines that belong together, each with the index of its page."""

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    level: int | None = None
    is_certain: bool = True


def group_lines(
    pages: Sequence[list[Line]],
    style: Style,
    headings: Mapping[tuple[int, int], MarkedHeading],
    kinds: Mapping[tuple[int, int], BlockKind],
) -> list[Group]:
    """Group the lines; `headings` and `kinds` tell what is known of some, by page and line."""
    grouper = _Grouper(style)
    special_pages = {page for page, _ in (*headings, *kinds)}
    for page, lines in enumerate(pages):
        if page not in special_pages:
            for line in lines:
                grouper.add(line, page, None)
            continue
        rest_of_heading = 0
        for i, line in enumerate(lines):
            if rest_of_heading:
                rest_of_heading -= 1
                grouper.go_on(line, page)
            elif (page, i) in headings:
                n_lines, level = headings[page, i]
                rest_of_heading = n_lines - 1
                grouper.begin("heading", line, page, level)
            else:
                grouper.add(line, page, kinds.get((page, i)))
    return grouper.groups


class _Grouper:
    """Adds line after line to the last group, or begins another one."""

    def __init__(self, style: Style) -> None:
        self.groups: list[Group] = []
        self._style = style
        self._group = Group("heading")
        self._last: Line | None = None
        self._page = 0
        self._max_gap = _MIN_PARAGRAPH_GAP * style.distance
        self._item_lefts: list[float] = []  # of the list items around a line, outermost first
        self._item_number: str | None = None

    def begin(self, kind: BlockKind, line: Line, page: int, level: int | None = None) -> None:
        """Begin a group."""
        if kind not in {"list_item", "code"}:
            self._item_lefts.clear()
            self._item_number = None
        self._group = Group(kind, level=level)
        self.groups.append(self._group)
        self.go_on(line, page)

    def go_on(self, line: Line, page: int) -> None:
        """Add a line to the last group."""
        self._group.lines.append(line)
        self._group.pages.append(page)
        self._last, self._page = line, page

    def add(self, line: Line, page: int, known: BlockKind | None) -> None:
        """Add a line to the last group or begin another one."""
        last = self._last
        kind: BlockKind = known or "paragraph"
        if line.is_mono and known is None and not self._style.is_mono:
            kind = "code"
        if last is None:
            self._begin_text(kind, line, page)
            return
        gap = last.top - line.top
        size = last.size
        is_same_page = page == self._page
        if (
            is_same_page
            and -0.5 * size < gap < 0.5 * size
            and line.left > last.left
            and (known is None or self._group.kind == known)
        ):
            self.go_on(line, page)  # the same line, in another font
            return
        group_kind = self._group.kind
        if group_kind == "heading" or kind != "paragraph" or group_kind in LINE_KINDS:
            if kind == group_kind and kind in LINE_KINDS:
                self.go_on(line, page)
            else:
                self._begin_text(kind, line, page)
            return
        is_next_line = is_same_page and gap > 0
        if is_next_line:
            is_apart = gap > self._max_gap * size or not have_same_font(last, line)
            is_apart = is_apart or self._is_indented(last, line)
        else:
            is_apart = not line.text[0].islower() and (
                ends_sentence(last.text) or not have_same_font(last, line)
            )
        if is_apart:
            self._begin_text(kind, line, page)
        elif self._is_item(line, last):
            self._begin_item(line, page)
        else:
            self.go_on(line, page)

    def _begin_text(self, kind: BlockKind, line: Line, page: int) -> None:
        if kind != "paragraph":
            self.begin(kind, line, page)
        elif self._is_item(line, None):
            self._begin_item(line, page)
        elif self._goes_on_in_item(line):
            self.begin("list_item", line, page, len(self._item_lefts))
        else:
            self.begin("paragraph", line, page)

    def _begin_item(self, line: Line, page: int) -> None:
        lefts = self._item_lefts
        while lefts and lefts[-1] > line.left + _SAME_LEFT:
            lefts.pop()
        if not lefts or line.left > lefts[-1] + _SAME_LEFT:
            lefts.append(line.left)
        number = _ITEM_NUMBER.match(line.text)
        self.begin("list_item", line, page, len(lefts))
        self._item_number = number[1] if number else None

    def _is_item(self, line: Line, last: Line | None) -> bool:
        """Whether a line begins with the mark of a list item, after a line of the same group."""
        text = line.text
        first = text[0]
        if first in _BULLETS:
            return True
        if first in _DASHES:
            return text[1:2] == " " and first != "—" and self._ends_item(last, line)
        if text[1:2] not in ".)" and not first.isdigit() and first != "(":
            return False
        found = _ITEM_NUMBER.match(text)
        return found is not None and (self._ends_item(last, line) or self._follows(found[1]))

    def _ends_item(self, last: Line | None, line: Line) -> bool:
        """Whether a sentence or, by where the next line begins, a list item ends with a line."""
        if last is None:
            return True
        is_elsewhere = abs(line.left - last.left) > _SAME_LEFT
        return ends_sentence(last.text) or (is_elsewhere and self._group.kind == "list_item")

    def _follows(self, number: str) -> bool:
        last = self._item_number
        if last is None:
            return False
        if number.isdecimal() and last.isdecimal():
            return int(number) == int(last) + 1
        return len(number) == len(last) == 1 and ord(number) == ord(last) + 1

    def _goes_on_in_item(self, line: Line) -> bool:
        """Whether a paragraph stands where the second line of the list item before it stands."""
        lines = self._group.lines
        return (
            self._group.kind == "list_item"
            and len(lines) > 1
            and lines[-1].left > self._item_lefts[-1] + _SAME_LEFT
            and abs(lines[-1].left - line.left) <= _SAME_LEFT
            and have_same_font(lines[-1], line)
        )

    def _is_indented(self, last: Line, line: Line) -> bool:
        """Whether a paragraph ends with the last line and another begins, without a gap."""
        style, lines = self._style, self._group.lines
        indent = line.left - last.left
        is_short = len(last.text) < _SHORT_LINE * style.length
        if _MIN_INDENT * line.size < indent < _MAX_INDENT * line.size:
            return (len(lines) > 1 or is_short) and ends_sentence(last.text)
        return (
            is_short
            and style.length >= _MIN_FULL_LENGTH
            and len(lines) > 1
            and len(lines[-2].text) > _FULL_LINE * style.length
            and abs(indent) <= _SAME_LEFT
            and not line.text[0].islower()
            and ends_sentence(last.text)
        )

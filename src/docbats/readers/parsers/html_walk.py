"""The blocks of an HTML page in the order of its tags, with the elements that they lie in."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.parsers.html_elements import (
    BLOCK_TAGS,
    CLOSED_BY_ITS_LIKE,
    HEADING_TAGS,
    VOID_TAGS,
    element_marks,
)
from docbats.readers.parsers.html_table import merge_rows
from docbats.readers.parsers.html_tags import EndTag, StartTag, scan_tags

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

__all__ = ["Element", "HtmlBlock", "HtmlPage", "walk_page"]

_SPACE = re.compile(r"[ \t\r\n\f]+")
_PERMALINK_MARKS = {"¶", "#", "§", "🔗", "⚓", "\uf0c1"}
_MAX_LINKED_SHARE = 0.6  # of the letters of a list or a line; with more it is a menu
_MAX_HEADING = 1000  # characters; in what is longer, the heading was never closed
_HEADINGS = {"hgroup", *HEADING_TAGS}
_ENDS_HEADING = {"ul", "ol", "dl", "table", "pre", "blockquote", "section", "article", "main"}


@dataclass(frozen=True)
class HtmlBlock:
    """A block of a page.

    Attributes
    ----------
    is_prose
        False for code and tables in lists and quotations, which are blocks of these.
    linked
        How many of its characters are in links.
    is_menu
        Whether it is mostly links, outside the main part of the page.
    row
        The row of a table that it stands in.
    element
        The index of the innermost element that it lies in.
    """

    text: str
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    is_prose: bool = True
    linked: int = 0
    is_menu: bool = False
    row: int = 0
    element: int = 0


class Element(NamedTuple):
    """An element of a page: the index of the one that it lies in, and what it is."""

    parent: int
    name: str
    marks: frozenset[str]


@dataclass(frozen=True, eq=False)
class HtmlPage:
    """All blocks of a page that are shown; the first element is the page itself."""

    blocks: list[HtmlBlock]
    elements: list[Element]


def walk_page(text: str, *, is_xml: bool, is_book: bool = False) -> HtmlPage:
    """Collect the blocks of a page; in a book, nothing is part of a site."""
    walk = _Walk(is_book=is_book)
    walk.feed(text, is_xml=is_xml)
    return HtmlPage(walk.found, walk.elements)


class _Walk:
    """Walks through the tags of a page, as forgiving as a browser."""

    def __init__(self, *, is_book: bool) -> None:
        self.found: list[HtmlBlock] = []
        self.elements = [Element(0, "", frozenset())]
        self._is_book = is_book
        self._stack: list[int] = []  # the indices of the elements that are open
        self._open: Counter[str] = Counter()
        self._headings = 0  # open headings and their groups
        self._marked: Counter[str] = Counter()  # how many open elements are what
        self._containers: list[BlockKind] = []  # the lists and quotations that are open
        self._list_depth = 0
        self._list_start = 0  # where the blocks of the outermost list or quotation begin
        # Where the blocks of the open tables begin; None if another table is in one, so that it
        # can only be there for the layout.
        self._table_starts: list[int | None] = []
        self._words: list[str] = []
        self._linked = 0
        self._number: str | None = None
        self._level: int | None = None  # of the heading that is open
        self._row = 0

    def feed(self, text: str, *, is_xml: bool) -> None:
        """Collect the blocks of a whole page."""
        for item in scan_tags(text, is_xml=is_xml):
            if isinstance(item, StartTag):
                self._start(item.name, item.attributes)
            elif isinstance(item, EndTag):
                self._end(item.name)
            else:
                self._text(item.text)
        while self._stack:
            self._pop()
        self._flush()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            self._text("\n", as_is=True)
            return
        if name in {"td", "th"} and self._words:
            self._text("\t", as_is=True)
        if name in _ENDS_HEADING or name in HEADING_TAGS:
            self._end_heading()
        if name in BLOCK_TAGS:
            self._break()
        if name in VOID_TAGS:
            return
        innermost = self._stack[-1] if self._stack else 0
        if name in CLOSED_BY_ITS_LIKE and self.elements[innermost].name == name:
            self._pop()
        marks = element_marks(
            name,
            attributes,
            is_book=self._is_book,
            in_main=self._marked["main"] > 0,
            in_section=self._open["section"] > 0,
        )
        opened = Element(self._stack[-1] if self._stack else 0, name, marks)
        self._stack.append(len(self.elements))
        self.elements.append(opened)
        self._count(opened, 1)
        self._enter(name)

    def _enter(self, name: str) -> None:
        """Note that a heading, a row, a table, a list or a quotation begins."""
        if name in HEADING_TAGS:
            level = HEADING_TAGS[name]
            self._level = level if self._level is None else min(level, self._level)
        elif name == "tr":
            self._row += 1
        elif name == "table":
            if self._table_starts:
                self._table_starts[-1] = None
            self._table_starts.append(len(self.found))
        elif name in {"ul", "ol", "blockquote"}:
            if not self._containers:
                self._list_start = len(self.found)
            self._containers.append("quote" if name == "blockquote" else "list_item")
            self._list_depth += name != "blockquote"

    def _leave(self, name: str) -> None:
        """Note that a table, a list or a quotation ends."""
        if name == "table":
            start = self._table_starts.pop()
            if start is not None:
                merge_rows(self.found, start, self._new_block)
        elif name in {"ul", "ol", "blockquote"}:
            outermost = self._containers[0]
            self._containers.pop()
            self._list_depth -= name != "blockquote"
            if not self._containers and outermost == "list_item":
                self._take_menu(self._list_start)

    def _take_menu(self, start: int) -> None:
        """Turn a list that is mostly links into contents or a menu."""
        items = self.found[start:]
        length = sum(len(block.text) for block in items)
        if sum(block.linked for block in items) > _MAX_LINKED_SHARE * length:
            is_menu = not (self._is_book or self._marked["main"])
            self.found[start:] = [
                replace(block, kind="contents", level=None, is_menu=is_menu) for block in items
            ]

    def _end(self, name: str) -> None:
        if not self._open[name]:
            return
        while self._pop() != name:
            pass

    def _end_heading(self) -> None:
        """Close a heading that was never closed."""
        if self._headings:
            for name in HEADING_TAGS:
                self._end(name)

    def _pop(self) -> str:
        opened = self.elements[self._stack[-1]]
        if "number" in opened.marks and self._headings:
            self._number = "".join(self._words)
        is_whole = opened.name in HEADING_TAGS and not self._open["hgroup"]
        if is_whole or opened.name in {"hgroup", "pre"}:
            self._flush()
        elif opened.name in BLOCK_TAGS:
            self._break()
        self._stack.pop()
        self._count(opened, -1)
        self._leave(opened.name)
        return opened.name

    def _count(self, opened: Element, step: int) -> None:
        self._open[opened.name] += step
        self._headings += step * (opened.name in _HEADINGS)
        for mark in opened.marks:
            self._marked[mark] += step

    def _text(self, text: str, *, as_is: bool = False) -> None:
        if self._marked["hidden"]:
            return
        words = text if as_is or self._open["pre"] else _SPACE.sub(" ", text)
        if self._marked["link"]:
            if words.strip() in _PERMALINK_MARKS and self._headings:
                return
            self._linked += len(words.strip())
        self._words.append(words)

    def _break(self) -> None:
        """End a paragraph; inside headings and code, end a line."""
        if self._open["pre"] or self._headings:
            if self._words:
                self._text("\n", as_is=True)
        else:
            self._flush()

    def _flush(self) -> None:
        """End a block."""
        written, linked = "".join(self._words), self._linked
        number, level = self._number, self._level
        self._words, self._linked, self._number, self._level = [], 0, None, None
        if not written:
            return
        is_code = self._open["pre"] > 0
        text = written.strip() if is_code else _tidy(written)
        if not text or self._marked["hidden"]:
            return
        block = replace(self._new_block(text, is_code=is_code), linked=linked)
        if level is not None and len(text) <= _MAX_HEADING and block.kind != "contents":
            block = replace(block, kind="heading", level=level, number=number, is_prose=True)
        elif self._is_line_of_links(block):
            is_menu = not self._marked["main"]
            block = replace(block, kind="contents", level=None, is_menu=is_menu)
        self.found.append(block)

    def _is_line_of_links(self, block: HtmlBlock) -> bool:
        """Whether a line that is no item of a list holds mostly links."""
        is_line = block.kind == "paragraph" and not self._open["p"] and not self._is_book
        return is_line and block.linked > _MAX_LINKED_SHARE * len(block.text)

    def _new_block(self, text: str, *, is_code: bool = False, is_table: bool = False) -> HtmlBlock:
        """Return a block of the kind that the open elements make it."""
        kind: BlockKind = "code" if is_code else "table" if is_table else "paragraph"
        level = None
        if self._marked["contents"]:
            kind = "contents"
        elif self._marked["references"]:
            kind = "references"
        elif self._containers:
            kind = self._containers[0]
            level = self._list_depth or None
        is_prose = not (is_code or is_table)
        element = self._stack[-1] if self._stack else 0
        return HtmlBlock(text, kind, level, is_prose=is_prose, row=self._row, element=element)


def _tidy(written: str) -> str:
    lines = (" ".join(line.split(" ")).strip(" \t\xa0") for line in written.split("\n"))
    return re.sub(r" {2,}", " ", "\n".join(line for line in lines if line))

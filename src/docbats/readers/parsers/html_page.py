"""The blocks of an HTML page, without its menus, headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.parsers import html_elements as elements
from docbats.readers.parsers.html_table import merge_rows
from docbats.readers.parsers.html_tags import EndTag, StartTag, scan_tags
from docbats.readers.parsers.text_builder import TextBuilder

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.readers.file_text import FileText

__all__ = ["HtmlBlock", "html_blocks", "read_html"]

_SPACE = re.compile(r"[ \t\r\n\f]+")
_PERMALINK_MARKS = {"¶", "#", "§", "🔗", "⚓", "\uf0c1"}
_MAX_LINKED_SHARE = 0.6  # of the letters of a list or a line; with more it is a menu
_MIN_PAGE_LENGTH = 200  # characters; with less, too much was taken for a menu
_MAX_HEADING = 1000  # characters; in what is longer, the heading was never closed
_ENDS_HEADING = {"ul", "ol", "dl", "table", "pre", "blockquote", "section", "article", "main"}


@dataclass(frozen=True)
class HtmlBlock:
    """A block of a page; `linked` counts its characters in links.

    `is_prose` is False for code and tables in lists and quotations, which are blocks of these.
    """

    text: str
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    is_prose: bool = True
    linked: int = 0
    is_main: bool = False
    row: int = 0


def read_html(text: str) -> FileText:
    """Read the running text of a page."""
    built = TextBuilder()
    for block in html_blocks(text):
        built.add(block.text, block.kind, block.level, block.number, is_prose=block.is_prose)
    if not built:
        msg = "a page without text: if its text is made by scripts, save it from a browser first"
        raise ReadError(msg)
    return built.file_text()


def html_blocks(text: str, *, whole: bool = False) -> list[HtmlBlock]:
    """Return the blocks of a page; with `whole` also its menus, headers and the like."""
    page = _Page(drops_menus=not whole)
    page.feed(text, is_xml=whole or text[:100].lstrip().startswith("<?xml"))
    found = page.blocks()
    if not whole and _prose_length(found) < _MIN_PAGE_LENGTH:
        # Too little is left: better to include a menu, or code, than to miss the text.
        loose = _Page(drops_menus=False, is_loose=True)
        loose.feed(text, is_xml=False)
        every = loose.blocks()
        if _prose_length(every) > 2 * _prose_length(found):
            return every
    return found


def _prose_length(blocks: list[HtmlBlock]) -> int:
    kinds = {"heading", "paragraph", "list_item", "quote"}
    return sum(len(block.text) for block in blocks if block.is_prose and block.kind in kinds)


@dataclass
class _Open:
    """An element that is open, and what it makes of what is in it."""

    name: str
    drops: bool = False
    is_main: bool = False
    is_contents: bool = False
    is_references: bool = False
    is_number: bool = False
    is_link: bool = False


class _Page:
    """Walks through the tags of a page, as forgiving as a browser."""

    def __init__(self, *, drops_menus: bool, is_loose: bool = False) -> None:
        self._drops_menus = drops_menus
        self._is_loose = is_loose  # all is prose, also code and contents
        self._stack: list[_Open] = []
        self._open: Counter[str] = Counter()
        self._marked: Counter[str] = Counter()  # how many open elements are what
        self._containers: list[BlockKind] = []  # the lists and quotations that are open
        self._starts: list[int] = []  # where the blocks of the open tables and outer list begin
        self._words: list[str] = []
        self._linked = 0
        self._number: str | None = None
        self._level: int | None = None  # of the heading that is open
        self._row = 0
        self._found: list[HtmlBlock] = []

    def blocks(self) -> list[HtmlBlock]:
        """Return the blocks of the main part if the page names one that has text, or else all."""
        main = [block for block in self._found if block.is_main]
        if sum(len(block.text) for block in main) >= _MIN_PAGE_LENGTH:
            return main
        return self._found

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
        if name in _ENDS_HEADING or name in elements.HEADING_TAGS:
            self._end_heading()
        if name in elements.BLOCK_TAGS:
            self._break()
        if name in elements.VOID_TAGS:
            return
        if name in elements.CLOSED_BY_ITS_LIKE and self._stack and self._stack[-1].name == name:
            self._pop()
        opened = self._opened(name, attributes)
        self._stack.append(opened)
        self._count(opened, 1)
        self._enter(name)

    def _opened(self, name: str, attributes: dict[str, str]) -> _Open:
        """Return what an element is; the page itself is never a menu, whatever its class."""
        opened = _Open(
            name,
            is_main=name in {"main", "article"} or attributes.get("role") == "main",
            is_link=name == "a" and "href" in attributes,
        )
        if name in {"html", "body"}:
            return opened
        opened.drops = elements.is_hidden(name, attributes) or elements.is_permalink(
            name, attributes
        )
        if self._is_loose:
            return opened
        opened.is_references = elements.is_references(name, attributes)
        opened.is_contents = elements.is_contents(attributes) or (
            name == "nav" and (self._marked["is_main"] > 0 or not self._drops_menus)
        )
        opened.is_number = self._in_heading and elements.is_number(attributes)
        is_known = opened.is_main or opened.is_references or opened.is_contents
        if self._drops_menus and not is_known:
            is_of_part = self._marked["is_main"] or self._open["section"]
            is_page_header = name == "header" and not is_of_part
            opened.drops |= is_page_header or elements.is_boilerplate(name, attributes)
        return opened

    def _enter(self, name: str) -> None:
        """Note that a heading, a row, a table, a list or a quotation begins."""
        if name in elements.HEADING_TAGS:
            level = elements.HEADING_TAGS[name]
            self._level = level if self._level is None else min(level, self._level)
        elif name == "tr":
            self._row += 1
        elif name == "table":
            self._starts.append(len(self._found))
        elif name in {"ul", "ol", "blockquote"}:
            if not self._containers:
                self._starts.append(len(self._found))
            self._containers.append("quote" if name == "blockquote" else "list_item")

    def _leave(self, name: str) -> None:
        """Note that a table, a list or a quotation ends."""
        if name == "table":
            start = self._starts.pop()
            if not self._is_loose:
                merge_rows(self._found, start, self._new_block)
        elif name in {"ul", "ol", "blockquote"}:
            outermost = self._containers[0]
            self._containers.pop()
            if not self._containers:
                start = self._starts.pop()
                if outermost == "list_item" and not self._is_loose:
                    self._take_menu(start)

    def _take_menu(self, start: int) -> None:
        """Turn a list that is mostly links into contents, or drop it where menus are dropped."""
        items = self._found[start:]
        length = sum(len(block.text) for block in items)
        if sum(block.linked for block in items) <= _MAX_LINKED_SHARE * length:
            return
        del self._found[start:]
        if not self._drops_menus or self._marked["is_main"]:
            self._found += [replace(block, kind="contents", level=None) for block in items]

    def _end(self, name: str) -> None:
        if not self._open[name]:
            return
        while self._pop() != name:
            pass

    def _end_heading(self) -> None:
        """Close a heading that was never closed."""
        if self._in_heading:
            for name in elements.HEADING_TAGS:
                self._end(name)

    def _pop(self) -> str:
        opened = self._stack[-1]
        if opened.is_number:
            self._number = "".join(self._words)
        is_whole = opened.name in elements.HEADING_TAGS and not self._open["hgroup"]
        if is_whole or opened.name in {"hgroup", "pre"}:
            self._flush()
        elif opened.name in elements.BLOCK_TAGS:
            self._break()
        self._stack.pop()
        self._count(opened, -1)
        self._leave(opened.name)
        return opened.name

    def _count(self, opened: _Open, step: int) -> None:
        self._open[opened.name] += step
        for mark in ("drops", "is_main", "is_contents", "is_references", "is_link"):
            if getattr(opened, mark):
                self._marked[mark] += step

    @property
    def _in_heading(self) -> bool:
        is_open = any(self._open[name] for name in elements.HEADING_TAGS)
        return is_open or self._open["hgroup"] > 0

    def _text(self, text: str, *, as_is: bool = False) -> None:
        if self._marked["drops"]:
            return
        words = text if as_is or self._open["pre"] else _SPACE.sub(" ", text)
        if self._marked["is_link"]:
            if words.strip() in _PERMALINK_MARKS and self._in_heading:
                return
            self._linked += len(words.strip())
        self._words.append(words)

    def _break(self) -> None:
        """End a paragraph; inside headings and code, end a line."""
        if self._open["pre"] or self._in_heading:
            if self._words:
                self._text("\n", as_is=True)
        else:
            self._flush()

    def _flush(self) -> None:
        """End a block."""
        written, linked = "".join(self._words), self._linked
        number, level = self._number, self._level
        self._words, self._linked, self._number, self._level = [], 0, None, None
        is_code = self._open["pre"] > 0
        text = written.strip() if is_code else _tidy(written)
        if not text or self._marked["drops"]:
            return
        block = replace(
            self._new_block(text, is_code=is_code and not self._is_loose), linked=linked
        )
        if level is not None and len(text) <= _MAX_HEADING and block.kind != "contents":
            block = replace(block, kind="heading", level=level, number=number, is_prose=True)
        elif self._is_menu(block):
            if not self._marked["is_main"]:
                return
            block = replace(block, kind="contents", level=None)
        self._found.append(block)

    def _is_menu(self, block: HtmlBlock) -> bool:
        """Whether a line that is no item of a list holds mostly links."""
        is_line = block.kind == "paragraph" and not self._open["p"] and self._drops_menus
        return is_line and block.linked > _MAX_LINKED_SHARE * len(block.text)

    def _new_block(self, text: str, *, is_code: bool = False, is_table: bool = False) -> HtmlBlock:
        """Return a block of the kind that the open elements make it."""
        kind: BlockKind = "code" if is_code else "table" if is_table else "paragraph"
        level = None
        if self._marked["is_contents"]:
            kind = "contents"
        elif self._marked["is_references"]:
            kind = "references"
        elif self._containers:
            kind = self._containers[0]
            level = self._containers.count("list_item") or None
        is_main = self._marked["is_main"] > 0
        is_prose = not (is_code or is_table)
        return HtmlBlock(text, kind, level, is_prose=is_prose, is_main=is_main, row=self._row)


def _tidy(written: str) -> str:
    lines = (" ".join(line.split(" ")).strip(" \t\xa0") for line in written.split("\n"))
    return re.sub(r" {2,}", " ", "\n".join(line for line in lines if line))

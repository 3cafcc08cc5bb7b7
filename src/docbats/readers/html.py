"""The blocks of an HTML page in the order of its tags, with the elements around them."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.html_elements import BLOCK_TAGS, HEADING_TAGS, RAW_TAGS, element_marks
from docbats.readers.text_builder import MAX_CELL_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.blocks import BlockKind

# Python refuses to convert thousands of digits; numbers of eight or more are not characters.
_LEADING_ZEROS = re.compile(r"(?<=&#)0++(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[1-9][0-9]{7,}+;?")


def unescape(text: str) -> str:
    r"""Replace character references; invalid ones by U+FFFD, as browsers do.

    >>> unescape("&eacute;&#233;"), unescape("&#" + "9" * 5000 + ";") == "\ufffd"
    ('éé', True)
    """
    if "&#" in text:
        text = _NO_CHARACTER.sub("\ufffd", _LEADING_ZEROS.sub("", text))
    return html.unescape(text)


# A tag with its attributes. One that is longer, or whose quotes never close, ends at its next ">",
# so that every page takes linear time.
_MAX_TAG_LENGTH = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>")
_SHORT_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_ATTRIBUTES = {
    "aria-hidden", "aria-level", "class", "epub:type", "hidden", "href", "id", "name", "rel",
    "role", "src", "style",
}  # fmt: skip
_CASE_SENSITIVE = {"href", "id", "name", "src"}
_RAW_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW_TAGS}


def _attributes(written: str) -> dict[str, str]:
    """Return the few attributes that matter; none far into a very long tag."""
    if not written.strip(" /"):
        return {}
    found: dict[str, str] = {}
    for name, a, b, c in _ATTRIBUTE.findall(written[:_MAX_TAG_LENGTH]):
        key = name.lower()
        if key in _ATTRIBUTES:
            found[key] = unescape(a or b or c) if key in _CASE_SENSITIVE else (a or b or c).lower()
    return found


def read_tags(
    page: str,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    *,
    is_xml: bool,
) -> None:
    """Call `start`, `end` and `text` for each tag and each piece of text, as browsers do.

    Comments, scripts and the like are left out. In XML, ``<a/>`` begins and ends an element; in
    HTML it only begins one.
    """
    place, last = 0, page.rfind(">")  # after which no tag can end
    while (at := page.find("<", place, last)) >= 0:
        if at > place:
            text(unescape(page[place:at]))
        if page.startswith(("<!", "<?"), at):
            mark = "-->" if page.startswith("<!--", at) else ">"
            close = page.find(mark, at + 4 if mark == "-->" else at)
            place = len(page) if close < 0 else close + len(mark)
            continue
        tag = _TAG.match(page, at, at + _MAX_TAG_LENGTH) or _SHORT_TAG.match(page, at)
        if tag is None:
            text("<")
            place = at + 1
            continue
        place = tag.end()
        name = tag[2].lower()
        if not tag[1]:
            start(name, _attributes(tag[3]))
        if tag[1] or (is_xml and tag[3].endswith("/")):
            end(name)
        elif name in RAW_TAGS:
            end(name)
            raw_end = _RAW_TEXT_END[name].search(page, place)
            place = len(page) if raw_end is None else raw_end.start()
    if place < len(page):
        text(unescape(page[place:]))


_VOID_TAGS = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_CLOSED_BY_ITS_LIKE = {"p", "li", "dd", "dt", "tr", "td", "th", "option", *HEADING_TAGS}
_DATA_KINDS = {"paragraph", "list_item", "quote", "contents", "references"}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_PERMALINK_MARKS = {"¶", "#", "§", "🔗", "⚓", "\uf0c1"}
_MAX_LINKED_SHARE = 0.6  # of the characters of a list or a line; with more it is a menu
_MAX_HEADING = 1000  # characters; a longer heading was never closed
_MAX_TURN_SHARE = 0.3  # of a line that lead to other pages; with more it only turns pages
_MAX_NOTE_MARK = 8  # characters; a longer link to a note is part of the title
# Characters outside links: if most of a "table of contents" is in such blocks, it is text.
_MIN_PROSE = 80
_LEVELS = frozenset("123456")
_ENDS_HEADING = {"ul", "ol", "dl", "table", "pre", "blockquote", "section", "article", "main"}


@dataclass(frozen=True)
class HtmlBlock:
    """A block of a page."""

    text: str
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    is_prose: bool = True  # False for code and tables inside lists and quotations
    linked: int = 0  # characters in links
    linked_here: int = 0  # characters in links to the same page
    is_menu: bool = False  # mostly links, outside the main part of the page
    row: int = 0  # of the table that it is in
    cell: int = 0  # of the row
    element: int = 0  # the index of the innermost one around it


class Element(NamedTuple):
    """An element of a page, with the index of the element around it."""

    parent: int
    name: str
    marks: frozenset[str]


@dataclass(frozen=True, eq=False)
class HtmlPage:
    """All visible blocks of a page; the first element is the page itself."""

    blocks: list[HtmlBlock]
    elements: list[Element]
    anchors: dict[str, int]  # the number of blocks before each id
    depth: int  # the most elements inside each other


def walk_page(text: str, *, is_xml: bool, is_book: bool = False) -> HtmlPage:
    """Collect the blocks of a page; in a book, nothing belongs to a site."""
    walk = _Walk(is_book=is_book)
    walk.feed(text, is_xml=is_xml)
    return HtmlPage(walk.found, walk.elements, walk.anchors, walk.depth)


class _Walk:
    """Walks through the tags of a page, forgiving errors as browsers do."""

    def __init__(self, *, is_book: bool) -> None:
        self.found: list[HtmlBlock] = []
        self.elements = [Element(0, "", frozenset())]
        self.anchors: dict[str, int] = {}
        self.depth = 0
        self._is_book = is_book
        self._stack: list[int] = []  # the indices of the elements that are open
        self._open: Counter[str] = Counter()
        self._headings = 0  # open headings and their groups
        self._marked: Counter[str] = Counter()  # of the open elements
        self._containers: list[BlockKind] = []  # the lists and quotations that are open
        self._list_depth = 0
        self._list_start = 0  # where the blocks of the outermost list or quotation begin
        self._terms_start = 0  # and those of the outermost list of terms
        # Where the blocks of the open tables begin; None for a table around another one, which can
        # only be there for the layout.
        self._table_starts: list[int | None] = []
        self._words: list[str] = []
        self._linked = self._linked_here = 0
        self._number: str | None = None
        self._level: int | None = None  # of the heading that is open
        self._row = self._cell = 0
        self._turning = 0  # characters in links to other pages of the same document
        self._anchor_start = 0  # where the words of the link to an anchor begin
        self._is_note = False  # whether that link leads to a note
        # Where the blocks of the open admonitions and tables of contents begin.
        self._starts: dict[str, list[int]] = {"admonition": [], "contents": []}
        self._contents_spans: list[tuple[int, int]] = []

    def feed(self, page: str, *, is_xml: bool) -> None:
        """Collect the blocks of a whole page."""
        read_tags(page, self._start, self._end, self._text, is_xml=is_xml)
        while self._stack:
            self._pop()
        self._flush()
        self._mark_contents()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            self._break_line()
            return
        if self._headings and (name in _ENDS_HEADING or name in HEADING_TAGS):
            for heading in HEADING_TAGS:  # which was never closed
                self._end(heading)
        if name in BLOCK_TAGS:
            self._break()
        if anchor := attributes.get("id") or (name == "a" and attributes.get("name")):
            self.anchors.setdefault(anchor, len(self.found))
        if name in _VOID_TAGS:
            return
        innermost = self._stack[-1] if self._stack else 0
        if name in _CLOSED_BY_ITS_LIKE and self.elements[innermost].name == name:
            self._pop()
        marks = element_marks(name, attributes, self._marked, is_book=self._is_book)
        if name in HEADING_TAGS and name != "h1" and self._begins_admonition:
            marks -= {"heading"}  # but a label such as "Note"
        elif name == "button" and self._headings and not self._words:
            marks -= {"hidden"}
        opened = Element(self._stack[-1] if self._stack else 0, name, marks)
        self._stack.append(len(self.elements))
        self.elements.append(opened)
        self.depth = max(self.depth, len(self._stack))
        self._count(opened, 1)
        self._enter(opened, attributes.get("aria-level", ""))

    @property
    def _begins_admonition(self) -> bool:
        """Whether an admonition is open of which no block is known yet."""
        starts = self._starts["admonition"]
        return bool(starts) and starts[-1] == len(self.found)

    def _break_line(self) -> None:
        """End a line; two ends of lines end a paragraph."""
        if not (self._open["pre"] or self._headings):
            i = len(self._words)
            while i and self._words[i - 1].isspace() and self._words[i - 1] != "\n":
                i -= 1
            if i and self._words[i - 1] == "\n":
                self._flush()
                return
        self._text("\n", as_is=True)

    def _enter(self, opened: Element, aria_level: str) -> None:
        """Note that a heading, a row, a table, a list or the like begins."""
        name, marks = opened.name, opened.marks
        if "heading" in marks and name != "hgroup":
            level = HEADING_TAGS.get(name) or (int(aria_level) if aria_level in _LEVELS else 2)
            self._level = level if self._level is None else min(level, self._level)
        elif name == "tr":
            self._row, self._cell = self._row + 1, 0
        elif name in {"td", "th"}:
            self._cell += 1
        elif name == "table":
            self._start_table()
        elif name in {"ul", "ol", "blockquote"}:
            if not self._containers:
                self._list_start = len(self.found)
            self._containers.append("quote" if name == "blockquote" else "list_item")
            self._list_depth += name != "blockquote"
        elif name == "dl" and self._open["dl"] == 1:
            self._terms_start = len(self.found)
        elif name in {"a", "sup", "span"}:
            self._start_note_mark(opened)
        for mark in self._starts.keys() & marks if marks else ():
            self._starts[mark].append(len(self.found))

    def _start_table(self) -> None:
        if self._table_starts:
            self._table_starts[-1] = None
        # An admonition in a table has its label in one cell and its text in another.
        self._table_starts.append(None if self._begins_admonition else len(self.found))

    def _start_note_mark(self, opened: Element) -> None:
        """Note that a link may lead to a note: it is raised, or named so."""
        if "anchor" in opened.marks:
            self._anchor_start = len(self._words)
            self._is_note = "note" in opened.marks or self._open["sup"] > 0
        elif self._marked["anchor"] and (opened.name == "sup" or "note" in opened.marks):
            self._is_note |= len(self._words) == self._anchor_start

    def _leave(self, opened: Element) -> None:
        """Note that a table, a list, a quotation or the like ends."""
        name, marks = opened.name, opened.marks
        for mark in self._starts.keys() & marks if marks else ():
            span = (self._starts[mark].pop(), len(self.found))
            self._contents_spans += [span] if mark == "contents" else []
        if name == "table":
            start = self._table_starts.pop()
            if start is not None:
                self._join_rows(start)
        elif name in {"ul", "ol", "blockquote"}:
            outermost = self._containers[0]
            self._containers.pop()
            self._list_depth -= name != "blockquote"
            if not self._containers and outermost == "list_item":
                self._mark_menu(self._list_start)
        elif name == "dl" and not self._open["dl"]:
            self._mark_menu(self._terms_start)

    def _join_rows(self, start: int) -> None:
        """Replace the blocks of a table by one block, if they are data."""
        parts = self.found[start:]
        rows = [_join_cells(list(row)) for _, row in groupby(parts, lambda part: part.row)]
        cells = [row.split("\t") for row in rows]
        is_data = (
            all(part.kind in _DATA_KINDS and part.is_prose for part in parts)
            and max(map(len, cells), default=0) >= 2
            and all(len(cell) <= MAX_CELL_LENGTH for row in cells for cell in row)
        )
        if is_data:
            linked = sum(part.linked for part in parts)
            table = self._new_block("\n".join(rows), linked, is_table=True)
            is_menu = not self._in_text and linked > _MAX_LINKED_SHARE * len(table.text)
            self.found[start:] = [replace(table, is_menu=is_menu)]
        elif all(len(part.text) - part.linked < _MIN_PROSE for part in parts):
            self._mark_menu(start)

    @property
    def _in_text(self) -> bool:
        """Whether this is a part of the text, where no list is a menu."""
        return self._is_book or self._marked["main"] > 0 or self._marked["section"] > 0

    def _mark_menu(self, start: int) -> None:
        """Turn a list that is mostly links into contents or a menu."""
        items = self.found[start:]
        length = sum(len(block.text) for block in items)
        if sum(block.linked for block in items) > _MAX_LINKED_SHARE * length:
            self.found[start:] = [
                replace(block, kind="contents", level=None, is_menu=not self._in_text)
                for block in items
            ]

    def _mark_contents(self) -> None:
        """Turn what is named a table of contents into one, unless it holds the text itself."""
        if not self._contents_spans:
            return
        lengths = [len(block.text) for block in self.found]
        unlinked = [len(block.text) - block.linked for block in self.found]
        total = [0, *accumulate(lengths)]
        prose = [0, *accumulate(length * (length >= _MIN_PROSE) for length in unlinked)]
        depths = [0] * (len(self.found) + 1)
        for span in self._contents_spans:
            start, end = (min(at, len(self.found)) for at in span)  # tables became one block each
            if prose[end] - prose[start] <= 0.5 * (total[end] - total[start]):
                depths[start] += 1
                depths[end] -= 1
        for i, depth in enumerate(accumulate(depths[:-1])):
            if depth:
                self.found[i] = replace(
                    self.found[i], kind="contents", level=None, number=None, is_prose=True
                )

    def _end(self, name: str) -> None:
        while self._open[name] and self._pop() != name:
            pass

    def _pop(self) -> str:
        opened = self.elements[self._stack[-1]]
        if "number" in opened.marks and self._headings:
            self._number = "".join(self._words)
        if "anchor" in opened.marks and self._is_note and self._headings:
            self._drop_note_mark()
        is_whole = "heading" in opened.marks and not self._open["hgroup"]
        if is_whole or opened.name in {"hgroup", "pre"}:
            self._flush()
        elif opened.name in BLOCK_TAGS:
            self._break()
        self._stack.pop()
        self._count(opened, -1)
        self._leave(opened)
        return opened.name

    def _drop_note_mark(self) -> None:
        """Remove the link to a note from a title."""
        mark = "".join(self._words[self._anchor_start :]).strip()
        if len(mark) <= _MAX_NOTE_MARK:
            del self._words[self._anchor_start :]
            self._linked -= len(mark)

    def _count(self, opened: Element, step: int) -> None:
        self._open[opened.name] += step
        self._headings += step * ("heading" in opened.marks)
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
            if self._marked["here"]:
                self._linked_here += len(words.strip())
            if self._marked["turn"]:
                self._turning += len(words.strip())
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
        written, turning = "".join(self._words), self._turning
        links = (self._linked, self._linked_here)
        number, level = self._number, self._level
        self._words, self._number, self._level = [], None, None
        self._linked = self._linked_here = self._turning = self._anchor_start = 0
        if not written:
            return
        is_code = self._open["pre"] > 0
        text = written.strip() if is_code else _tidy(written)
        if not text or self._marked["hidden"]:
            return
        block = self._new_block(text, *links, is_code=is_code)
        if level is not None and len(text) <= _MAX_HEADING:
            block = replace(block, kind="heading", level=level, number=number, is_prose=True)
        elif self._is_line_of_links(block) or turning > _MAX_TURN_SHARE * len(text):
            block = replace(block, kind="contents", level=None, is_menu=not self._in_text)
        self.found.append(block)

    def _is_line_of_links(self, block: HtmlBlock) -> bool:
        """Whether a line outside lists is mostly links."""
        is_inside = self._open["p"] or self._open["dl"]
        is_line = block.kind == "paragraph" and not is_inside and not self._is_book
        return is_line and block.linked > _MAX_LINKED_SHARE * len(block.text)

    def _new_block(
        self,
        text: str,
        linked: int,
        linked_here: int = 0,
        *,
        is_code: bool = False,
        is_table: bool = False,
    ) -> HtmlBlock:
        """Return a block of the kind that the open elements determine."""
        kind: BlockKind = "code" if is_code else "table" if is_table else "paragraph"
        level = None
        if self._marked["references"]:
            kind = "references"
        elif self._containers:
            kind = self._containers[0]
            level = self._list_depth or None
        is_prose = not (is_code or is_table)
        element = self._stack[-1] if self._stack else 0
        return HtmlBlock(
            text,
            kind,
            level,
            is_prose=is_prose,
            linked=linked,
            linked_here=linked_here,
            row=self._row,
            cell=self._cell,
            element=element,
        )


def _join_cells(parts: list[HtmlBlock]) -> str:
    """Return the cells of a row with tabs between them; empty cells keep their place."""
    pieces: list[str] = []
    for i, part in enumerate(parts):
        if i:
            pieces.append("\t" * (part.cell - parts[i - 1].cell) or " ")
        pieces.append(part.text.replace("\n", " "))
    return "".join(pieces)


def _tidy(written: str) -> str:
    lines = (" ".join(line.split(" ")).strip(" \t\xa0") for line in written.split("\n"))
    return re.sub(r" {2,}", " ", "\n".join(line for line in lines if line))

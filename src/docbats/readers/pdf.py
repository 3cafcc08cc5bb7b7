"""PDF, by pdfium: the text of its pages, with its blocks and bookmarks."""

from __future__ import annotations

import gc
import re
from collections import defaultdict
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from docbats.blocks import Block, blank
from docbats.errors import ReadError
from docbats.places import Page, Places
from docbats.readers.content import FileContent, FileText
from docbats.readers.pdf_blocks import (
    LINE_KINDS,
    find_table_rows,
    group_lines,
    join_inline_code,
    measure_body,
)
from docbats.readers.pdf_headings import find_headings
from docbats.readers.pdf_lines import PDFIUM_LOCK, PageReader, drop_running_lines, open_document
from docbats.readers.pdf_outline import (
    find_contents,
    find_marked_headings,
    read_bookmarks,
    without_page_number,
)
from docbats.readers.text_builder import headings_of
from docbats.text.headings import mark_contents_and_references, parse_number, split_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.blocks import BlockKind
    from docbats.readers.pdf_blocks import Group
    from docbats.readers.pdf_lines import Edges, LineIndex, PageLine
    from docbats.readers.pdf_outline import Bookmark

_MONO_WIDTH = 0.6  # of a monospaced letter, in font sizes
_MAX_CODE_INDENT = 80
_MAX_WORD = 60  # letters before a hyphen that are examined
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_LETTERS = re.compile(r"[^\W\d_]+$")
_AFTER_HYPHEN = re.compile(r"-([^\W\d_]+)")
_ADDRESS = re.compile(r"[\w.]/|\w@|\w_")  # of a page, a file or a person, whose hyphens are its own
_ITEM_MARK = re.compile(r"(?:[^\w\s(]|\(?\w{1,3}[.)])\s*")
_LINE_END = re.compile("\n")


def read_pdf(content: FileContent) -> FileText:
    """Read the text of all pages."""
    was_enabled = gc.isenabled()
    gc.disable()  # the collector would spend a tenth of the time on the many lines
    try:
        pages, bookmarks = _read_pages(content)
        if not any(pages):
            msg = (
                "a PDF without text, perhaps scanned: recognize its text first, e.g. with "
                "ocrmypdf in.pdf out.pdf"
            )
            raise ReadError(msg)
        return join_pages(drop_running_lines(pages), bookmarks)
    finally:
        if was_enabled:
            gc.enable()


def _read_pages(content: FileContent) -> tuple[list[list[PageLine]], list[Bookmark]]:
    with open_document(content.data) as document:
        count = len(document)
        reader = PageReader()
        pages = []
        for number in range(count):
            with PDFIUM_LOCK:  # for each page, so that other threads can go in between
                pages.append(reader.read(document.raw, number))
            if content.on_page is not None:
                content.on_page(number + 1, count)
        with PDFIUM_LOCK:
            return pages, read_bookmarks(document)


def join_pages(pages: Sequence[list[PageLine]], bookmarks: Sequence[Bookmark] = ()) -> FileText:
    """Join the lines of pages to one text, with its blocks and the places of its pages."""
    body = measure_body(pages)
    kinds: dict[LineIndex, BlockKind] = {}
    kinds |= dict.fromkeys(find_table_rows(pages), "table")
    kinds |= dict.fromkeys(find_contents(pages, bookmarks), "contents")
    marked = find_marked_headings(bookmarks, pages).items()
    headings = {index: heading for index, heading in marked if index not in kinds}
    groups = join_inline_code(group_lines(pages, body, headings, kinds))
    groups = find_headings(groups, body)
    text = _PdfText(len(pages), _compounds(groups))
    for group in groups:
        text.add(group)
    return text.file_text()


def _compounds(groups: Iterable[Group]) -> set[str]:
    """Return the words broken at a hyphen that are also written with it within a line."""
    texts = [line.text for group in groups if group.kind not in LINE_KINDS for line in group.lines]
    broken: dict[str, set[str]] = defaultdict(set)  # first halves by second halves
    for i, text in enumerate(texts[:-1]):
        if text[-1] == "-":
            first, rest = _LAST_LETTERS.search(text[-_MAX_WORD:-1]), _LETTERS.match(texts[i + 1])
            if first and rest:
                broken[rest[0].lower()].add(first[0].lower())
    compounds: set[str] = set()
    whole = "\n".join(texts) if broken else ""
    for rest in _AFTER_HYPHEN.finditer(whole):
        for half in broken.get(rest[1].lower(), ()):
            start, end = rest.start() - len(half), rest.start()
            is_same = start >= 0 and whole[start:end].lower() == half
            if is_same and not whole[start - 1 : start].isalpha():
                compounds.add(f"{half}-{rest[1]}".lower())
    return compounds


def _is_label(number: str | None, lines: Sequence[PageLine]) -> bool:
    """Whether a number is in words and on lines of its own."""
    found = parse_number(number) if number else None
    above = accumulate((line.text for line in lines[:2]), "{} {}".format)
    return found is not None and not found.values and number in set(above)


class _PdfText:
    """The text of a PDF, to which one group of lines after the other is added."""

    def __init__(self, n_pages: int, compounds: set[str]) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._compounds = compounds
        self._tops: list[list[tuple[int, float]]] = [[] for _ in range(n_pages)]
        self._boxes: list[list[tuple[int, Edges]]] = [[] for _ in range(n_pages)]
        self._blocks: list[Block] = []
        self._blanked: list[tuple[int, int]] = []
        self._breaks: set[int] = set()

    def add(self, group: Group) -> None:
        """Add the lines of a group as one block."""
        if self._blocks:
            is_list = group.kind == self._blocks[-1].kind == "list_item"
            glue = "\n" if is_list else "\n\n"
            self._parts.append(glue)
            self._length += len(glue)
        start = self._length
        if group.kind in LINE_KINDS:
            text = self._lines(group)
            self._breaks.update(start + found.end() for found in _LINE_END.finditer(text))
        else:
            text = self._joined(group)
        end = start + len(text)
        block = Block(group.kind, start, end, group.level, is_certain=group.is_certain)
        if group.kind == "heading":
            number, title = split_number(text)
            # "CHAPTER ONE" above a title is a label; the title alone is what people know.
            written = title if _is_label(number, group.lines) else " ".join(text.split())
            block = replace(block, number=number, title=title, written=written)
        elif group.kind == "list_item" and (mark := _ITEM_MARK.match(text)):
            self._blanked.append((start, start + mark.end()))
        self._parts.append(text)
        self._length = end
        self._blocks.append(block)
        self._breaks.update((start, end))

    def _joined(self, group: Group) -> str:
        """Return the lines as one, with words broken at their ends joined."""
        parts: list[str] = []
        offset = self._length
        last = ""
        for line, page in zip(group.lines, group.pages, strict=True):
            text = " ".join(line.text.split()) if line.is_mono else line.text
            if last:
                glue = " "
                if last[-1] in "-\u00ad" and (kept := self._kept_of_broken(last, text)) is not None:
                    glue, parts[-1] = "", last[:kept]
                    offset += kept - len(last)
                parts.append(glue)
                offset += len(glue)
            self._add_line(page, offset, line)
            parts.append(text)
            offset += len(text)
            last = text
        return "".join(parts)

    def _add_line(self, page: int, offset: int, line: PageLine) -> None:
        """Remember where on its page a line is."""
        self._tops[page].append((offset, line.top + line.size))
        if line.box is not None:
            self._boxes[page].append((offset, line.box))

    def _kept_of_broken(self, last: str, text: str) -> int | None:
        """Return the characters to keep of a line with a broken word; None if it has none."""
        first, rest = _LAST_LETTERS.search(last[-_MAX_WORD:-1]), _LETTERS.match(text)
        if not first or not rest:
            return None
        if _ADDRESS.search(last[last.rfind(" ") + 1 :]):
            return len(last)
        is_compound = f"{first[0]}-{rest[0]}".lower() in self._compounds or rest[0][0].isupper()
        return len(last) if is_compound and last[-1] == "-" else len(last) - 1

    def _lines(self, group: Group) -> str:
        """Return the lines as they are: code with indents, tables with tabs between cells."""
        margin = min(line.left for line in group.lines)
        parts: list[str] = []
        offset = self._length
        last: PageLine | None = None
        last_page = 0
        for line, page in zip(group.lines, group.pages, strict=True):
            text = line.text
            if last is not None:
                is_same = page == last_page and abs(last.top - line.top) < 0.5 * last.size
                parts.append(" " if is_same and line.left > last.left else "\n")
                offset += 1
            if group.kind == "contents":
                text = without_page_number(text)
            elif group.kind == "table":
                for at, _ in line.cells[1:]:
                    text = f"{text[: at - 1]}\t{text[at:]}"
            elif group.kind == "code" and parts[-1:] != [" "]:
                indent = round((line.left - margin) / max(1.0, _MONO_WIDTH * line.size))
                text = " " * min(indent, _MAX_CODE_INDENT) + text
                if last is None:
                    text = text.lstrip()
            self._add_line(page, offset, line)
            parts.append(text)
            offset += len(text)
            last, last_page = line, page
        return "".join(parts)

    def file_text(self) -> FileText:
        """Return everything that was added."""
        pages = [
            Page(-1 if not tops else tops[0][0], tuple(tops), tuple(boxes))
            for tops, boxes in zip(self._tops, self._boxes, strict=True)
        ]
        start = self._length
        for i in range(len(pages) - 1, -1, -1):  # a blank page may be within a word that was joined
            if pages[i].start < 0 or pages[i].start > start:
                pages[i] = Page(start)
            start = pages[i].start
        text = "".join(self._parts)
        blocks = mark_contents_and_references(self._blocks, text, by_title=True)
        headings = headings_of(tuple(block for block in blocks if block.is_certain))
        self._blanked += [(block.start, block.end) for block in blocks if not block.is_prose]
        return FileText(
            text,
            Places(pages=tuple(pages), headings=headings),
            prose=blank(text, self._blanked),
            breaks=sorted(self._breaks),
            blocks=blocks,
        )

"""PDF, by pdfium: its text, with its pages, blocks and bookmarks."""

from __future__ import annotations

import gc
import re
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from docbats.blocks import Block
from docbats.errors import ReadError
from docbats.places import Heading, Page, Places
from docbats.readers.content import FileText
from docbats.readers.pdf_blocks import (
    LINE_KINDS,
    find_headings,
    find_table_rows,
    group_lines,
    join_inline_code,
    mark_references,
    measure_style,
)
from docbats.readers.pdf_lines import PDFIUM_LOCK, drop_running_lines, open_document
from docbats.readers.pdf_outline import (
    find_contents,
    find_marked_headings,
    read_bookmarks,
    without_page_number,
)
from docbats.text.headings import split_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from docbats.blocks import BlockKind
    from docbats.readers.pdf_blocks import Group
    from docbats.readers.pdf_lines import Line
    from docbats.readers.pdf_outline import Bookmark

_MONO_WIDTH = 0.6  # of a letter of one width, in sizes of letters
_MAX_CODE_INDENT = 80
_MAX_WORD = 60  # letters before a hyphen that are looked at
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_LETTERS = re.compile(r"[^\W\d_]+$")
_AFTER_HYPHEN = re.compile(r"-([^\W\d_]+)")
_ADDRESS = re.compile(r"[\w.]/|\w@|\w_")  # of a page, a file or a person: hyphens belong to it
_ITEM_MARK = re.compile(r"(?:[^\w\s(]|\(?\w{1,3}[.)])\s*")
_LINE_END = re.compile("\n")
_NOT_LINE_END = re.compile(r"[^\n]")


def join_groups(groups: Sequence[Group], n_pages: int) -> FileText:
    """Return the text, with blank lines between its blocks, and words made whole again."""
    builder = _Builder(n_pages, _compounds(groups))
    for group in groups:
        builder.add(group)
    return builder.file_text()


def _compounds(groups: Iterable[Group]) -> set[str]:
    """Find those words with a hyphen at the end of a line that have it elsewhere, too."""
    texts = [line.text for group in groups if group.kind not in LINE_KINDS for line in group.lines]
    broken: dict[str, set[str]] = defaultdict(set)  # first halves by second halves
    for i, text in enumerate(texts[:-1]):
        if text[-1] == "-":
            first, rest = _LAST_LETTERS.search(text[-_MAX_WORD:-1]), _LETTERS.match(texts[i + 1])
            if first and rest:
                broken[rest[0].lower()].add(first[0].lower())
    compounds: set[str] = set()
    if not broken:
        return compounds
    for text in texts:
        if "-" in text:
            for rest in _AFTER_HYPHEN.finditer(text):
                if firsts := broken.get(rest[1].lower()):
                    first = _LAST_LETTERS.search(text[: rest.start()][-_MAX_WORD:])
                    if first and first[0].lower() in firsts:
                        compounds.add(f"{first[0]}-{rest[1]}".lower())
    return compounds


class _Join(NamedTuple):
    """What comes between two lines, and how many characters of the first are kept."""

    glue: str
    kept: int


class _Builder:
    """Adds group after group to the text."""

    def __init__(self, n_pages: int, compounds: set[str]) -> None:
        self._parts: list[str] = []
        self._prose: list[str] = []  # the same with what is no prose blanked
        self._length = 0
        self._compounds = compounds
        self._tops: list[list[tuple[int, float]]] = [[] for _ in range(n_pages)]
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._breaks: list[int] = []

    def add(self, group: Group) -> None:
        """Add the lines of a group, as one block."""
        if self._blocks:
            is_list = group.kind == self._blocks[-1].kind == "list_item"
            glue = "\n" if is_list else "\n\n"
            self._parts.append(glue)
            self._prose.append(glue)
            self._length += len(glue)
        start = self._length
        if group.kind in LINE_KINDS:
            text = self._add_lines(group)
            self._breaks += (start + found.end() for found in _LINE_END.finditer(text))
        else:
            text = self._add_joined(group)
        self._parts.append(text)
        self._length = start + len(text)
        number, title = split_number(text) if group.kind == "heading" else (None, None)
        is_certain = group.is_certain
        block = Block(
            kind=group.kind,
            start=start,
            end=self._length,
            level=group.level,
            number=number,
            title=title,
            is_certain=is_certain,
            written=" ".join(text.split()) if group.kind == "heading" else None,
        )
        self._prose.append(_prose(text, block))
        self._blocks.append(block)
        self._breaks += (start, self._length)
        if group.kind == "heading" and is_certain:
            self._headings.append(Heading(start, self._length, group.level or 1, block.heading))

    def _add_joined(self, group: Group) -> str:
        """Join lines to one, with the words broken at their ends made whole."""
        parts: list[str] = []
        offset = self._length
        last = ""
        for line, page in zip(group.lines, group.pages, strict=True):
            text = " ".join(line.text.split()) if line.is_mono else line.text
            if last:
                glue = " "
                if last[-1] in "-\u00ad":
                    glue, kept = self._join(last, text)
                    parts[-1] = last[:kept]
                    offset += kept - len(last)
                parts.append(glue)
                offset += len(glue)
            self._tops[page].append((offset, line.top + line.size))
            parts.append(text)
            offset += len(text)
            last = text
        return "".join(parts)

    def _join(self, last: str, text: str) -> _Join:
        length = len(last)
        first, rest = _LAST_LETTERS.search(last[-_MAX_WORD:-1]), _LETTERS.match(text)
        if not first or not rest:
            return _Join(" ", length)
        if _ADDRESS.search(last[last.rfind(" ") + 1 :]):
            return _Join("", length)
        is_compound = f"{first[0]}-{rest[0]}".lower() in self._compounds or rest[0][0].isupper()
        return _Join("", length if is_compound and last[-1] == "-" else length - 1)

    def _add_lines(self, group: Group) -> str:
        """Keep the lines: of code with their indents, of tables with tabs between cells."""
        lefts = [line.left for line in group.lines]
        margin = min(lefts)
        parts: list[str] = []
        offset = self._length
        last: Line | None = None
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
            self._tops[page].append((offset, line.top + line.size))
            parts.append(text)
            offset += len(text)
            last, last_page = line, page
        return "".join(parts)

    def file_text(self) -> FileText:
        """Return what was added."""
        pages = [Page(-1 if not tops else tops[0][0], tuple(tops)) for tops in self._tops]
        start = self._length
        for i in range(len(pages) - 1, -1, -1):  # a blank page may lie amid a word that was joined
            if pages[i].start < 0 or pages[i].start > start:
                pages[i] = Page(start)
            start = pages[i].start
        text = "".join(self._parts)
        places = Places(pages=tuple(pages), headings=tuple(self._headings))
        prose = "".join(self._prose)
        return FileText(text, places, prose, sorted(set(self._breaks)), blocks=tuple(self._blocks))


def _prose(text: str, block: Block) -> str:
    """Return the text of a block with all that is no prose blanked."""
    if not block.is_prose:
        return _NOT_LINE_END.sub(" ", text)
    if block.kind == "list_item" and (mark := _ITEM_MARK.match(text)):
        return " " * mark.end() + text[mark.end() :]
    return text


def read_pdf(data: bytes, on_page: Callable[[int, int], None] | None = None) -> FileText:
    """Read the text of all pages.

    Parameters
    ----------
    data
        The file.
    on_page
        Called after each page with the number of pages read, and that of all.
    """
    with _collector_paused():
        pages, bookmarks = _read_pages(data, on_page)
        if not any(pages):
            msg = (
                "a PDF without text, perhaps scanned: recognize its text first, e.g. with "
                "ocrmypdf in.pdf out.pdf"
            )
            raise ReadError(msg)
        return join_pages(drop_running_lines(pages), bookmarks)


def _read_pages(
    data: bytes, on_page: Callable[[int, int], None] | None
) -> tuple[list[list[Line]], list[Bookmark]]:
    from docbats.readers.pdf_lines import PageReader

    with open_document(data) as document:
        count = len(document)
        reader = PageReader()
        pages = []
        for number in range(count):
            with PDFIUM_LOCK:  # for a page at a time: others need not wait for the whole file
                pages.append(reader.read(document.raw, number))
            if on_page is not None:
                on_page(number + 1, count)
        with PDFIUM_LOCK:
            return pages, read_bookmarks(document)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for cycles among the many lines, which have none.

    It would look again and again while they get more, for a tenth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def join_pages(pages: Sequence[list[Line]], bookmarks: Sequence[Bookmark] = ()) -> FileText:
    """Join the lines of pages to one text, with its blocks, and where each page begins in it."""
    style = measure_style(pages)
    kinds: dict[tuple[int, int], BlockKind] = {}
    kinds |= dict.fromkeys(find_table_rows(pages), "table")
    kinds |= dict.fromkeys(find_contents(pages, bookmarks), "contents")
    headings = find_marked_headings(bookmarks, pages)
    headings = {index: heading for index, heading in headings.items() if index not in kinds}
    groups = join_inline_code(group_lines(pages, style, headings, kinds))
    groups = find_headings(groups, style)
    mark_references(groups)
    return join_groups(groups, len(pages))

"""The bookmarks of a PDF with the headings they lead to, and its table of contents."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from docbats.text.headings import split_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.pdf_lines import LineIndex, PageLine

_MAX_BOOKMARKS = 50_000  # a hostile file may have any number
_MAX_DEPTH = 32
_MAX_TITLE_BYTES = 4096
_MAX_HEADING_LINES = 4
_MAX_NUMBER_LENGTH = 16  # as of "Appendix XVIII.", which the bookmark may leave out
DOTTED_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})+(?=\.?\s)")
"""Of a heading, which may go on in lower case, unlike a sentence that begins with a number."""
_NOT_LETTERS = re.compile(r"[\W_]+")


class Bookmark(NamedTuple):
    """A bookmark; levels count from 1, pages from 0, and `top` is the height on the page."""

    title: str
    level: int
    page: int
    top: float | None


def read_bookmarks(document: Any) -> list[Bookmark]:
    """Return the bookmarks of a ``PdfDocument`` that lead to one of its pages, in order."""
    import pypdfium2.raw as pdfium

    raw = document.raw
    bookmarks = []
    seen: set[int] = set()
    stack = [(pdfium.FPDFBookmark_GetFirstChild(raw, None), 1)]
    while stack and len(seen) < _MAX_BOOKMARKS:
        item, level = stack.pop()
        if not item:
            continue
        address = ctypes.addressof(item.contents)
        if address in seen:  # the bookmarks of a broken file may form a circle
            continue
        seen.add(address)
        stack.append((pdfium.FPDFBookmark_GetNextSibling(raw, item), level))
        if level < _MAX_DEPTH:
            stack.append((pdfium.FPDFBookmark_GetFirstChild(raw, item), level + 1))
        destination = pdfium.FPDFBookmark_GetDest(raw, item)
        page = pdfium.FPDFDest_GetDestPageIndex(raw, destination) if destination else -1
        if page >= 0 and (title := _title(item, pdfium)):
            bookmarks.append(Bookmark(title, level, page, _top(destination, pdfium)))
    return bookmarks


def _title(item: Any, pdfium: Any) -> str:
    """Return the title of a bookmark; empty if it is too long to be one."""
    buffer = ctypes.create_string_buffer(_MAX_TITLE_BYTES)
    size = pdfium.FPDFBookmark_GetTitle(item, buffer, _MAX_TITLE_BYTES)
    if not 2 <= size <= _MAX_TITLE_BYTES:
        return ""
    return " ".join(buffer.raw[: size - 2].decode("utf-16-le", "replace").split())


def _top(destination: Any, pdfium: Any) -> float | None:
    """Return the height on the page of a destination, if it has one."""
    flags, values = [ctypes.c_int() for _ in range(3)], [ctypes.c_float() for _ in range(3)]
    found = pdfium.FPDFDest_GetLocationInPage(destination, *flags, *values)
    return values[1].value if found and flags[1].value else None


def find_marked_headings(
    bookmarks: Sequence[Bookmark], pages: Sequence[list[PageLine]]
) -> dict[LineIndex, tuple[int, int]]:
    """Return the headings that repeat the title of a bookmark, by the index of their first line.

    Of each, the number of its lines and the level of its bookmark.
    """
    headings: dict[LineIndex, tuple[int, int]] = {}
    taken: set[LineIndex] = set()
    for title, level, page, top in bookmarks:
        titles = _titles(title)
        lines = pages[page] if titles and page < len(pages) else []
        distances = [0.0 if top is None else abs(top - line.top - line.size) for line in lines]
        order = sorted(range(len(lines)), key=distances.__getitem__)
        free = (i for i in order if (page, i) not in taken)
        for first in free:
            if n_lines := _lines_of_title(titles, lines, first):
                headings[page, first] = n_lines, level
                taken.update((page, i) for i in range(first, first + n_lines))
                break
    return headings


def _titles(title: str) -> set[str]:
    """Return the letters of a title, with and without its number."""
    return {letters_only(title), letters_only(split_number(title)[1])} - {""}


def _lines_of_title(titles: set[str], lines: list[PageLine], first: int) -> int:
    """Return the number of lines from `first` that make one of the titles; 0 if none do."""
    longest = max(map(len, titles)) + _MAX_NUMBER_LENGTH
    joined = ""
    for n_lines in range(1, min(_MAX_HEADING_LINES, len(lines) - first) + 1):
        last = first + n_lines - 1
        if len(joined) + len(lines[last].text) > 2 * longest:
            return 0
        joined += letters_only(lines[last].text)
        if len(joined) > longest:
            return 0
        if joined in titles:
            return n_lines
        if any(joined.endswith(title) for title in titles):
            has_number = DOTTED_NUMBER.match(lines[first].text) is not None
            if has_number and any(joined.removesuffix(t).isdecimal() for t in titles):
                return n_lines
            number, title = split_number(" ".join(line.text for line in lines[first : last + 1]))
            value = (number or "").split()[-1:]  # the bookmark of "Appendix A" may say only "A"
            if not titles.isdisjoint({letters_only(title), letters_only("".join([*value, title]))}):
                return n_lines
    return 0


@lru_cache(maxsize=4096)  # more than a page has lines
def letters_only(text: str) -> str:
    """Return the letters and digits in lower case, to compare titles."""
    return _NOT_LETTERS.sub("", text).casefold()


_MIN_ENTRIES = 3  # on a page; if smaller, a line with an ellipsis becomes a table of contents
_MIN_REPEATED_SHARE = 0.5  # of a page's lines, where the entries have no page numbers
_FRONT_PAGES = 30  # pages at the beginning that may hold contents without page numbers
_MAX_EXTRA_LENGTH = 40  # of the number, the page and the marks around the title of an entry
_MIN_LEADER_DOTS = 4
_ENTRY_ENDS = "0123456789.ivxlcIVXLC"
_PAGE_NUMBER = re.compile(r"(?:(?<=[\s.])(?:\d{1,5}|[ivxlc]{1,8}|[A-Z]-?\d{1,4}))?$", re.IGNORECASE)


def find_contents(pages: Sequence[list[PageLine]], bookmarks: Sequence[Bookmark]) -> set[LineIndex]:
    """Return the lines with dots before a page number, and those that repeat bookmarks."""
    titles = {each for bookmark in bookmarks for each in _titles(bookmark.title)}
    longest = max(map(len, titles), default=0) + _MAX_EXTRA_LENGTH
    n_marks = Counter(bookmark.page for bookmark in bookmarks)
    found: set[LineIndex] = set()
    for page, lines in enumerate(pages):
        entries = [
            i
            for i, line in enumerate(lines)
            if line.text[-1] in _ENTRY_ENDS and _is_entry(line.text, titles)
        ]
        if titles and page < _FRONT_PAGES and not entries and n_marks[page] <= 1:
            repeated = [
                i
                for i, line in enumerate(lines)
                if len(line.text) < longest and _repeats(line.text, titles)
            ]
            if len(repeated) > max(_MIN_ENTRIES, _MIN_REPEATED_SHARE * len(lines)):
                entries = repeated
        if len(entries) >= _MIN_ENTRIES:
            found |= {(page, i) for i in _whole(entries, lines)}
    return found


def _is_entry(text: str, titles: set[str]) -> bool:
    if ".." in text or ". ." in text:
        head = text[: _page_number_start(text)]
        return head.count(".", len(head.rstrip(" ."))) >= _MIN_LEADER_DOTS
    return text[-1].isdigit() and bool(titles) and _repeats(text, titles)


def _repeats(text: str, titles: set[str]) -> bool:
    without_page = without_page_number(text)
    if letters_only(without_page) in titles:
        return True
    number, title = split_number(without_page)
    return number is not None and letters_only(title) in titles


def _whole(entries: list[int], lines: list[PageLine]) -> range:
    """Return all lines from the first entry to the last, and their neighbours with page numbers."""
    first, last = entries[0], entries[-1]
    while first > 0 and _has_page_number(lines[first - 1].text):
        first -= 1
    while last + 1 < len(lines) and _has_page_number(lines[last + 1].text):
        last += 1
    return range(first, last + 1)


def _has_page_number(text: str) -> bool:
    return _page_number_start(text) < len(text)


def _page_number_start(text: str) -> int:
    """Return the offset of the page number that ends a line; the line's length without one."""
    found = _PAGE_NUMBER.search(text, max(0, len(text) - 9))
    return found.start() if found else len(text)


def without_page_number(text: str) -> str:
    """Return an entry of a table of contents without its dots and its page number.

    >>> without_page_number("1.2 Bats and tea . . . . . 12"), without_page_number("Tea")
    ('1.2 Bats and tea', 'Tea')
    """
    return text[: _page_number_start(text)].rstrip(" .") or text

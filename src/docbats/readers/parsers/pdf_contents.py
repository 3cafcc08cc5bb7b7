"""The lines of a PDF's table of contents."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from docbats.readers.parsers.heading_number import split_number
from docbats.readers.parsers.pdf_bookmarks import letters_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_bookmarks import Bookmark
    from docbats.readers.parsers.pdf_line import Line

    LineIndex = tuple[int, int]  # of a page, and of a line on it

__all__ = ["find_contents", "without_page_number"]

_MIN_ENTRIES = 3  # on a page, so that a line with dots for an ellipsis is no table of contents
_MIN_REPEATED_SHARE = 0.5  # of a page's lines, where the entries have no page numbers
_FRONT_PAGES = 30  # pages at the beginning, where contents without page numbers may stand
_MAX_EXTRA_LENGTH = 40  # of the number, the page and the marks that an entry has beside the title
_MIN_LEADER_DOTS = 4
_ENTRY_ENDS = "0123456789.ivxlcIVXLC"
_PAGE_NUMBER = re.compile(r"(?:(?<=[\s.])(?:\d{1,5}|[ivxlc]{1,8}|[A-Z]-?\d{1,4}))?$", re.IGNORECASE)


def find_contents(pages: Sequence[list[Line]], bookmarks: Sequence[Bookmark]) -> set[LineIndex]:
    """Find the lines with dots before a page number, and those that repeat bookmarks."""
    titles = set()
    for bookmark in bookmarks:
        titles |= {letters_only(bookmark.title), letters_only(split_number(bookmark.title)[1])}
    titles.discard("")
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


def _whole(entries: list[int], lines: list[Line]) -> range:
    """Return all lines from the first entry to the last, and those before and after like them."""
    first, last = entries[0], entries[-1]
    while first > 0 and _has_page_number(lines[first - 1].text):
        first -= 1
    while last + 1 < len(lines) and _has_page_number(lines[last + 1].text):
        last += 1
    return range(first, last + 1)


def _has_page_number(text: str) -> bool:
    return _page_number_start(text) < len(text)


def _page_number_start(text: str) -> int:
    """Return where the page number at the end of a line begins; its length if it has none."""
    found = _PAGE_NUMBER.search(text, max(0, len(text) - 9))
    return found.start() if found else len(text)


def without_page_number(text: str) -> str:
    """Return an entry of a table of contents without the page number, and the dots before it.

    >>> without_page_number("1.2 Bats and tea . . . . . 12"), without_page_number("Tea")
    ('1.2 Bats and tea', 'Tea')
    """
    return text[: _page_number_start(text)].rstrip(" .") or text

"""Running headers, footers and page numbers of a PDF, found and dropped."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from docbats.readers.parsers.heading_number import is_bare_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_line import Line

    LineIndex = tuple[int, int]  # of a page, and of a line on it

__all__ = ["drop_running_lines"]

# With more lines or pages, more headers are found, but also more of the text is taken for one.
_EDGE_LINES = 3  # lines at the top and at the bottom of a page that may be headers and footers
_NEARBY_PAGES = 4  # pages before and after, where such a line must stand again
_MIN_NUMBERED_PAGES = 3  # pages that agree on how pages are counted, or where headers stand
# Where so many of the lines at one place are headers and stand apart, all of them are headers.
_MIN_DROPPED_SHARE = 0.1
_MIN_APART_SHARE = 0.9
_MIN_HEADER_GAP = 1.8  # in sizes of letters

_NUMBER = re.compile(r"\d+")
_FIRST_OR_LAST_NUMBER = re.compile(r"^\d{1,5}(?=\s|$)|(?<=\s)\d{1,5}$")
_ROMAN_NUMBER = re.compile(r"(?<!\S)[ivxlc]{1,8}$")


def drop_running_lines(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Drop headers, footers and page numbers: lines at the edges that stand on pages nearby, too.

    >>> from docbats.readers.parsers.pdf_line import Line
    >>> page = lambda n: [Line("Annual report", 800, 9), Line(f"Text {n}{n}.", 400, 9)]
    >>> [[line.text for line in lines] for lines in drop_running_lines([page(1), page(3), page(5)])]
    [['Text 11.'], ['Text 33.'], ['Text 55.']]
    """
    outermost = [(page, i) for page, lines in enumerate(pages) for i in _outermost(lines)]
    dropped = _repeated_lines(pages) | _page_numbers(pages, outermost)
    dropped |= _at_places_of(dropped, pages, outermost)
    by_page = defaultdict(set)
    for page, i in dropped:
        by_page[page].add(i)
    kept = [
        [line for i, line in enumerate(lines) if i not in by_page[page]]
        if page in by_page
        else lines
        for page, lines in enumerate(pages)
    ]
    return kept if any(kept) else list(pages)


def _repeated_lines(pages: Sequence[list[Line]]) -> set[LineIndex]:
    """Find the lines at the edges that stand on at least two pages nearby, too."""
    alike: dict[tuple[str, int], list[LineIndex]] = defaultdict(list)
    for page, lines in enumerate(pages):
        for i in _edges(lines):
            if is_bare_number(lines[i].text):
                continue
            # A chapter's own heading is larger than the headers that repeat it.
            alike[_without_numbers(lines[i].text), round(lines[i].size)].append((page, i))
    repeated = set()
    min_pages = min(2, len(pages) - 1)
    for places in alike.values():
        if len(places) <= min_pages:
            continue
        numbers = [_numbers(pages[page][i].text) for page, i in places]
        for at, (page, i) in enumerate(places):
            first, last = max(0, at - 3 * _NEARBY_PAGES), at + 3 * _NEARBY_PAGES
            nearby = {
                other
                for near in range(first, min(len(places), last + 1))
                if 0 < abs((other := places[near][0]) - page) <= _NEARBY_PAGES
                and _count_with_pages(numbers[at], numbers[near], other - page)
            }
            if len(nearby) >= min_pages > 0:
                repeated.add((page, i))
    return repeated


def _at_places_of(
    dropped: set[LineIndex], pages: Sequence[list[Line]], outermost: Sequence[LineIndex]
) -> set[LineIndex]:
    """Find the outermost lines that stand where on other pages those stand that are dropped.

    They are the headers of short chapters, which no page nearby repeats.
    """
    by_place: dict[tuple[int, int], list[LineIndex]] = defaultdict(list)
    for page, i in outermost:
        line = pages[page][i]
        by_place[round(line.top), round(line.size)].append((page, i))
    found: set[LineIndex] = set()
    for indices in by_place.values():
        n_dropped = sum(index in dropped for index in indices)
        if _MIN_NUMBERED_PAGES <= n_dropped < len(indices) <= n_dropped / _MIN_DROPPED_SHARE:
            n_apart = sum(_stands_apart(pages[page], i) for page, i in indices)
            if n_apart >= _MIN_APART_SHARE * len(indices):
                found.update(indices)
    return {(page, i) for page, i in found if not is_bare_number(pages[page][i].text)}


def _stands_apart(lines: list[Line], index: int) -> bool:
    """Whether more than a usual gap is between a line and all others of the page."""
    top, size = lines[index].top, lines[index].size
    gaps = (abs(line.top - top) for line in lines)
    return min((gap for gap in gaps if gap > size / 2), default=0) > _MIN_HEADER_GAP * size


def _page_numbers(pages: Sequence[list[Line]], outermost: Sequence[LineIndex]) -> set[LineIndex]:
    """Find the outermost lines that are, begin or end with the number that the page must have."""
    votes: Counter[int] = Counter()
    edges = [(page, i) for page, i in outermost if not is_bare_number(pages[page][i].text)]
    for page, i in edges:
        if found := _FIRST_OR_LAST_NUMBER.search(pages[page][i].text):
            votes[int(found[0]) - page] += 1
    offsets = {offset for offset, count in votes.items() if count >= _MIN_NUMBERED_PAGES}
    return {
        (page, i)
        for page, i in edges
        if any(
            int(number) - page in offsets
            for number in _FIRST_OR_LAST_NUMBER.findall(pages[page][i].text)
        )
    }


def _outermost(lines: list[Line]) -> set[int]:
    if not lines:
        return set()
    tops = [line.top for line in lines]
    return {0, len(lines) - 1, tops.index(min(tops)), tops.index(max(tops))}


def _edges(lines: list[Line]) -> set[int]:
    """Find the lines at the edges, by the order of writing and by where they stand."""
    order = range(len(lines))
    by_top = sorted(order, key=[line.top for line in lines].__getitem__)
    return {
        *order[:_EDGE_LINES],
        *order[-_EDGE_LINES:],
        *by_top[:_EDGE_LINES],
        *by_top[-_EDGE_LINES:],
    }


def _without_numbers(text: str) -> str:
    text = text.casefold()
    if text[-1] in "ivxlc":
        text = _ROMAN_NUMBER.sub("#", text)
    return _NUMBER.sub("#", text)


def _numbers(text: str) -> list[int]:
    return [int(number[:9]) for number in _NUMBER.findall(text)]


def _count_with_pages(here: list[int], there: list[int], pages: int) -> bool:
    """Whether the numbers of two lines are the same, or as far apart as their pages."""
    return all(b - a in {0, pages} for a, b in zip(here, there, strict=False))

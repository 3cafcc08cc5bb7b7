"""The lines of a PDF's pages joined to paragraphs, with words broken at line ends made whole."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.places import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_line import Line

__all__ = ["join_pages"]

_MIN_PARAGRAPH_GAP = 1.25  # of the usual distance between lines; larger joins more paragraphs
_MIN_SIZE_CHANGE = 0.08  # share by which the letters of another paragraph or a heading differ
_DEFAULT_LINE_DISTANCE = 1.2  # in sizes of letters, where there are no two lines to measure

_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++-[^\W\d_]++")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-\u00ad]$")
_FIRST_LETTERS = re.compile(r"[^\W\d_]+")
_LIST_ITEM = re.compile(r"(?:[-*•‣◦▪–]|\(?[\da-z]{1,2}[.)])\s")
_SENTENCE_END = re.compile(r"[.?!:;。！？][)\]\"'”’»]*$")


class _Join(NamedTuple):
    """What comes between two lines, and how many characters of the first are kept."""

    glue: str
    kept: int


def join_pages(pages: Sequence[list[Line]]) -> tuple[str, tuple[Page, ...]]:
    """Return one text with blank lines between paragraphs, and where each page begins in it."""
    distance = _line_distance(pages)
    compounds = {
        word.lower() for page in pages for line in page for word in _COMPOUND.findall(line.text)
    }
    parts: list[str] = []
    places: list[Page] = []
    length = 0
    last: Line | None = None
    for page in pages:
        tops: list[tuple[int, float]] = []
        for i, line in enumerate(page):
            if last is not None:
                glue, kept = _join(last, line, distance, compounds, same_page=i > 0)
                length += kept + len(glue) - len(parts[-1])
                parts[-1] = parts[-1][:kept]
                parts.append(glue)
            tops.append((length, line.top + line.size))
            parts.append(line.text)
            length += len(line.text)
            last = line
        places.append(Page(tops[0][0] if tops else length, tuple(tops)))
    for i in range(len(places) - 2, -1, -1):  # a blank page may lie amid a word that was joined
        if places[i].start > places[i + 1].start:
            places[i] = Page(places[i + 1].start)
    return "".join(parts), tuple(places)


def _join(
    last: Line, line: Line, distance: float, compounds: set[str], *, same_page: bool
) -> _Join:
    length = len(last.text)
    if same_page and _is_apart(last, line, distance):
        return _Join("\n\n", length)
    broken, rest = _BROKEN_WORD.search(last.text[-100:]), _FIRST_LETTERS.match(line.text)
    if broken and rest:
        is_compound = f"{broken[1]}-{rest[0]}".lower() in compounds or rest[0][0].isupper()
        return _Join("", length if is_compound and last.text[-1] == "-" else length - 1)
    ended = bool(_SENTENCE_END.search(last.text[-100:])) or not _alike(last, line)
    if not same_page and ended and not line.text[0].islower():
        return _Join("\n\n", length)
    return _Join("\n" if _LIST_ITEM.match(line.text) else " ", length)


def _is_apart(last: Line, line: Line, distance: float) -> bool:
    """Whether a new paragraph or a heading begins."""
    if not _alike(last, line):
        return True
    gap = last.top - line.top
    return gap > _MIN_PARAGRAPH_GAP * distance * max(last.size, 0.1)


def _alike(last: Line, line: Line) -> bool:
    """Whether two lines have letters of the same size and weight."""
    larger, smaller = max(last.size, line.size), min(last.size, line.size)
    return larger <= (1 + _MIN_SIZE_CHANGE) * smaller and last.bold == line.bold


def _line_distance(pages: Sequence[list[Line]]) -> float:
    """Return the usual distance between lines, in sizes of their letters."""
    distances = [
        (last.top - line.top) / last.size
        for page in pages
        for last, line in pairwise(page)
        if _alike(last, line) and 0 < last.top - line.top < 4 * last.size
    ]
    return median(distances) if distances else _DEFAULT_LINE_DISTANCE

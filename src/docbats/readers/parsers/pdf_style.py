"""What is usual in a PDF: its letters, the distance between its lines, their length."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_line import Line

__all__ = ["Style", "ends_sentence", "have_same_font", "measure_style"]

_MAX_MEASURED_PAGES = 40  # more take longer and change nothing
_MAX_SIZE_CHANGE = 1.08  # of letters that still count as of the same size
_DEFAULT_LINE_DISTANCE = 1.2  # in sizes of letters, where there are no two lines to measure
_FULL_LINE_QUANTILE = 0.9
_SENTENCE_END = re.compile(r"[.?!:;。！？][)\]\"'”’»]*$")


class Style(NamedTuple):
    """What is usual in a PDF.

    Attributes
    ----------
    size
        Of the letters of its text, in points.
    is_bold, is_mono
        Whether most of its letters are bold, or of one width.
    distance
        Between two lines, in sizes of their letters.
    length
        Of a full line, in characters.
    """

    size: float
    is_bold: bool
    is_mono: bool
    distance: float
    length: int


def measure_style(pages: Sequence[list[Line]]) -> Style:
    """Measure what is usual on a sample of the pages."""
    step = 1 + (len(pages) - 1) // _MAX_MEASURED_PAGES
    sample = pages[::step] if any(pages[::step]) else pages
    fonts: Counter[tuple[float, bool, bool]] = Counter()
    distances = []
    for page in sample:
        for line in page:
            fonts[round(line.size, 1), line.is_bold, line.is_mono] += len(line.text)
        for last, line in pairwise(page):
            gap = last.top - line.top
            if last.size * 0.5 < gap < 4 * last.size and have_same_font(last, line):
                distances.append(gap / last.size)
    (size, is_bold, is_mono), _ = fonts.most_common(1)[0] if fonts else ((10.0, False, False), 0)
    lengths = sorted(
        len(line.text) for page in sample for line in page if abs(line.size - size) < 0.5
    )
    return Style(
        size,
        is_bold,
        is_mono,
        median(distances) if distances else _DEFAULT_LINE_DISTANCE,
        lengths[int(_FULL_LINE_QUANTILE * (len(lengths) - 1))] if lengths else 0,
    )


def have_same_font(last: Line, line: Line) -> bool:
    """Whether two lines have letters of the same size and weight."""
    one, other = last.size, line.size
    return last.is_bold == line.is_bold and (
        one == other or (one <= _MAX_SIZE_CHANGE * other and other <= _MAX_SIZE_CHANGE * one)
    )


def ends_sentence(text: str) -> bool:
    """Whether a line ends with a mark after which a new paragraph may begin."""
    return _SENTENCE_END.search(text, max(0, len(text) - 6)) is not None

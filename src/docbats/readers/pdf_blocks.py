"""The lines of a PDF grouped into what the author built: paragraphs, lists, code and tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.headings import split_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docbats.blocks import BlockKind
    from docbats.readers.pdf_lines import LineIndex, PageLine

_MAX_MEASURED_PAGES = 40  # more take longer and change nothing
_MAX_SIZE_CHANGE = 1.08  # between letters that count as of the same size
_DEFAULT_LINE_DISTANCE = 1.2  # font sizes, where there are no two lines to measure
_FULL_LINE_QUANTILE = 0.9
# Of the lines; where fewer are full, as in Japanese with its wide letters, these may be code.
_MIN_FULL_SHARE = 0.3
_SENTENCE_END = re.compile(r"[.?!:;。！？][)\]\"'”’»]*$")
_LAST_OF_SENTENCE = frozenset(".?!:;。！？)]\"'”’»")


class BodyStyle(NamedTuple):
    """How most of the text of a PDF is set."""

    size: float  # of the font, in points
    is_bold: bool
    is_mono: bool
    distance: float  # between lines, in font sizes
    length: int  # of a full line, in characters


def measure_body(pages: Sequence[list[PageLine]]) -> BodyStyle:
    """Measure how most of the text is set, on a sample of the pages."""
    step = 1 + (len(pages) - 1) // _MAX_MEASURED_PAGES
    sample = pages[::step] if any(pages[::step]) else pages
    fonts: Counter[tuple[float, bool, bool]] = Counter()
    for page in sample:
        for line in page:
            fonts[round(line.size, 1), line.is_bold, line.is_mono] += len(line.text)
    (size, is_bold, is_mono), _ = fonts.most_common(1)[0] if fonts else ((10.0, False, False), 0)
    lengths = sorted(
        len(line.text) for page in sample for line in page if abs(line.size - size) < 0.5
    )
    length = lengths[int(_FULL_LINE_QUANTILE * (len(lengths) - 1))] if lengths else 0
    # A full line goes on in the next one; most others may be items of lists, with wider gaps.
    distances, below_full = (_line_distances(sample, n) for n in (0, _FULL_LINE * length))
    if length >= _MIN_FULL_LENGTH and len(below_full) > _MIN_FULL_SHARE * len(distances):
        distances = below_full
    distance = median(distances) if distances else _DEFAULT_LINE_DISTANCE
    return BodyStyle(size, is_bold, is_mono, distance, length)


def _line_distances(pages: Sequence[list[PageLine]], min_length: float) -> list[float]:
    """Return the distances below lines with this many characters, in font sizes."""
    return [
        gap / last.size
        for page in pages
        for last, line in pairwise(page)
        if len(last.text) >= min_length
        and last.size * 0.5 < (gap := last.top - line.top) < 4 * last.size
        and have_same_font(last, line)
    ]


def have_same_font(last: PageLine, line: PageLine) -> bool:
    """Whether two lines have the same font size and weight."""
    one, other = last.size, line.size
    return last.is_bold == line.is_bold and (
        one == other or (one <= _MAX_SIZE_CHANGE * other and other <= _MAX_SIZE_CHANGE * one)
    )


def ends_with_stop(text: str) -> bool:
    """Whether a line ends with a mark after which a new paragraph may begin, colons included."""
    return (
        text[-1] in _LAST_OF_SENTENCE
        and _SENTENCE_END.search(text, max(0, len(text) - 6)) is not None
    )


LINE_KINDS = frozenset({"code", "table", "contents"})
"""The kinds of blocks whose lines stay lines."""
TEXT_KINDS = frozenset({"paragraph", "list_item"})
"""The kinds of blocks whose lines are joined."""

_MIN_PARAGRAPH_GAP = 1.25  # usual distances between lines; if larger, more paragraphs are joined
_MIN_GAP_AFTER_STOP = 1.07  # the same after the end of a sentence; formulas widen gaps elsewhere
_MIN_INDENT = 0.8  # of the first line of a paragraph, in font sizes
_MAX_INDENT = 8.0
_SHORT_LINE = 0.6  # of a full line: a sentence that ends there ends its paragraph
_FULL_LINE = 0.85
_MIN_FULL_LENGTH = 50  # characters; in narrower text, short lines mean nothing
_SAME_LEFT = 2.0  # points between the beginnings of lines in one column

_BULLETS = "•◦▪‣●○■□·∙\uf0b7\uf0a7"
_DASHES = "-–—−*"
_ITEM_NUMBER = re.compile(r"\(?(\d{1,3}|[a-z])[.)]\s")
# Numbers, and what is before a reference or a speech; other text before an aligned one is a term.
_ENTRY_MARK = re.compile(r"\(?(?:[\d.]+|\w{1,4}(?=[.)]))[.)]?|\[[^\[\]]*\]|.*:")


@dataclass(slots=True)
class Group:
    """Lines that belong together, each with the index of its page."""

    kind: BlockKind
    lines: list[PageLine] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    level: int | None = None
    is_certain: bool = True


def group_lines(
    pages: Sequence[list[PageLine]],
    style: BodyStyle,
    headings: Mapping[LineIndex, tuple[int, int]],
    kinds: Mapping[LineIndex, BlockKind],
) -> list[Group]:
    """Group the lines; `kinds` are known of some, and the lines and levels of some `headings`."""
    grouper = _Grouper(style)
    special_pages = {page for page, _ in (*headings, *kinds)}
    for page, lines in enumerate(pages):
        if page not in special_pages:
            for line, following in zip_longest(lines, lines[1:]):
                grouper.add(line, page, None, following)
            continue
        rest_of_heading = 0
        for i, line in enumerate(lines):
            if rest_of_heading:
                rest_of_heading -= 1
                grouper.go_on(line, page)
            elif (page, i) in headings:
                n_lines, level = headings[page, i]
                rest_of_heading = n_lines - 1
                grouper.begin("heading", line, page, level)
            else:
                following = lines[i + 1] if i + 1 < len(lines) else None
                grouper.add(line, page, kinds.get((page, i)), following)
    return grouper.groups


class _Grouper:
    """Adds each line to the last group, or begins another one."""

    def __init__(self, style: BodyStyle) -> None:
        self.groups: list[Group] = []
        self._style = style
        self._group = Group("heading")
        self._last: PageLine | None = None
        self._page = 0
        self._inner: PageLine | None = None  # the last line of the page inside a group
        self._max_gap = _MIN_PARAGRAPH_GAP * style.distance
        self._max_gap_after_stop = _MIN_GAP_AFTER_STOP * style.distance
        self._item_lefts: list[float] = []  # of the open list items, outermost first
        self._item_number: str | None = None

    def begin(self, kind: BlockKind, line: PageLine, page: int, level: int | None = None) -> None:
        """Begin a group."""
        if kind not in {"list_item", "code"}:
            self._item_lefts.clear()
            self._item_number = None
        self._group = Group(kind, level=level)
        self.groups.append(self._group)
        self.go_on(line, page)

    def go_on(self, line: PageLine, page: int) -> None:
        """Add a line to the last group."""
        if page != self._page:
            self._inner = None
        elif self._group.lines:
            self._inner = line
        self._group.lines.append(line)
        self._group.pages.append(page)
        self._last, self._page = line, page

    def add(
        self, line: PageLine, page: int, known: BlockKind | None, following: PageLine | None
    ) -> None:
        """Add a line to the last group or begin another one, given the `following` line."""
        last = self._last
        kind: BlockKind = known or "paragraph"
        if line.is_mono and known is None and not self._style.is_mono:
            kind = "code"
        if last is None:
            self._begin_text(kind, line, page)
            return
        gap = last.top - line.top
        size = last.size
        is_same_page = page == self._page
        if (
            is_same_page
            and -0.5 * size < gap < 0.5 * size
            and line.left > last.left
            and (known is None or self._group.kind == known)
        ):
            self.go_on(line, page)  # the same line, in another font
            return
        group_kind = self._group.kind
        if group_kind == "heading" or kind != "paragraph" or group_kind in LINE_KINDS:
            if kind == group_kind and kind in LINE_KINDS:
                self.go_on(line, page)
            else:
                self._begin_text(kind, line, page)
            return
        is_next_line = is_same_page and gap > 0
        if is_next_line:
            is_apart = (
                gap > self._max_gap * size
                or not have_same_font(last, line)
                or (gap > self._max_gap_after_stop * size and _may_follow(last, line))
                or self._begins_without_gap(last, line, following)
            )
        else:
            is_apart = not line.text[0].islower() and (
                ends_with_stop(last.text) or not have_same_font(last, line)
            )
        if is_apart or (self._may_be_heading(line) and self._begins_heading(line)):
            self._begin_text(kind, line, page)
        elif self._is_item(line, last):
            self._begin_item(line, page)
        else:
            self.go_on(line, page)

    def _begin_text(self, kind: BlockKind, line: PageLine, page: int) -> None:
        if kind != "paragraph":
            self.begin(kind, line, page)
        elif self._is_item(line, None):
            self._begin_item(line, page)
        elif self._goes_on_in_item(line):
            self.begin("list_item", line, page, len(self._item_lefts))
        elif self._has_term(line):
            self.begin("paragraph", line._replace(text=line.text[: line.hang - 1]), page)
            self.begin("paragraph", line._replace(text=line.text[line.hang :]), page)
        else:
            self.begin("paragraph", line, page)

    def _has_term(self, line: PageLine) -> bool:
        """Whether a line begins with a term and goes on with its definition."""
        is_hanging = line.hang > 0 and not self._may_be_heading(line)
        return is_hanging and _ENTRY_MARK.fullmatch(line.text[: line.hang - 1]) is None

    def _may_be_heading(self, line: PageLine) -> bool:
        return line.is_bold or line.size > _MAX_SIZE_CHANGE * self._style.size

    def _begins_heading(self, line: PageLine) -> bool:
        """Whether a numbered heading follows another one without a text of its own."""
        return all(split_number(text)[0] for text in (self._group.lines[0].text, line.text))

    def _begin_item(self, line: PageLine, page: int) -> None:
        lefts = self._item_lefts
        while lefts and lefts[-1] > line.left + _SAME_LEFT:
            lefts.pop()
        if not lefts or line.left > lefts[-1] + _SAME_LEFT:
            lefts.append(line.left)
        number = _ITEM_NUMBER.match(line.text)
        self.begin("list_item", line, page, len(lefts))
        self._item_number = number[1] if number else None

    def _is_item(self, line: PageLine, last: PageLine | None) -> bool:
        """Whether a line begins a list item, after the `last` line of the same group if any."""
        text = line.text
        first = text[0]
        if first in _BULLETS:
            return True
        if first in _DASHES:
            is_mark = first != "—" or line.hang == 2  # or somebody speaks
            return text[1:2] == " " and is_mark and self._ends_item(last, line)
        if text[1:2] not in ".)" and not first.isdigit() and first != "(":
            return False
        found = _ITEM_NUMBER.match(text)
        return found is not None and (self._ends_item(last, line) or self._follows(found[1]))

    def _ends_item(self, last: PageLine | None, line: PageLine) -> bool:
        """Whether the `last` line ends a sentence, or, judging by the next line, a list item."""
        if last is None:
            return True
        is_elsewhere = abs(line.left - last.left) > _SAME_LEFT
        return ends_with_stop(last.text) or (is_elsewhere and self._group.kind == "list_item")

    def _follows(self, number: str) -> bool:
        last = self._item_number
        if last is None:
            return False
        if number.isdecimal() and last.isdecimal():
            return int(number) == int(last) + 1
        return len(number) == len(last) == 1 and ord(number) == ord(last) + 1

    def _goes_on_in_item(self, line: PageLine) -> bool:
        """Whether a paragraph is aligned with the second line of the list item before it."""
        lines = self._group.lines
        return (
            self._group.kind == "list_item"
            and len(lines) > 1
            and lines[-1].left > self._item_lefts[-1] + _SAME_LEFT
            and abs(lines[-1].left - line.left) <= _SAME_LEFT
            and have_same_font(lines[-1], line)
        )

    def _begins_without_gap(
        self, last: PageLine, line: PageLine, following: PageLine | None
    ) -> bool:
        """Whether a new paragraph begins without a gap: by its indent, or after a short line."""
        indent = line.left - last.left
        if -_SAME_LEFT <= indent <= _SAME_LEFT:
            return _may_follow(last, line) and self._ends_paragraph(last, line, following)
        if not _MIN_INDENT * line.size < indent < _MAX_INDENT * line.size:
            return False
        is_first = len(self._group.lines) == 1
        is_short = len(last.text) < _SHORT_LINE * self._style.length
        if (not is_first or is_short) and ends_with_stop(last.text):
            return True
        if not (is_first and is_short) or self._may_be_heading(last):
            return False
        below = self._indent_below(line, following)  # of a definition below its term
        return below is not None and abs(below) <= _SAME_LEFT

    def _ends_paragraph(self, last: PageLine, line: PageLine, following: PageLine | None) -> bool:
        """Whether a line that ends a sentence ends a paragraph, given lines at its left edge."""
        length, lines = self._style.length, self._group.lines
        if len(lines) > 1:
            is_after_full = len(lines[-2].text) > _FULL_LINE * length
            is_short = len(last.text) < _SHORT_LINE * length
            return is_short and is_after_full and length >= _MIN_FULL_LENGTH
        # Both lines may be the first ones of paragraphs, which are indented.
        below, inner = self._indent_below(line, following), self._inner
        is_full = len(last.text) > _FULL_LINE * length
        if inner is not None and not is_full and have_same_font(inner, line):
            below = min(inner.left - line.left, below or 0.0)
        return below is not None and _MIN_INDENT * line.size < -below < _MAX_INDENT * line.size

    def _indent_below(self, line: PageLine, following: PageLine | None) -> float | None:
        """Return the indent of the following line; None if it is not close."""
        if following is None or not 0 < line.top - following.top < self._max_gap * line.size:
            return None
        return following.left - line.left


def _may_follow(last: PageLine, line: PageLine) -> bool:
    """Whether a line may be the first of a paragraph after one that ends with another."""
    return not line.text[0].islower() and ends_with_stop(last.text)


_MIN_ROWS = 3  # if smaller, other lines with gaps become tables
_SAME_CELL_LEFT = 3.0  # points between the beginnings of cells in one column


def find_table_rows(pages: Sequence[list[PageLine]]) -> set[LineIndex]:
    """Return the lines with cells that are aligned with the cells of neighbouring lines."""
    found: set[LineIndex] = set()
    for page, lines in enumerate(pages):
        rows = [i for i, line in enumerate(lines) if line.cells]
        if len(rows) < _MIN_ROWS:
            continue
        run = rows[:1]
        for i in [*rows[1:], len(lines)]:
            if i < len(lines) and _continues(lines, run[-1], i):
                run.extend(range(run[-1] + 1, i + 1))
                continue
            if sum(bool(lines[row].cells) for row in run) >= _MIN_ROWS:
                found |= {(page, row) for row in run}
            run = [i]
    return found


def _continues(lines: list[PageLine], last: int, row: int) -> bool:
    """Whether a row continues a table; between them may be the second line of a cell."""
    is_second = row == last + 2 and _is_at(lines[last + 1].left, lines[last].cells)
    return (row == last + 1 or is_second) and _are_aligned(lines[last], lines[row])


def _are_aligned(one: PageLine, other: PageLine) -> bool:
    """Whether the first cells and all cells of the shorter row are aligned."""
    shorter, longer = sorted((one.cells, other.cells), key=len)
    are_beside = abs(one.left - other.left) <= _SAME_CELL_LEFT
    return are_beside and all(_is_at(left, longer) for _, left in shorter)


def _is_at(left: float, cells: tuple[tuple[int, float], ...]) -> bool:
    """Whether a cell begins at this distance from the left edge."""
    return any(abs(column - left) <= _SAME_CELL_LEFT for _, column in cells)


def join_inline_code(groups: Sequence[Group]) -> list[Group]:
    """Join a single line of code with the sentence before and after it, unless it is indented."""
    joined: list[Group] = []
    for i, group in enumerate(groups):
        last = joined[-1] if joined else None
        if last is not None and last.kind in TEXT_KINDS:
            after = groups[i + 1] if i + 1 < len(groups) else None
            is_inline = (
                group.kind == "code"
                and len(group.lines) == 1
                and after is not None
                and after.kind == "paragraph"
                and after.lines[0].text[0].islower()
                and not ends_with_stop(last.lines[-1].text)
                and abs(group.lines[0].left - after.lines[0].left) <= _SAME_LEFT
            )
            goes_on = (
                group.kind == "paragraph"
                and last.lines[-1].is_mono
                and groups[i - 1].kind == "code"
                and group.lines[0].text[0].islower()
            )
            if is_inline or goes_on:
                last.lines += group.lines
                last.pages += group.pages
                continue
        joined.append(group)
    return joined

"""Where the characters of a text come from: pages, times, cells and headings of its file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from docbats.blocks import HeadingIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FAR = (inf, inf, inf, inf)


@dataclass(frozen=True)
class Page:
    """A page whose text begins at the offset `start`.

    `tops` are the offsets where its lines begin, and their heights on the page, in points; `lines`
    are these offsets with the left, top, right and bottom edge of each line, from the top left.
    """

    start: int
    tops: tuple[tuple[int, float], ...] = field(default=(), repr=False)
    lines: tuple[tuple[int, tuple[float, float, float, float]], ...] = field(default=(), repr=False)

    def top_at(self, offset: int) -> float | None:
        """Return the height of the line with this character; None if it is not known."""
        line = bisect_right(self.tops, (offset, inf)) - 1
        return self.tops[line][1] if line >= 0 else None


class Box(NamedTuple):
    """A rectangle on a page, in points from the top left corner of the page as it is shown.

    The first page is number 1.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float

    def joined(self, below: Box) -> Box | None:
        """Return one box for this and the next line; None if they are apart or side by side."""
        height = min(self.bottom - self.top, below.bottom - below.top)
        is_below = -0.5 * height <= below.top - self.bottom <= _MAX_LINE_GAP * height
        overlaps = below.left < self.right and self.left < below.right
        if self.page != below.page or not is_below or not overlaps:
            return None
        left, right = min(self.left, below.left), max(self.right, below.right)
        return Box(self.page, left, self.top, right, max(self.bottom, below.bottom))


_MAX_LINE_GAP = 0.9  # heights between lines in one box; if larger, it covers what is between them


@dataclass(frozen=True)
class Cue:
    """The text from `start` to before `end` is said between two times, in seconds."""

    start: int
    end: int
    begins: float
    ends: float

    def time_at(self, offset: int) -> float:
        """Return when a character is said, as if all took equally long."""
        share = (offset - self.start) / max(1, self.end - self.start)
        return self.begins + (self.ends - self.begins) * min(max(share, 0.0), 1.0)


@dataclass(frozen=True)
class Heading:
    """A heading, ``text[start:end]`` with its marks; level 1 is the highest."""

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook whose text begins at the offset `start`; the first cell is number 1."""

    start: int
    number: int


@dataclass(frozen=True)
class Place:
    """Where a stretch of text is in its file; what the file does not have is None or empty.

    Attributes
    ----------
    pages
        First and last page, counted from 1.
    seconds
        Start and end in the recording.
    cells
        First and last cell of a notebook, counted from 1.
    under
        The headings that the stretch begins under, highest first.
    headings
        The headings in it.
    boxes
        Rectangles that cover its lines on the pages of a PDF, in the order of the text.
    """

    pages: tuple[int, int] | None = None
    seconds: tuple[float, float] | None = None
    cells: tuple[int, int] | None = None
    under: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the pages, times, cells and boxes that are known as JSON-ready values."""
        known = {"pages": self.pages, "seconds": self.seconds, "cells": self.cells}
        values: dict[str, Any] = {
            name: list(pair) for name, pair in known.items() if pair is not None
        }
        if self.boxes:
            values["boxes"] = [list(box) for box in self.boxes]
        return values

    def __str__(self) -> str:
        """Return pages, cells and times for people.

        >>> str(Place(pages=(3, 5))), str(Place(seconds=(61.4, 75.0)))
        ('pages 3-5', '1:01-1:15')
        """
        parts = []
        for noun, pair in (("page", self.pages), ("cell", self.cells)):
            if pair is not None:
                first, last = pair
                parts.append(f"{noun} {last}" if first == last else f"{noun}s {first}-{last}")
        if self.seconds is not None:
            parts.append("-".join(clock(second) for second in self.seconds))
        return ", ".join(parts)


@dataclass(frozen=True)
class Places:
    """The places of a whole text, each kind in the order of the text."""

    pages: tuple[Page, ...] = ()
    cues: tuple[Cue, ...] = ()
    cells: tuple[Cell, ...] = ()
    headings: tuple[Heading, ...] = ()

    def find(self, start: int, end: int) -> Place | None:
        """Return where the text from `start` to before `end` is; None if nothing is known.

        >>> Places(pages=(Page(0), Page(10), Page(20))).find(5, 12).pages
        (1, 2)
        """
        last = max(start, end - 1)
        headings = self._heading_index
        inside = headings.between(start, end)
        # An empty stretch right before a heading is not in its section yet.
        above = headings.path_above(start) if inside else headings.path_at(start - 1)
        place = Place(
            pages=(_at(self.pages, start) + 1, _at(self.pages, last) + 1) if self.pages else None,
            seconds=self._seconds(start, last) if self.cues else None,
            cells=(self._cell(start), self._cell(last)) if self.cells else None,
            under=above,
            headings=inside,
            boxes=tuple(self._boxes(start, end)),
        )
        return None if place == Place() else place

    def _seconds(self, start: int, last: int) -> tuple[float, float]:
        begins = self.cues[_at(self.cues, start)].time_at(start)
        ends = self.cues[_at(self.cues, last)].time_at(last + 1)
        return round(begins, 3), round(max(begins, ends), 3)

    def _boxes(self, start: int, end: int) -> Iterator[Box]:
        """Yield boxes that cover the lines of a stretch, several in one where they are close."""
        open_box: Box | None = None
        for number in range(_at(self.pages, start), _at(self.pages, end - 1) + 1):
            if number >= len(self.pages) or end <= start:
                break
            lines = self.pages[number].lines
            first = max(0, bisect_right(lines, (start, _FAR)) - 1)
            for _, edges in lines[first : bisect_right(lines, (end - 1, _FAR))]:
                box = Box(number + 1, *edges)
                joined = None if open_box is None else open_box.joined(box)
                if joined is None and open_box is not None:
                    yield open_box
                open_box = joined or box
        if open_box is not None:
            yield open_box

    def _cell(self, offset: int) -> int:
        return self.cells[_at(self.cells, offset)].number

    @cached_property
    def _heading_index(self) -> HeadingIndex:
        return HeadingIndex((each.start, each.level, each.title) for each in self.headings)


def clock(seconds: float) -> str:
    """Return a time as people write it, rounded down.

    >>> clock(0.9), clock(61), clock(3661)
    ('0:00', '1:01', '1:01:01')
    """
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def _at(pieces: Sequence[Page | Cue | Cell], offset: int) -> int:
    """Return the index of the last piece that begins up to `offset`; 0 if all begin after it."""
    return max(0, bisect_right(pieces, offset, key=attrgetter("start")) - 1)

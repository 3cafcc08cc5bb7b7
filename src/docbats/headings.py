"""The author's headings: which of them are over each place of a text, and which title a segment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.document import Document

MIN_TOP_HEADINGS = 3
"""How many headings of one level it takes for them to divide a text."""


@dataclass(frozen=True)
class HeadingTitle:
    """What the author's headings say about a segment.

    Attributes
    ----------
    title
        The heading that it begins with; None if it begins with none.
    path
        The headings above it, highest first, and its own.
    """

    title: str | None = None
    path: tuple[str, ...] = ()


class HeadingIndex:
    """The headings of a text, each below the last one before it that has a higher level.

    Make one with :meth:`of`, or from the start, the level and the title of each heading.

    Examples
    --------
    >>> headings = HeadingIndex([(0, 1, "Bats"), (9, 2, "Wings"), (20, 3, "Bones"), (30, 2, "Tea")])
    >>> headings.path_at(40)
    ('Bats', 'Tea')
    >>> headings.path_above(20)
    ('Bats', 'Wings')
    """

    def __init__(self, headings: Iterable[tuple[int, int, str]]) -> None:
        self.starts: list[int] = []
        self.levels: list[int] = []
        self.titles: list[str] = []
        self._parents: list[int | None] = []
        self._text = ""
        self._followed: frozenset[int] = frozenset()  # starts of those right before another heading
        open_: list[int] = []  # the headings over the current place
        for i, (start, level, title) in enumerate(headings):
            while open_ and self.levels[open_[-1]] >= level:
                open_.pop()
            self._parents.append(open_[-1] if open_ else None)
            self.starts.append(start)
            self.levels.append(level)
            self.titles.append(title)
            open_.append(i)

    @classmethod
    def of(cls, document: Document) -> HeadingIndex:
        """Index the headings of a document; those without text do not count."""
        blocks = [block for block in document.blocks if block.kind != "heading" or block.heading]
        headings = (block for block in blocks if block.kind == "heading")
        index = cls((block.start, block.level or 1, block.heading) for block in headings)
        index._text = document.text
        index._followed = frozenset(
            block.start
            for block, after in pairwise(blocks)
            if block.kind == "heading" and after.kind == "heading"
        )
        return index

    def path_at(self, start: int) -> tuple[str, ...]:
        """Return the headings over a stretch of text, with the one that it begins with."""
        return self._path(bisect_right(self.starts, start) - 1)

    def path_above(self, start: int) -> tuple[str, ...]:
        """Return the headings over a stretch of text, without those that it begins with."""
        i = bisect_left(self.starts, start)
        if i < len(self.starts) and self.starts[i] == start:
            return self._path(self._parents[i])
        return self._path(i - 1)

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """Return the headings that begin in a stretch of text."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return tuple(self.titles[low:high])

    @property
    def document_title(self) -> str | None:
        """The only heading of the highest level; None if there are several or none."""
        tops = [i for i, parent in enumerate(self._parents) if parent is None]
        return self.titles[tops[0]] if len(tops) == 1 else None

    def segment_title(self, start: int) -> HeadingTitle:
        """Return what the headings say about a segment that begins at this character.

        If it begins with several headings, its title is the first of the highest level that
        divides the text: not the title of the whole document, if the first section follows.
        """
        while start < len(self._text) and self._text[start].isspace():
            start += 1
        first = i = bisect_left(self.starts, start)
        if i == len(self.starts) or self.starts[i] != start:
            return HeadingTitle(None, self._path(i - 1))
        while self.levels[i] < self._top_level:
            if self.starts[i] not in self._followed:
                i = first
                break
            i += 1
        return HeadingTitle(self.titles[i], self._path(i))

    @cached_property
    def _top_level(self) -> int:
        return top_level(self.levels)

    def _path(self, i: int | None) -> tuple[str, ...]:
        """Return a heading and those above it, highest first; nothing for None and -1."""
        path: list[str] = []
        while i is not None and i >= 0:
            path.append(self.titles[i])
            i = self._parents[i]
        return tuple(reversed(path))


def top_level(levels: Sequence[int]) -> int:
    """Return the highest level that three headings have, or else the highest of all.

    A single heading above the others is the title of the whole.

    >>> top_level([1, 2, 3, 2, 3, 2])
    2
    """
    count = Counter(levels)
    often = [level for level, uses in count.items() if uses >= MIN_TOP_HEADINGS]
    return min(often or count)

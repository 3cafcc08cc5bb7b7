"""The headings of a document: which one is under which, and which are over a place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.document import Document


class HeadingTree:
    """The headings of a text, each under the last one before it that has a higher level.

    Attributes
    ----------
    parents
        The index of the heading that each stands under; None where it stands under none.

    Examples
    --------
    >>> tree = HeadingTree([(1, "Bats"), (2, "Wings"), (3, "Bones"), (2, "Ears")])
    >>> tree.parents
    [None, 0, 1, 0]
    >>> tree.path(3)
    ('Bats', 'Ears')
    """

    def __init__(self, headings: Iterable[tuple[int, str]]) -> None:
        self.parents: list[int | None] = []
        self._titles: list[str] = []
        open_: list[tuple[int, int]] = []  # levels and indices of the headings over a place
        for i, (level, title) in enumerate(headings):
            while open_ and open_[-1][0] >= level:
                open_.pop()
            self.parents.append(open_[-1][1] if open_ else None)
            self._titles.append(title)
            open_.append((level, i))

    def path(self, at: int | None) -> tuple[str, ...]:
        """Return a heading and those that it stands under, highest first; none of no heading."""
        path: list[str] = []
        while at is not None:
            path.append(self._titles[at])
            at = self.parents[at]
        return tuple(reversed(path))


class HeadingPaths:
    """The paths of headings of a document, found in one pass."""

    def __init__(self, document: Document) -> None:
        headings = [block for block in document.blocks if block.kind == "heading" and block.heading]
        self._starts = [heading.start for heading in headings]
        self._tree = HeadingTree((heading.level or 1, heading.heading) for heading in headings)

    def at(self, start: int) -> tuple[str, ...]:
        """Return the path of a stretch of text, with the heading with which it begins."""
        at = bisect_right(self._starts, start)
        return self._tree.path(at - 1 if at else None)

    def ancestors(self, start: int) -> tuple[str, ...]:
        """Return the path above a stretch of text, without the headings with which it begins."""
        at = bisect_left(self._starts, start)
        if at < len(self._starts) and self._starts[at] == start:
            return self._tree.path(self._tree.parents[at])
        return self._tree.path(at - 1 if at else None)

    @property
    def document_title(self) -> str | None:
        """The only heading of the highest level; None where there are several or none."""
        tops = [at for at, parent in enumerate(self._tree.parents) if parent is None]
        return self._tree.path(tops[0])[0] if len(tops) == 1 else None

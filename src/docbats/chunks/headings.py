"""The headings that each place of a document stands under."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from docbats.heading_tree import HeadingTree

if TYPE_CHECKING:
    from docbats.document import Document

__all__ = ["HeadingPaths"]


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

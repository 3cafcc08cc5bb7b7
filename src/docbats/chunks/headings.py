"""The headings that each place of a document stands under."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.document import Document

__all__ = ["HeadingPaths"]


class HeadingPaths:
    """The paths of headings of a document, found in one pass."""

    def __init__(self, document: Document) -> None:
        self._starts: list[int] = []
        self._paths: list[tuple[str, ...]] = []
        open_: list[tuple[int, str]] = []
        tops: list[tuple[int, str]] = []
        for block in document.blocks:
            if block.kind != "heading" or not block.heading:
                continue
            level = block.level or 1
            while open_ and open_[-1][0] >= level:
                open_.pop()
            open_.append((level, block.heading))
            self._starts.append(block.start)
            self._paths.append(tuple(heading for _, heading in open_))
            if len(open_) == 1:
                tops.append((block.start, block.heading))
        self._tops = tops

    def at(self, start: int) -> tuple[str, ...]:
        """Return the path of a stretch of text, with the heading with which it begins."""
        at = bisect_left(self._starts, start)
        if at < len(self._starts) and self._starts[at] == start:
            return self._paths[at]
        return self._paths[at - 1] if at else ()

    def ancestors(self, start: int) -> tuple[str, ...]:
        """Return the path above a stretch of text, without the headings with which it begins."""
        at = bisect_left(self._starts, start)
        if at < len(self._starts) and self._starts[at] == start:
            return self._paths[at][:-1]
        return self._paths[at - 1] if at else ()

    @property
    def document_title(self) -> str | None:
        """The only heading of the highest level; None where there are several or none."""
        return self._tops[0][1] if len(self._tops) == 1 else None

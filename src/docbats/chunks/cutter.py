"""From a document to its chunks: their limit, their overlap and their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.chunks.chunk import CONTEXT_END
from docbats.chunks.cut import CONTEXT_JOIN, Cut
from docbats.chunks.headings import HeadingPaths
from docbats.chunks.packer import Packer
from docbats.chunks.pieces import CutCosts

if TYPE_CHECKING:
    from docbats.chunks.sizes import Sizes
    from docbats.document import Document

__all__ = ["Cutter"]

MAX_CONTEXT_SHARE = 1 / 3  # of a chunk; a longer path of headings loses the highest ones
MAX_OVERLAP_SHARE = 1 / 2  # of a chunk is kept free for an overlap at most
TITLE_SHARE = 1 / 8  # of a chunk is left for its title


@dataclass(frozen=True)
class Cutter:
    """Cuts one document into chunks.

    Attributes
    ----------
    limit
        The largest size of what is indexed of a chunk: its context, its overlap and itself.
    overlap
        The largest size of what a chunk repeats of the text before it.
    context_kind
        What goes before each chunk: the path of ``"headings"``; for a ``"title"``, which is found
        afterwards, room is left; nothing for ``"none"``.
    strip
        Whether white space around chunks is left out.
    """

    document: Document
    sizes: Sizes
    limit: int
    overlap: int = 0
    context_kind: str = "none"
    strip: bool = True
    costs: CutCosts = field(default_factory=CutCosts)
    _known: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def headings(self) -> HeadingPaths:
        """The paths of headings."""
        return HeadingPaths(self.document)

    def cut(self) -> list[Cut]:
        """Return the chunks in order."""
        return Packer(self).cut()

    def path(self, start: int) -> list[str]:
        """Return the headings above a chunk whose own text begins at this character.

        The highest are left out where they would take too much of it.
        """
        if self.context_kind != "headings":
            return []
        path = list(self.headings.ancestors(start))
        while path and self._size_of(path) > self.limit * MAX_CONTEXT_SHARE:
            del path[0]
        return path

    def extra(self, start: int) -> float:
        """Return what a chunk that begins at this character has on top of its own text."""
        path = self.path(start)
        title = self.limit * TITLE_SHARE if self.context_kind == "title" else 0
        overlap = min(self.overlap, self.limit * MAX_OVERLAP_SHARE)
        return self.edge + overlap + title + (self._size_of(path) if path else 0)

    @cached_property
    def edge(self) -> int:
        """The size of an empty text: special tokens."""
        return self.sizes("")

    def _size_of(self, path: list[str]) -> int:
        context = CONTEXT_JOIN.join(path)
        if context not in self._known:
            self._known[context] = self.sizes(context + CONTEXT_END) - self.edge
        return self._known[context]

"""A chunk before it is described."""

from __future__ import annotations

from dataclasses import dataclass

from docbats.chunks.chunk import CONTEXT_END

__all__ = ["CONTEXT_JOIN", "Cut"]

CONTEXT_JOIN = " > "
"""Stands between the headings of a context."""


@dataclass(frozen=True)
class Cut:
    """A chunk before it is described.

    Attributes
    ----------
    start, end
        Its span with what it repeats of the text before it.
    own_start
        Where what is its own begins.
    size
        Of its context and its text.
    path
        The headings that are its context.
    cost
        Of the cut before it.
    """

    start: int
    end: int
    own_start: int
    size: int
    path: tuple[str, ...]
    cost: float

    @property
    def context(self) -> str:
        """What goes before it."""
        return CONTEXT_JOIN.join(self.path)

    def content(self, text: str) -> str:
        """Return what is indexed of it."""
        before = self.context + CONTEXT_END if self.path else ""
        return before + text[self.start : self.end]

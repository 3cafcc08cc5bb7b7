"""One text put together from paragraphs and headings."""

from __future__ import annotations

from docbats.readers.places import Heading

__all__ = ["TextBuilder"]


class TextBuilder:
    """Joins paragraphs and headings to one text, with blank lines between them."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str, level: int | None = None) -> None:
        """Add a paragraph, or a heading of the given level."""
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start, end = self._length, self._length + len(text)
        if level is not None:
            self.headings.append(Heading(start, end, level, title=" ".join(text.split())))
        self._parts.append(text)
        self._length = end

    @property
    def text(self) -> str:
        """All that was added."""
        return "".join(self._parts)

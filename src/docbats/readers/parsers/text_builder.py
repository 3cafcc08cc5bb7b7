"""One text put together from blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.readers.file_text import FileText
from docbats.readers.parsers.blanking import blank, spans_without_prose
from docbats.readers.parsers.contents_and_references import mark_contents_and_references
from docbats.readers.parsers.heading_number import NumberedTitle, split_number
from docbats.readers.places import Heading, Page, Places

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

__all__ = ["TextBuilder", "headings_of"]


class TextBuilder:
    """Joins blocks to one text, with blank lines between them."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._blanked: list[tuple[int, int]] = []  # code in a list, which is no block of its own
        self._parts: list[str] = []
        self._length = 0
        self._page_blocks: list[int] = []  # how many blocks stand before each page

    def start_page(self) -> None:
        """Begin a page or a slide with the next block."""
        self._page_blocks.append(len(self._blocks))

    def add(
        self,
        text: str,
        kind: BlockKind = "paragraph",
        level: int | None = None,
        number: str | None = None,
        *,
        is_prose: bool = True,
    ) -> None:
        """Add a block; the number of a heading is found in its text if it is not given."""
        title = written = None
        if kind == "heading":
            number, title = _numbered(text, number)
            text = written = " ".join(text.split())
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start, end = self._length, self._length + len(text)
        self._blocks.append(Block(kind, start, end, level, number, title, written=written))
        if not is_prose:
            self._blanked.append((start, end))
        self._parts.append(text)
        self._length = end

    def __bool__(self) -> bool:
        """Whether anything was added."""
        return bool(self._parts)

    def file_text(self) -> FileText:
        """Return all that was added."""
        text = "".join(self._parts)
        starts = [block.start for block in self._blocks]
        pages = (starts[i] if i < len(starts) else self._length for i in self._page_blocks)
        blocks = mark_contents_and_references(self._blocks, text)
        blanked = self._blanked + spans_without_prose(blocks)
        return FileText(
            text,
            Places(pages=tuple(map(Page, pages)), headings=headings_of(blocks)),
            prose=blank(text, blanked) if blanked else None,
            blocks=blocks,
        )


def headings_of(blocks: tuple[Block, ...]) -> tuple[Heading, ...]:
    """Return the headings among the blocks, with their numbers in their titles."""
    return tuple(
        Heading(block.start, block.end, block.level or 1, block.heading)
        for block in blocks
        if block.kind == "heading"
    )


def _numbered(text: str, number: str | None) -> NumberedTitle:
    """Take the number from a heading, or find it."""
    whole = " ".join(text.split())
    number = None if number is None else " ".join(number.split())
    if number and whole.startswith(number):
        title = whole[len(number) :].lstrip(" .:–—-\xa0")
        if title:
            return NumberedTitle(number, title)
    return split_number(text)

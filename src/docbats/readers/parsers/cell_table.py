"""The rows and cells of a table that is being read, and whether it holds data or lays out text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.readers.parsers.text_builder import TextBuilder

__all__ = ["CellTable", "ParagraphKind"]

_MAX_CELL = 400  # characters; a table with a longer cell lays out text


class ParagraphKind(NamedTuple):
    """What a paragraph is by its style; the level is that of a heading or of a list's item."""

    kind: BlockKind = "paragraph"
    level: int | None = None


@dataclass
class CellTable:
    """The rows of a table, each a list of cells, each a list of paragraphs with their kinds."""

    rows: list[list[list[tuple[str, ParagraphKind]]]] = field(default_factory=list)

    def start_row(self) -> None:
        """Begin a row."""
        self.rows.append([])

    def start_cell(self) -> None:
        """Begin a cell."""
        if self.rows:
            self.rows[-1].append([])

    def add(self, text: str, kind: ParagraphKind) -> None:
        """Add a paragraph to the last cell."""
        if self.rows and self.rows[-1]:
            self.rows[-1][-1].append((text, kind))

    def text(self) -> str | None:
        """Return the table as lines of cells; None if it lays out text rather than data."""
        cells = [cell for row in self.rows for cell in row]
        is_layout = max(map(len, self.rows), default=0) < 2 or any(
            sum(len(text) for text, _ in cell) > _MAX_CELL
            or any(kind.kind in {"heading", "code"} for _, kind in cell)
            for cell in cells
        )
        if is_layout:
            return None
        lines = (
            "\t".join(" ".join(" ".join(text.split()) for text, _ in cell) for cell in row)
            for row in self.rows
        )
        return "\n".join(line for line in lines if line.strip()).strip()

    def add_to(self, built: TextBuilder) -> None:
        """Add the table as one block, or what it lays out as blocks of their own."""
        text = self.text()
        if text is not None:
            if text:
                built.add(text, "table")
            return
        for row in self.rows:
            for cell in row:
                for paragraph, kind in cell:
                    built.add(paragraph, kind.kind, kind.level)

"""Tables of a page: the rows of data in one block; those for layout stay what is in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docbats.readers.parsers.html_walk import HtmlBlock

__all__ = ["merge_rows"]

_MAX_CELL = 400  # characters; a table with a longer cell lays out text
_MIN_CELLS = 2  # in the widest row
_DATA_KINDS = {"paragraph", "list_item", "quote", "contents", "references"}


class _NewBlock(Protocol):
    def __call__(
        self, text: str, *, is_code: bool = False, is_table: bool = False
    ) -> HtmlBlock: ...


def merge_rows(blocks: list[HtmlBlock], start: int, new_block: _NewBlock) -> None:
    """Replace the blocks from `start` on, those of one table, by one, if they are data."""
    parts = blocks[start:]
    rows = [
        "\t".join(part.text.replace("\n", " ") for part in row)
        for _, row in groupby(parts, lambda part: part.row)
    ]
    cells = [row.split("\t") for row in rows]
    is_data = (
        all(part.kind in _DATA_KINDS and part.is_prose for part in parts)
        and max(map(len, cells), default=0) >= _MIN_CELLS
        and all(len(cell) <= _MAX_CELL for row in cells for cell in row)
    )
    if is_data:
        table = new_block("\n".join(rows), is_table=True)
        blocks[start:] = [replace(table, linked=sum(part.linked for part in parts))]

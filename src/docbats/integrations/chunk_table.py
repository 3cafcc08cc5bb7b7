"""The rows of a table of chunks: the same in frames and in Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.integrations.text_table import TextTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from docbats.chunks import Chunk
    from docbats.document import Document

__all__ = ["CHUNK_COLUMNS", "chunk_row", "chunk_rows", "chunk_table"]

CHUNK_COLUMNS: dict[str, str] = {
    "chunk": "int",
    "start": "int",
    "end": "int",
    "own_start": "int",
    "size": "int",
    "title": "str?",
    "document_title": "str?",
    "heading_path": "strs",
    "speakers": "strs",
    "first_page": "int?",
    "last_page": "int?",
    "first_cell": "int?",
    "last_cell": "int?",
    "begins": "float?",
    "ends": "float?",
    "topics": "strs?",
    "context": "str?",
    "text": "str",
}
"""The columns of a table of chunks, as :class:`TextTable` has them."""


def chunk_row(number: int, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a chunk, with a value for each of `CHUNK_COLUMNS`.

    `known` is what :meth:`Chunk.values` returns, and its text, if that is wanted.
    """
    nothing = (None, None)
    first_page, last_page = known.get("pages", nothing)
    first_cell, last_cell = known.get("cells", nothing)
    begins, ends = known.get("seconds", nothing)
    return {
        "chunk": number,
        "start": known["start"],
        "end": known["end"],
        "own_start": known.get("own_start", known["start"]),
        "size": known["size"],
        "title": known["title"],
        "document_title": known.get("document_title"),
        "heading_path": known.get("heading_path", []),
        "speakers": known.get("speakers", []),
        "first_page": first_page,
        "last_page": last_page,
        "first_cell": first_cell,
        "last_cell": last_cell,
        "begins": begins,
        "ends": ends,
        "topics": known.get("topics"),
        "context": known.get("context"),
        "text": known.get("text"),
    }


def chunk_rows(chunks: Iterable[Chunk]) -> list[dict[str, Any]]:
    """Return a row for each chunk of one text."""
    return [
        chunk_row(number, {**chunk.values(), "text": chunk.text})
        for number, chunk in enumerate(chunks)
    ]


def chunk_table(**options: Any) -> TextTable:
    """Return what makes a table of chunks, by the options of a chunker."""
    chunker = make_chunker(options)

    def find(text: str | Document) -> list[dict[str, Any]]:
        return chunk_rows(chunker(text))

    return TextTable(CHUNK_COLUMNS, find)

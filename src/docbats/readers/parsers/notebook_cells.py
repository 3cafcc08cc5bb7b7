"""The Markdown cells of a Jupyter notebook."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.readers.file_text import FileText
from docbats.readers.parsers.markdown_scan import MarkdownScan
from docbats.readers.places import Cell, Heading, Places

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_notebook"]


def read_notebook(text: str) -> FileText:
    """Read the Markdown cells; code and its output are left out."""
    parts: list[str] = []
    prose: list[str] = []
    cells: list[Cell] = []
    headings: list[Heading] = []
    breaks: list[int] = []
    size = 0
    for number, source in _markdown_cells(text):
        if parts:
            parts.append("\n\n")
            prose.append("\n\n")
            size += 2
        found = MarkdownScan(source)
        cells.append(Cell(size, number))
        headings += [
            Heading(h.start + size, h.end + size, h.level, h.title) for h in found.headings
        ]
        breaks += [place + size for place in found.breaks]
        parts.append(source)
        prose.append(found.prose(source))
        size += len(source)
    whole = "".join(parts)
    if not whole.strip():
        msg = "a notebook without text: only Markdown cells are read, and it has none"
        raise ReadError(msg)
    places = Places(cells=tuple(cells), headings=tuple(headings))
    return FileText(whole, places, "".join(prose), tuple(breaks))


def _markdown_cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each Markdown cell that is not blank."""
    try:
        notebook = json.loads(text)
        cells = notebook.get("cells")
        if cells is None:  # the format up to 2014
            cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        for number, cell in enumerate(cells, start=1):
            kind, source = cell["cell_type"], _joined(cell.get("source", ""))
            if kind == "heading":
                kind, source = "markdown", "#" * int(cell.get("level", 1)) + " " + source
            if kind == "markdown" and source.strip():
                yield number, source
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        msg = f"a broken notebook ({type(error).__name__}: {error}): open and save it in Jupyter"
        raise ReadError(msg) from None


def _joined(source: Any) -> str:
    """Return the source of a cell as one string; it is often a list of lines."""
    return source if isinstance(source, str) else "".join(source)

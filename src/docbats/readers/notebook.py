"""The cells of a Jupyter notebook, as one Markdown text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.blocks import Block, blank
from docbats.errors import ReadError
from docbats.places import Cell, Places
from docbats.readers.content import FileContent, FileText
from docbats.readers.markdown import PARAGRAPH, MarkdownBlocks
from docbats.readers.text_builder import headings_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"^[^\S\n]*+(`{3,})", re.MULTILINE)


def read_notebook(content: FileContent) -> FileText:
    """Read the cells, with code between fences; the output of code is left out."""
    parts: list[str] = []
    prose: list[str] = []
    cells: list[Cell] = []
    blocks: list[Block] = []
    size = 0
    for number, kind, source in _sources(content.text):
        written, shown, found = _read_cell(kind, source)
        cells.append(Cell(size, number))
        blocks += [replace(b, start=b.start + size, end=b.end + size) for b in found]
        parts.append(written)
        prose.append(shown)
        size += len(written) + 2
    if not any(map(str.strip, prose)):
        msg = "a notebook without text: none of its Markdown cells has words"
        raise ReadError(msg)
    places = Places(cells=tuple(cells), headings=headings_of(tuple(blocks)))
    return FileText("\n\n".join(parts), places, "\n\n".join(prose), blocks=tuple(blocks))


def _read_cell(kind: str, source: str) -> tuple[str, str, tuple[Block, ...]]:
    """Return the text, the prose and the blocks of a cell."""
    if kind == "markdown":
        found = MarkdownBlocks(source)
        return source, found.prose(), found.blocks
    if kind == "code":
        fence = "`" * max([3, *(len(mark) + 1 for mark in _FENCE.findall(source))])
        written = f"{fence}\n{source.rstrip()}\n{fence}"
        block = Block("code", 0, len(written))
        return written, blank(written, [(0, len(written))]), (block,)
    paragraphs = (found.span() for found in PARAGRAPH.finditer(source))
    return source, source, tuple(Block("paragraph", *span) for span in paragraphs)


def _sources(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the kind and the source of each cell that is not blank."""
    try:
        notebook = json.loads(text)
        cells = notebook.get("cells")
        if cells is None:  # the format up to 2014
            cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        for number, cell in enumerate(cells, start=1):
            kind = cell["cell_type"]
            source = "".join(cell.get("source", cell.get("input", "")))  # often a list of lines
            if kind == "heading":
                kind, source = "markdown", "#" * min(6, int(cell.get("level", 1))) + " " + source
            if kind in {"markdown", "code", "raw"} and source.strip():
                yield number, kind, source
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        msg = f"a broken notebook ({type(error).__name__}: {error}): open and save it in Jupyter"
        raise ReadError(msg) from None

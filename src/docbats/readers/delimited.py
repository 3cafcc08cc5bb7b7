"""CSV and TSV: one table, with a line for each row."""

from __future__ import annotations

import csv
from itertools import islice
from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.readers.content import FileText, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.readers.content import FileContent

_DELIMITERS = ",;\t|"
_N_SAMPLE_ROWS = 50  # by which the delimiter is found


def read_delimited(content: FileContent) -> FileText:
    """Return the rows as lines with tabs between cells; a file without columns as plain text."""
    text = content.text.removeprefix("\ufeff")
    delimiter = _find_delimiter(text, content.name)
    if delimiter is None:
        return read_text(content)
    if text[:4].lower() == "sep=":  # as Excel declares it
        text = text.partition("\n")[2]
    return table_text(_rows(text, delimiter))


def table_text(rows: Iterable[Sequence[str]]) -> FileText:
    r"""Return a text that is one table; blank rows are left out, and its words count as text.

    >>> table_text([["bat", "food"], ["Pip", "big\nmoths"]]).text
    'bat\tfood\nPip\tbig moths'
    """
    lines = [line for row in rows if (line := table_line(row)).strip()]
    spans, start = [], 0
    for line in lines:
        spans.append((start, start + len(line)))
        start += len(line) + 1
    text = "\n".join(lines)
    blocks = (Block("table", 0, len(text)),) if lines else ()
    return FileText(text, spans=spans or None, blocks=blocks)


def table_line(cells: Iterable[str]) -> str:
    """Return the line of a row: its cells, each on one line, with tabs between them."""
    return "\t".join(" ".join(cell.split()) for cell in cells).rstrip("\t")


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    # An apostrophe or a quotation mark inside a cell is part of it, and one that never ends a cell.
    yield from csv.reader(text.splitlines(keepends=True), delimiter=delimiter)


def _find_delimiter(text: str, name: str) -> str | None:
    """Return what separates the cells; None if the rows have just one."""
    if text[:4].lower() == "sep=" and text[4:5]:
        return text[4]
    if name.lower().endswith(".tsv"):
        return "\t"
    best, most = None, 0.0
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in islice(_rows(text, delimiter), _N_SAMPLE_ROWS) if row]
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
        # Rows that agree in their number of cells tell more than many cells.
        agreement = widths.count(usual) / max(1, len(widths)) if usual > 1 else 0.0
        if agreement > most:
            best, most = delimiter, agreement
    return best

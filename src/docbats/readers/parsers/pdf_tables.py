"""The rows of tables on the pages of a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_line import Line

    LineIndex = tuple[int, int]  # of a page, and of a line on it

__all__ = ["find_table_rows"]

_MIN_ROWS = 3  # fewer take other lines with a gap for tables
_SAME_LEFT = 3.0  # points by which cells of one column may begin apart


def find_table_rows(pages: Sequence[list[Line]]) -> set[LineIndex]:
    """Find lines of cells that begin where those of the lines around them do."""
    found: set[LineIndex] = set()
    for page, lines in enumerate(pages):
        rows = [i for i, line in enumerate(lines) if line.cells]
        if len(rows) < _MIN_ROWS:
            continue
        run = rows[:1]
        for i in [*rows[1:], len(lines)]:
            if i < len(lines) and _continues(lines, run[-1], i):
                run.extend(range(run[-1] + 1, i + 1))
                continue
            if sum(bool(lines[row].cells) for row in run) >= _MIN_ROWS:
                found |= {(page, row) for row in run}
            run = [i]
    return found


def _continues(lines: list[Line], last: int, row: int) -> bool:
    """Whether a row goes on with a table; between them a cell may have had a second line."""
    if not _are_aligned(lines[last], lines[row]):
        return False
    columns = [left for _, left in lines[last].cells]
    return row == last + 1 or (
        row == last + 2 and _nearest(columns, lines[last + 1].left) <= _SAME_LEFT
    )


def _are_aligned(one: Line, other: Line) -> bool:
    """Whether the first cells, and all the others of the shorter row, begin in the same places."""
    shorter, longer = sorted((one.cells, other.cells), key=len)
    columns = [left for _, left in longer]
    return abs(one.left - other.left) <= _SAME_LEFT and all(
        _nearest(columns, left) <= _SAME_LEFT for _, left in shorter
    )


def _nearest(columns: list[float], left: float) -> float:
    return min(abs(column - left) for column in columns)

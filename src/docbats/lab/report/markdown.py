"""Tables in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.lab.summary import Difference, Summary

__all__ = ["NONE", "interval", "mean", "number", "spread", "table"]

NONE = "–"
"""What stands in a cell that has no value."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    """Draw a table, the first column to the left and the others, if numbers, to the right."""
    rule = ["---", *["---:" if numbers else "---"] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, rule, *rows)) + "\n"


def number(value: float | None, decimals: int = 3) -> str:
    """Write a number, or a dash for none."""
    return NONE if value is None else f"{value:.{decimals}f}"


def mean(summary: Summary | None, decimals: int = 3) -> str:
    """Write a mean alone."""
    return number(summary.mean if summary else None, decimals)


def spread(summary: Summary | None, decimals: int = 3) -> str:
    """Write a mean and its standard deviation."""
    if summary is None:
        return NONE
    return f"{summary.mean:.{decimals}f} ± {summary.deviation:.{decimals}f}"


def interval(difference: Difference | None, decimals: int = 3) -> str:
    """Write a difference with its bounds; a star marks those that do not hold zero."""
    if difference is None:
        return NONE
    star = " *" if difference.sign else ""
    bounds = f"{difference.low:+.{decimals}f}, {difference.high:+.{decimals}f}"
    return f"{difference.mean:+.{decimals}f} [{bounds}]{star}"

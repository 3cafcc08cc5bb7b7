"""Tables in Markdown, and the cells of the laboratory's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats_lab.score_summary import ScoreDifference, ScoreSummary

NO_VALUE = "–"
"""The text of a cell without a value."""


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True
) -> str:
    """Return a table; all columns but the first are aligned right if they are numbers."""
    rule = ["---", *["---:" if numbers else "---"] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, rule, *rows)) + "\n"


def format_number(value: float | None, decimals: int = 3) -> str:
    """Return a number as text, or a dash for none."""
    return NO_VALUE if value is None else f"{value:.{decimals}f}"


def format_mean(summary: ScoreSummary | None, decimals: int = 3) -> str:
    """Return a mean without its deviation."""
    return format_number(summary.mean if summary else None, decimals)


def format_mean_and_deviation(summary: ScoreSummary | None, decimals: int = 3) -> str:
    """Return a mean and its standard deviation."""
    if summary is None:
        return NO_VALUE
    return f"{summary.mean:.{decimals}f} ± {summary.deviation:.{decimals}f}"


def format_difference(difference: ScoreDifference | None, decimals: int = 3) -> str:
    """Return a difference with its bounds, and a star if zero is not between them."""
    if difference is None:
        return NO_VALUE
    star = " *" if difference.sign else ""
    bounds = f"{difference.low:+.{decimals}f}, {difference.high:+.{decimals}f}"
    return f"{difference.mean:+.{decimals}f} [{bounds}]{star}"

"""Tables and bars of the page on a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["bar", "chart", "table"]

_NUMBERS = {"Segments", "Chunks", "Sentences", "Characters"}  # columns that are set flush right


def chart(title: str, unit: str, rows: Sequence[tuple[str, int]]) -> Markup:
    """Make a table of counts with a bar each."""
    most = max((count for _, count in rows), default=1)
    lines = (
        element(
            "tr",
            element("th", label, scope="row"),
            element("td", bar(count, most), class_="bar"),
            element("td", f"{count:,}", class_="number"),
        )
        for label, count in rows
    )
    heads = element(
        "tr",
        element("th", unit, scope="col"),
        element("th", "documents", scope="col", colspan=2, class_="number"),
    )
    counts = element("table", element("thead", heads), element("tbody", *lines), class_="chart")
    return element("section", element("h2", title), counts)


def bar(count: int, most: int) -> Markup:
    """Make a bar as long as a count is beside the largest."""
    width = max(0.6 if count else 0.0, 100 * count / max(1, most))
    shape = element("rect", width=f"{width:.2f}", height=1)
    return element(
        "svg", shape, viewBox="0 0 100 1", preserveAspectRatio="none", aria_hidden="true"
    )


def table(heads: Sequence[str], rows: Iterable[Markup], *, sorts: bool = False) -> Markup:
    """Make a table; one that `sorts` has buttons for heads, and rows that can be filtered."""
    head = element(
        "tr",
        *(
            element(
                "th", element("button", name, type="button") if sorts else name, scope="col",
                class_="number" if name in _NUMBERS else None,
            )
            for name in heads
        ),
    )  # fmt: skip
    body = element("tbody", *rows, data_filter=sorts)
    rows_and_heads = element("table", element("thead", head), body, class_="list")
    return element(
        "div", rows_and_heads, class_="wide", tabindex=0, role="region", aria_label=heads[0]
    )

"""Where the sentences that a search found are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["search_hits"]


def search_hits(context: ReportContext) -> Markup:
    """Return the empty list, which the script fills and shows."""
    return context.section(
        "Found",
        element("button", "Close", type="button", class_="close"),
        element("p", class_="hint", role="status"),
        element("div", class_="hits", tabindex=0, role="region", aria_label="Sentences found"),
        class_="found",
        hidden=True,
        data_keep_hidden=True,
    )

"""Why the document has this number of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.choice_curve import choice_curve
from docbats.render.html.markup import Markup, element
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["segment_count"]


def segment_count(context: ReportContext) -> Markup | None:
    """Return why there are so many segments; None if there was no choice."""
    choice = context.result.choice
    if choice is None or len(choice.gains) == 1:
        return None
    title = f"Why {counted(choice.k, 'segment')}"
    if choice.follows_headings:
        return context.section(title, element("p", choice.reason), class_="choice")
    return context.section(
        title,
        choice_curve(choice),
        element("p", choice.reason),
        element(
            "p",
            "The higher the curve, the better so many segments fit the words of the text.",
            class_="hint",
        ),
        class_="choice",
    )

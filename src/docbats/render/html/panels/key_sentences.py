"""The most central sentences, as a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["key_sentences"]

_MAX_SENTENCE_LENGTH = 400  # characters


def key_sentences(context: ReportContext) -> Markup | None:
    """Return a few sentences, each with a link to its place; None for a very short text."""
    if not context.summary:
        return None
    links = (
        element(
            "a",
            bdi(excerpt(context.sentence(s.index), _MAX_SENTENCE_LENGTH)),
            href=f"#{context.key}-s{s.index}",
        )
        for s in context.summary
    )
    items = (element("li", link) for link in links)
    return context.section(
        "In short", element("ul", *items, lang=context.language), class_="summary"
    )

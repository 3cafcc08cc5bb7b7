"""The table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry
    from docbats.render.html.report_context import ReportContext

__all__ = ["contents"]


def contents(context: ReportContext) -> Markup:
    """Return the segments, divided further, each with a link to its place in the text."""
    segments = context.result.segments
    numbers = {segment.sentences: i for i, segment in enumerate(segments, start=1)}
    firsts = {segment.sentences[0]: i for i, segment in enumerate(segments, start=1)}

    def items(entries: Sequence[Entry]) -> Markup:
        return element("ol", *map(item, entries))

    def item(entry: Entry) -> Markup:
        number = numbers.get(entry.sentences)
        first = firsts.get(entry.sentences[0])
        target = f"g{first}" if first else f"s{entry.sentences[0]}"
        link = element(
            "a",
            element("span", number, class_="no") if number else None,
            bdi(short(entry.title)),
            href=f"#{context.key}-{target}",
            data_segment=number,
        )
        return element("li", link, items(entry.children) if entry.children else None)

    return element(
        "nav",
        context.heading(1, "Outline"),
        items(context.outline),
        class_="outline",
        id=f"{context.key}-outline",
        aria_label=f"Outline of {short(context.name) or 'the document'}",
    )

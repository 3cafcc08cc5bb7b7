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

_MAX_OPEN_ENTRIES = 40  # of an outline that is shown with all of them; of a longer one, parts open


def contents(context: ReportContext) -> Markup:
    """Return the segments, divided further, each with a link to its place in the text.

    What is above the segments is open, what is below them can be opened. Beside each entry stands
    the page or the time at which it begins, or else how long it takes to read.
    """
    segments = context.result.segments
    numbers = {segment.sentences: i for i, segment in enumerate(segments, start=1)}
    firsts = {segment.sentences[0]: i for i, segment in enumerate(segments, start=1)}
    is_short = sum(1 for _ in context.outline.walk()) <= _MAX_OPEN_ENTRIES

    def items(entries: Sequence[Entry], *, below: bool, lang: str | None = None) -> Markup:
        return element("ol", *(item(entry, below=below) for entry in entries), lang=lang)

    def item(entry: Entry, *, below: bool) -> Markup:
        number = numbers.get(entry.sentences)
        first = firsts.get(entry.sentences[0])
        target = f"s{entry.sentences[0]}" if below else f"g{first}"
        below = below or number is not None
        link = element(
            "a",
            element("span", number, class_="no") if number else None,
            bdi(short(entry.title)),
            element("span", _size(context, entry), class_="size"),
            href=f"#{context.key}-{target}",
            data_segment=number,
        )
        if not entry.children:
            return element("li", link)
        summary = element("summary", element("span", "Entries below ", bdi(short(entry.title))))
        inside = items(entry.children, below=below)
        return element("li", link, element("details", summary, inside, open=is_short or not below))

    return element(
        "div",
        element("svg", class_="minimap", aria_hidden="true", preserveAspectRatio="none"),
        element(
            "nav",
            context.heading(1, "Outline"),
            items(context.outline, below=False, lang=context.language),
            class_="outline",
            id=f"{context.key}-outline",
            aria_label=f"Outline of {context.title}",
        ),
        class_="side",
    )


def _size(context: ReportContext, entry: Entry) -> str:
    return context.begins_at(entry.sentences[0]) or f"{context.minutes(*entry.sentences)} min"

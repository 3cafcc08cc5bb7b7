"""The whole text, under the titles of its segments."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import badge, short
from docbats.render.one_line import segment_context, sentence_range

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.render.html.report_context import ReportContext

__all__ = ["full_text"]


def full_text(context: ReportContext) -> Markup:
    """Return all of the text, segment by segment."""
    return context.section(
        "Text",
        *(_segment(context, number) for number in range(1, len(context.result.segments) + 1)),
        class_="text wrapped" if context.text.wrapped else "text",
        id=f"{context.key}-text",
        tabindex=-1,
    )


def _segment(context: ReportContext, number: int) -> Markup:
    segment = context.result.segments[number - 1]
    first, end = segment.sentences
    pieces = context.cuts.pieces
    inside = context.text.pieces[bisect_left(pieces, first) : bisect_left(pieces, end)]
    return element(
        "section",
        context.heading(2, element("span", number, class_="no"), " ", bdi(short(segment.title))),
        element(
            "p",
            element("span", sentence_range(segment), class_="range"),
            element("span", bdi(short(segment_context(segment))), class_="headings")
            if context.has_headings
            else None,
            element("span", *_strongest(context, segment), class_="strongest"),
            element("span", *_strength(segment), class_="strength"),
            class_="meta",
        ),
        element("div", *inside, class_="body", dir="auto"),
        class_="segment",
        id=f"{context.key}-g{number}",
    )


def _strongest(context: ReportContext, segment: Segment) -> tuple[object, ...]:
    if segment.topic is None:
        return ()
    label = context.result.topics[segment.topic].label
    return badge(segment.topic), " ", bdi(short(label))


def _strength(segment: Segment) -> tuple[object, ...]:
    if segment.strength is None:
        return ()
    kind = "clear" if segment.strength >= 0.5 else "faint"
    return (f"boundary {segment.strength:.2f}, {kind}",)

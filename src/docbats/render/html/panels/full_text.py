"""The whole text, under the titles of its segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import badge, short
from docbats.render.one_line import excerpt, segment_context

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.render.html.report_context import ReportContext

__all__ = ["full_text"]

_MAX_SUMMARY_LENGTH = 300  # characters


def full_text(context: ReportContext) -> Markup:
    """Return all of the text: pieces one after the other, and heads where segments begin."""
    segments = context.result.segments
    gists = ["" if i is None else context.sentence(i) for i in context.gists(segments)]
    heads = {
        segment.sentences[0]: _head(context, number, segment, gist)
        for number, (segment, gist) in enumerate(zip(segments, gists, strict=True), start=1)
    }
    return context.section(
        "Text",
        *(
            part
            for start, piece in zip(context.cuts.pieces, context.text.pieces, strict=True)
            for part in (heads.get(start), piece)
        ),
        class_="text wrapped" if context.text.wrapped else "text",
        id=f"{context.key}-text",
        tabindex=-1,
        lang=context.language,
    )


def _head(context: ReportContext, number: int, segment: Segment, gist: str) -> Markup:
    """Return the title of a segment, how long it is, where it is, its topic and its summary."""
    first, end = segment.sentences
    return element(
        "header",
        context.heading(2, element("span", number, class_="no"), " ", bdi(short(segment.title))),
        element(
            "p",
            element("span", f"{context.minutes(first, end)} min", class_="minutes"),
            element("span", str(segment.place or ""), class_="range"),
            element("span", bdi(short(segment_context(segment))), class_="headings")
            if context.has_headings
            else None,
            element("span", *_strongest(context, segment), class_="strongest"),
            class_="meta",
        ),
        element("p", bdi(excerpt(gist, _MAX_SUMMARY_LENGTH)), class_="gist", hidden=not gist,
                data_keep_hidden=not gist),
        class_="head",
        id=f"{context.key}-g{number}",
    )  # fmt: skip


def _strongest(context: ReportContext, segment: Segment) -> tuple[object, ...]:
    if segment.topic is None:
        return ()
    label = context.result.topics[segment.topic].label
    return badge(segment.topic), " ", bdi(short(label))

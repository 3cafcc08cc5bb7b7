"""Where each topic is strong along the document, and how strong the boundaries are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import MAX_LANES, badge, short
from docbats.render.html.strip import Strip
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext
    from docbats.result import Result

__all__ = ["topic_strip"]


def topic_strip(context: ReportContext) -> Markup | None:
    """Return a row for each topic, and one for the boundaries; None if there are no topics."""
    topics = context.result.topics
    if not topics:
        return None
    strip = Strip(context.result, min(len(topics), MAX_LANES))
    has_strengths = context.result.rates_boundaries
    names = [
        element("li", badge(i), " ", bdi(short(topic.label)), data_topic=i)
        for i, topic in enumerate(topics[: strip.lanes])
    ]
    if has_strengths:
        names.append(element("li", "Strength of boundaries", class_="rated"))
    n_hidden = len(topics) - strip.lanes
    notes = ["Each row shows where a topic is strong; lines are the boundaries of segments."]
    if has_strengths:
        notes.append("Boundaries above the dashed line are clear.")
    if n_hidden:
        notes.append(f"Not shown: the {counted(n_hidden, 'lightest topic')}.")
    return context.section(
        "Along the document",
        element(
            "div",
            element("ul", *names, class_="lanes"),
            element("div", strip.axis(), strip.draw(_in_words(context.result))),
            class_="tracks",
        ),
        element("p", " ".join(notes), class_="hint"),
        class_="along",
    )


def _in_words(result: Result) -> str:
    """Return a sentence that says where each topic is strongest."""
    matrix = result.topic_segment_matrix
    places = (
        f"T{i + 1} is strongest in segment {int(row.argmax()) + 1}"
        for i, row in enumerate(matrix[:MAX_LANES])
    )
    return f"Topics along the document: {'; '.join(places)}."

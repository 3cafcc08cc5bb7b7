"""The map of topics by segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import MAX_MAP_CELLS, badge, short

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["topic_map"]

_TITLE = "Topics by segments"


def topic_map(context: ReportContext) -> Markup | None:
    """Return the share of each topic in each segment; None if there are no topics."""
    topics, segments = context.result.topics, context.result.segments
    if not topics:
        return None
    if len(topics) * len(segments) > MAX_MAP_CELLS:
        note = (
            f"The map of {len(topics)} topics by {len(segments)} segments is too large for "
            "this page; it is in result.topic_segment_matrix."
        )
        return context.section(_TITLE, element("p", note, class_="hint"))
    head = element(
        "tr",
        element("th", "Topic", scope="col"),
        *(
            element("th", i, scope="col", title=short(segment.title))
            for i, segment in enumerate(segments, start=1)
        ),
    )
    rows = [
        element(
            "tr",
            element("th", badge(i), " ", bdi(short(topic.label)), scope="row"),
            *(_cell(segment.topic_weights[i]) for segment in segments),
            class_=f"t{i}",
            data_topic=i,
        )
        for i, topic in enumerate(topics)
    ]
    table = element(
        "table",
        element("caption", "Share of each topic in the topic words, in percent"),
        element("thead", head),
        element("tbody", *rows),
    )
    label = f"{_TITLE}, scrollable"
    scroll = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=label)
    return context.section(_TITLE, scroll, class_="map")


def _cell(share: float) -> Markup:
    percent = round(100 * share)
    level = round(10 * share)
    return element("td", percent or "", class_=f"q{level}" if level else None)

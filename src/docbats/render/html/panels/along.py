"""Where each topic is strong along the document, and how strong the boundaries are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, bdi, element
from docbats.render.html.figures import Strip
from docbats.render.html.shown import MOST_LANES, badge, short
from docbats.render.plain import counted

if TYPE_CHECKING:
    from docbats.render.html.shown import Shown
    from docbats.result import Result

__all__ = ["along"]


def along(shown: Shown) -> Markup | None:
    """Show a row for each topic, and one for the boundaries; None where there are no topics."""
    topics = shown.result.topics
    if not topics:
        return None
    strip = Strip(shown.result, min(len(topics), MOST_LANES))
    rated = shown.result.settings.cut != "linkage"
    names = [
        element("li", badge(i), " ", bdi(short(topic.label)), data_topic=i)
        for i, topic in enumerate(topics[: strip.lanes])
    ]
    if rated:
        names.append(element("li", "Strength of boundaries", class_="rated"))
    hidden = len(topics) - strip.lanes
    notes = ["Each row shows where a topic is strong; lines are the boundaries of segments."]
    if rated:
        notes.append("Boundaries above the dashed line are clear ones.")
    if hidden:
        notes.append(f"The {counted(hidden, 'lightest topic')} are left out.")
    return shown.section(
        "Along the document",
        element(
            "div",
            element("ul", *names, class_="lanes"),
            element("div", strip.axis(), strip.draw(_in_words(shown.result))),
            class_="tracks",
        ),
        element("p", " ".join(notes), class_="hint"),
        class_="along",
    )


def _in_words(result: Result) -> str:
    """Say where each topic is strongest."""
    matrix = result.topic_segment_matrix
    places = (
        f"T{i + 1} is strongest in segment {int(row.argmax()) + 1}"
        for i, row in enumerate(matrix[:MOST_LANES])
    )
    return f"Topics along the document: {'; '.join(places)}."

"""The list of topics with their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, bdi, element
from docbats.render.html.shown import MOST_LANES, badge, short
from docbats.render.plain import counted

if TYPE_CHECKING:
    from docbats.parts import Topic
    from docbats.render.html.shown import Shown

__all__ = ["topics"]

_TOP_WORDS, _FEWER_WORDS = 12, 5  # of a topic; fewer where there are many topics
_MOST = 50  # topics in the list


def topics(shown: Shown) -> Markup | None:
    """Show the heaviest topics; None where there are none."""
    found = shown.result.topics
    if not found:
        return None
    numbers = element(
        "label",
        element("input", type="checkbox", class_="numbers"),
        " Numbers in the text",
        class_="switch",
        hidden=True,
    )
    heaviest = max(topic.weight for topic in found) or 1
    items = (_topic(shown, i, topic, heaviest) for i, topic in enumerate(found[:_MOST]))
    more = len(found) - _MOST
    note = f"The {counted(more, 'lightest topic')} are left out." if more > 0 else None
    return shown.section(
        "Topics",
        numbers,
        element("ol", *items),
        element("p", note, class_="hint") if note else None,
        class_="topics",
    )


def _topic(shown: Shown, number: int, topic: Topic, heaviest: float) -> Markup:
    width = round(100 * topic.weight / heaviest, 1)
    return element(
        "li",
        shown.heading(
            2,
            element(
                "button", badge(number), " ", bdi(short(topic.label)),
                type="button", class_="pick", aria_pressed="false",
            ),
        ),
        element(
            "svg", element("rect", width=width, height=6),
            class_="share", viewBox="0 0 100 6", preserveAspectRatio="none", height=6,
            aria_hidden="true",
        ),
        element("span", f"{topic.weight:.0%}", class_="percent"),
        _words(topic, _TOP_WORDS if len(shown.result.topics) <= MOST_LANES else _FEWER_WORDS),
        class_=f"topic t{number}",
        data_topic=number,
    )  # fmt: skip


def _words(topic: Topic, most: int) -> Markup:
    """Show the best words, the larger the weightier."""
    best = topic.words[0].score or 1
    words: list[object] = []
    for word, score in topic.words[:most]:
        size = min(4, 1 + int(4 * score / best))
        words += [element("bdi", short(word), class_=f"x{size}"), " "]
    more = len(topic.words) - most
    if more > 0:
        words.append(element("span", f"and {more} more", class_="more"))
    return element("p", *words, class_="words")

"""The list of topics with their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element
from docbats.render.html.report_context import MAX_LANES, badge, short
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.parts import Topic
    from docbats.render.html.report_context import ReportContext

__all__ = ["topic_list"]

_TOP_WORDS, _FEWER_WORDS = 12, 5  # of a topic; fewer if there are many topics
_MAX_TOPICS = 50  # in the list


def topic_list(context: ReportContext) -> Markup | None:
    """Return the heaviest topics with their words; None if there are no topics."""
    found = context.result.topics
    if not found:
        return None
    heaviest = max(topic.weight for topic in found) or 1
    items = (_topic(context, i, topic, heaviest) for i, topic in enumerate(found[:_MAX_TOPICS]))
    more = len(found) - _MAX_TOPICS
    note = f"Not shown: the {counted(more, 'lightest topic')}." if more > 0 else None
    hint = "Press a topic to mark its words in the text, or a word to see its sentences."
    return context.section(
        "Topics",
        element("p", hint, class_="hint", hidden=True),
        element("ol", *items),
        element("p", note, class_="hint") if note else None,
        element(
            "label",
            element("input", type="checkbox", class_="numbers"),
            " Topic numbers after marked words",
            class_="numbering",
            hidden=True,
        ),
        class_="topics",
    )


def _topic(context: ReportContext, number: int, topic: Topic, heaviest: float) -> Markup:
    width = round(100 * topic.weight / heaviest, 1)
    return element(
        "li",
        context.heading(
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
        _words(topic, _TOP_WORDS if len(context.result.topics) <= MAX_LANES else _FEWER_WORDS),
        class_=f"topic t{number}",
        data_topic=number,
    )  # fmt: skip


def _words(topic: Topic, max_words: int) -> Markup:
    """Return the best words; each shows its sentences."""
    words: list[object] = []
    for word, _ in topic.words[:max_words]:
        words += [element("button", bdi(short(word)), type="button", class_="word"), " "]
    more = len(topic.words) - max_words
    if more > 0:
        words.append(element("span", f"and {more} more", class_="more"))
    return element("p", *words, class_="words")

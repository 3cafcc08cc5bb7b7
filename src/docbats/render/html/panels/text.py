"""The text itself, under the titles of its segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, bdi, element
from docbats.render.html.shown import badge, short
from docbats.render.plain import heading_path, sentence_range

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.render.html.shown import Shown

__all__ = ["text"]


def text(shown: Shown) -> Markup:
    """Show all of the text."""
    return shown.section(
        "Text",
        *(_segment(shown, number) for number in range(1, len(shown.result.segments) + 1)),
        class_="text wrapped" if shown.text.wrapped else "text",
        id=f"{shown.key}-text",
        tabindex=-1,
    )


def _segment(shown: Shown, number: int) -> Markup:
    segment = shown.result.segments[number - 1]
    first, end = segment.sentences
    inside = [
        markup
        for start, markup in zip(shown.cuts.pieces, shown.text.pieces, strict=True)
        if first <= start < end
    ]
    return element(
        "section",
        shown.heading(2, element("span", number, class_="no"), " ", bdi(short(segment.title))),
        element(
            "p",
            element("span", sentence_range(segment), class_="range"),
            _headings(segment) if shown.has_headings else None,
            element("span", *_strongest(shown, segment), class_="strongest"),
            element("span", *_strength(segment), class_="strength"),
            class_="meta",
        ),
        element("div", *inside, class_="body", dir="auto"),
        class_="segment",
        id=f"{shown.key}-g{number}",
    )


def _headings(segment: Segment) -> Markup:
    path = heading_path(segment.place)
    return element("span", bdi(short(path)) if path else None, class_="headings")


def _strongest(shown: Shown, segment: Segment) -> tuple[object, ...]:
    if segment.topic is None:
        return ()
    label = shown.result.topics[segment.topic].label
    return badge(segment.topic), " ", bdi(short(label))


def _strength(segment: Segment) -> tuple[object, ...]:
    if segment.strength is None:
        return ()
    kind = "clear" if segment.strength >= 0.5 else "faint"
    return (f"boundary {segment.strength:.2f}, {kind}",)

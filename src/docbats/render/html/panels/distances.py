"""The heatmap of the distances between sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, element

if TYPE_CHECKING:
    from docbats.render.html.shown import Shown

__all__ = ["distances"]


def distances(shown: Shown) -> Markup | None:
    """Leave room for the heatmap, which the script draws, and say what it shows in words."""
    if shown.distances is None or not shown.result.topics:
        return None
    starts = [segment.sentences[0] for segment in shown.result.segments]
    inside, across = shown.distances.means(starts)
    told = f"Inside segments sentences lie {inside:.2f} apart"
    told += "." if across is None else f", across segments {across:.2f}; 2 is the most."
    return shown.section(
        "Distances between sentences",
        element(
            "canvas", class_="heat", width=480, height=480, role="img", aria_label=told,
            hidden=True,
        ),
        _scale(f"{shown.key}-scale"),
        element("p", told, class_="told"),
        element(
            "p",
            "Each row and column is a sentence, or a few; squares of near sentences along the "
            "diagonal are stretches that keep to their words. Lines are the boundaries.",
            class_="hint",
            hidden=True,
        ),
        class_="distances",
    )  # fmt: skip


def _scale(name: str) -> Markup:
    """Say what the colours mean."""
    stops = ("near", "middle", "far")
    colours = element(
        "linearGradient",
        *(element("stop", offset=f"{50 * i}%", class_=stop) for i, stop in enumerate(stops)),
        id=name,
    )
    bar = element("rect", width="100%", height=10, fill=f"url(#{name})")
    return element(
        "p",
        element("span", "0 near"),
        element("svg", colours, bar, height=10, aria_hidden="true"),
        element("span", "2 far"),
        class_="scale",
        hidden=True,
    )

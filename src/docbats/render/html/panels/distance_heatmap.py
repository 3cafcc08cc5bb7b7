"""The heatmap of the distances between sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["distance_heatmap"]


def distance_heatmap(context: ReportContext) -> Markup | None:
    """Return a canvas for the heatmap, which the script draws, and what it shows in words."""
    if context.distances is None or not context.result.topics:
        return None
    starts = [segment.sentences[0] for segment in context.result.segments]
    inside, across = context.distances.means(starts)
    told = f"Mean distance between sentences: {inside:.2f} within segments"
    told += "." if across is None else f", {across:.2f} across segments; the maximum is 2."
    return context.section(
        "Distances between sentences",
        element(
            "canvas", class_="heat", width=480, height=480, role="img", aria_label=told,
            hidden=True,
        ),
        _scale(f"{context.key}-scale"),
        element("p", told, class_="told"),
        element(
            "p",
            "Each row and column is a sentence, or a few; squares of near sentences along the "
            "diagonal are stretches that share their words. Lines are the boundaries.",
            class_="hint",
            hidden=True,
        ),
        class_="distances",
    )  # fmt: skip


def _scale(name: str) -> Markup:
    """Return the legend of the colours."""
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

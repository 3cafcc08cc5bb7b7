"""A report as one HTML element with all its panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, data_block, element
from docbats.render.html.panels.contents import contents
from docbats.render.html.panels.distance_heatmap import distance_heatmap
from docbats.render.html.panels.full_text import full_text
from docbats.render.html.panels.header import header
from docbats.render.html.panels.key_sentences import key_sentences
from docbats.render.html.panels.search_hits import search_hits
from docbats.render.html.panels.segment_count import segment_count
from docbats.render.html.panels.toolbar import toolbar
from docbats.render.html.panels.topic_list import topic_list
from docbats.render.html.panels.topic_map import topic_map
from docbats.render.html.panels.topic_strip import topic_strip
from docbats.render.html.report_context import ReportContext
from docbats.render.html.script_data import script_data

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["render_article"]


def render_article(
    result: Result, name: str = "", *, level: int = 2, theme_button: bool = False
) -> Markup:
    """Return a result as an ``<article>`` whose headings begin at `level`.

    It needs view.css for its looks, and view.js for its controls; without either it is readable.
    """
    context = ReportContext(result, name, level)
    return element(
        "article",
        element("a", "Skip to the text", class_="skip", href=f"#{context.key}-text"),
        header(context),
        toolbar(context, theme_button=theme_button),
        element(
            "div",
            contents(context),
            element(
                "div",
                key_sentences(context),
                full_text(context),
                class_="reading",
                id=f"{context.key}-reading",
            ),
            element("div", search_hits(context), topic_list(context), class_="rail"),
            element(
                "div",
                topic_strip(context),
                topic_map(context),
                segment_count(context),
                distance_heatmap(context),
                class_="figures",
                id=f"{context.key}-figures",
            ),
            class_="columns",
        ),
        element("p", class_="said", role="status", aria_live="polite"),
        data_block(script_data(context)),
        class_="docbats",
        id=context.key,
        aria_labelledby=f"{context.key}-title",
    )

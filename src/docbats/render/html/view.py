"""A result as one piece of HTML: everything there is to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.data import page_data
from docbats.render.html.element import Markup, data_block, element
from docbats.render.html.panels.along import along
from docbats.render.html.panels.bar import bar
from docbats.render.html.panels.choice import choice
from docbats.render.html.panels.distances import distances
from docbats.render.html.panels.head import head
from docbats.render.html.panels.outline import outline
from docbats.render.html.panels.summary import summary
from docbats.render.html.panels.text import text
from docbats.render.html.panels.topic_map import topic_map
from docbats.render.html.panels.topics import topics
from docbats.render.html.shown import Shown

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["render_view"]


def render_view(
    result: Result, name: str = "", *, level: int = 2, theme_button: bool = False
) -> Markup:
    """Show a result as an ``<article>``; its headings begin at `level`.

    It needs view.css to look as it should, and view.js to become live; without either it reads
    well.
    """
    shown = Shown(result, name, level)
    return element(
        "article",
        element("a", "Skip to the text", class_="skip", href=f"#{shown.key}-text"),
        head(shown),
        bar(shown, theme_button=theme_button),
        element(
            "div",
            outline(shown),
            element("div", summary(shown), choice(shown), along(shown), class_="lead"),
            element("div", topics(shown), class_="rail"),
            text(shown),
            element("div", topic_map(shown), distances(shown), class_="figures"),
            class_="columns",
        ),
        element("p", class_="said", role="status", aria_live="polite"),
        data_block(page_data(shown)),
        class_="docbats",
        id=shown.key,
        aria_labelledby=f"{shown.key}-title",
    )

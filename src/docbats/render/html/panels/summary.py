"""The sentences that say most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, bdi, element
from docbats.render.plain import excerpt

if TYPE_CHECKING:
    from docbats.render.html.shown import Shown

__all__ = ["summary"]

_WIDTH = 400  # characters of each sentence


def summary(shown: Shown) -> Markup | None:
    """Show a few sentences, each with a link to its place; None of a very short text."""
    if not shown.summary:
        return None
    links = (
        element("a", bdi(excerpt(s.text, _WIDTH)), href=f"#{shown.key}-s{s.index}")
        for s in shown.summary
    )
    items = (element("li", link) for link in links)
    return shown.section("In short", element("ul", *items), class_="summary")

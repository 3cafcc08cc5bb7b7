"""Why there are so many segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, element
from docbats.render.html.figures import choice_curve
from docbats.render.plain import counted

if TYPE_CHECKING:
    from docbats.render.html.shown import Shown

__all__ = ["choice"]


def choice(shown: Shown) -> Markup | None:
    """Show the score of each number of segments; None where there was no choice."""
    made = shown.result.choice
    if made is None or len(made.gains) < 2:
        return None
    return shown.section(
        f"Why {counted(made.k, 'segment')}",
        choice_curve(made),
        element("p", made.reason),
        element(
            "p",
            "The curve is how much better so many segments explain the words than one does, "
            "minus a penalty for each boundary.",
            class_="hint",
        ),
        class_="choice",
    )

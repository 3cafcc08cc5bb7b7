"""The levels of headings: by the depth of their numbers, and by the order of their styles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.text.structure.units import Unit

__all__ = ["TOP_STYLE", "set_levels"]

TOP_STYLE = ""
"""The style of headings that are of the highest level, whatever they look like."""

_WEAK = "short"


def set_levels(units: list[Unit]) -> None:
    """Set the levels of headings; styles nest in the order in which they first appear.

    Short lines are below the others, unless numbers begin again under them. A first heading
    directly above another is the title of the whole text, above all.
    """
    headings = [unit for unit in units if unit.kind == "heading"]
    if not headings:
        return
    title = None
    if len(units) > 1 and units[0] is headings[0] and units[1].kind == "heading":
        is_alone = sum(unit.style == units[0].style for unit in headings) == 1
        title = units[0] if is_alone or units[0].style == _WEAK else None
    below = [heading for heading in headings if heading is not title]
    order = _nesting(below)
    level = 1 if title is None else 2
    base = {TOP_STYLE: level}
    for style in order:
        base[style] = level
        level += max(heading.depth for heading in below if heading.style == style)
    for heading in below:
        heading.level = base[heading.style] + heading.depth - 1
    if title is not None:
        title.level = 1
    _close_gaps(headings)


def _nesting(headings: list[Unit]) -> list[str]:
    """Return the styles, highest first."""
    styles = list(dict.fromkeys(h.style for h in headings if h.style != TOP_STYLE))
    restarts = sum(heading.style == "1" and heading.restarts for heading in headings) > 1
    if _WEAK in styles and not restarts:
        styles.remove(_WEAK)
        styles.append(_WEAK)
    return styles


def _close_gaps(headings: list[Unit]) -> None:
    """Leave out levels that no heading has."""
    used = sorted({heading.level for heading in headings if heading.level is not None})
    rank = {level: i for i, level in enumerate(used, 1)}
    for heading in headings:
        if heading.level is not None:
            heading.level = rank[heading.level]

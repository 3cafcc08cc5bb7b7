"""A line of a page."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Line"]


class Line(NamedTuple):
    """A line of a page, in the order in which it is written.

    Attributes
    ----------
    text
        Its characters; of letters of one width, with the spaces between them, else with one space.
    top
        The height of its letters' feet above the bottom of the page, in points.
    size
        The size of its letters, in points.
    is_bold, is_mono
        Whether all its letters are bold, or of one width.
    left
        Where it begins, in points from the left edge of the page.
    cells
        Where its cells begin, if wide gaps divide it: their offsets in the text, and their lefts.
    """

    text: str
    top: float
    size: float
    is_bold: bool = False
    is_mono: bool = False
    left: float = 0.0
    cells: tuple[tuple[int, float], ...] = ()

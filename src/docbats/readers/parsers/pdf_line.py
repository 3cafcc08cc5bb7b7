"""A line of a page."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Line"]


@dataclass(frozen=True)
class Line:
    """A line of a page: its height above the bottom and the size of its letters, in points."""

    text: str
    top: float
    size: float
    bold: bool = False

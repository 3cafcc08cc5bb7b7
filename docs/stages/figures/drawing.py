"""Pictures as SVG: a few shapes on a white card, the same bytes on every machine.

The bytes of matplotlib change with its version; without it, a test can check that the pictures on
the pages are those that the code draws.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    Numbers = Iterable[float]

__all__ = ["COLOURS", "GREY", "SHADES", "WIDTH", "Card", "Panel", "legend"]

WIDTH = 400
_SHOWN_WIDTH = 560  # pixels of a picture where there is room

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b5559b", "#b07900", "#3a8fc4")
"""Six colours that readers with colour vision deficiencies can tell apart; after Okabe and Ito."""
GREY = "#767676"
SHADES = ("#cfe3f2", "#9cc5e3", "#5fa0cf", "#2b78b0", "#0b4f80")

_STYLE = """
text{font:11px sans-serif;fill:#333}
.small{font-size:10px}
.note{fill:#5f5f5f}
.strong{font-weight:bold}
.mono{font-family:monospace;font-size:10px}
.middle{text-anchor:middle}
.end{text-anchor:end}
"""


class Card:
    """A picture of `WIDTH` by `height`, with a title for those who cannot see it."""

    def __init__(self, height: float, title: str) -> None:
        size = {"width": _write(_SHOWN_WIDTH), "height": _write(_SHOWN_WIDTH * height / WIDTH)}
        box = f"0 0 {WIDTH} {_write(height)}"
        self._root = ET.Element(
            "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "role": "img", **size}
        )
        ET.SubElement(self._root, "title").text = title
        ET.SubElement(self._root, "style").text = "".join(_STYLE.splitlines())
        self.rect(0, 0, WIDTH, height, "#fff", rx=6)

    def add(self, name: str, text: str = "", **attributes: Any) -> ET.Element:
        """Add a shape; an attribute with a hyphen is written with an underscore."""
        written = {
            key.rstrip("_").replace("_", "-"): value if isinstance(value, str) else _write(value)
            for key, value in attributes.items()
        }
        shape = ET.SubElement(self._root, name, written)
        shape.text = text or None
        return shape

    def rect(self, x: float, y: float, width: float, height: float, fill: str, **more: Any) -> None:
        """Draw a box."""
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, **more)

    def text(self, x: float, y: float, text: str, class_: str = "", **more: Any) -> None:
        """Write a line of text; `class_` is one or more of the style's names."""
        named = {"class_": class_} if class_ else {}
        self.add("text", text, x=x, y=y, **named, **more)

    def line(self, points: Iterable[tuple[float, float]], colour: str, **more: Any) -> None:
        """Join points by a line."""
        places = " ".join(f"{_write(x)},{_write(y)}" for x, y in points)
        self.add("polyline", points=places, fill="none", stroke=colour, **more)

    def cells(
        self,
        levels: NDArray[np.integer],
        box: tuple[float, float, float, float],
        colours: Sequence[str],
    ) -> None:
        """Fill a box with the cells of a table: level 1 in the first colour, and so on."""
        rows, columns = levels.shape
        left, top, width, height = box
        group = self.add(
            "g",
            transform=f"translate({_write(left)} {_write(top)}) "
            f"scale({width / columns:.5f} {height / rows:.5f})",
        )
        for level, colour in enumerate(colours, 1):
            path = "".join(
                f"M{begin} {row}h{end - begin}v1h{begin - end}z"
                for row, line in enumerate((levels == level).tolist())
                for begin, end in _runs(line)
            )
            if path:
                ET.SubElement(group, "path", {"d": path, "fill": colour})

    def write(self, path: Path) -> None:
        """Save the picture."""
        path.write_text(ET.tostring(self._root, encoding="unicode") + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Panel:
    """A part of a card with axes: where it is, and the numbers at both ends of each axis.

    If the second number of an axis is the smaller one, the axis runs backwards.
    """

    card: Card
    box: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a point on the card."""
        left, top, width, height = self.box
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return left + width * across, top + height * (1 - up)

    def axes(self, x_label: str = "", y_label: str = "") -> None:
        """Draw both axes; the label of y is above the panel."""
        left, top, width, height = self.box
        corner = (left, top + height)
        self.card.line([(left, top), corner, (left + width, top + height)], GREY)
        self.card.text(left + width, top + height + 27, x_label, "small note end")
        self.card.text(left, top - 7, y_label, "small note")

    def ticks(self, x: Sequence[float] = (), y: Sequence[float] = ()) -> None:
        """Write numbers along the axes."""
        left, top, _, height = self.box
        for value in x:
            place = self.at(value, self.y[0])[0]
            self.card.text(place, top + height + 13, f"{value:g}", "small middle")
        for value in y:
            place = self.at(self.x[0], value)[1]
            self.card.text(left - 4, place + 3.5, f"{value:g}", "small end")

    def line(self, xs: Numbers, ys: Numbers, colour: str, **more: Any) -> None:
        """Join points by a line."""
        self.card.line(
            [self.at(x, y) for x, y in zip(xs, ys, strict=True)], colour, stroke_width=1.5, **more
        )

    def dots(self, xs: Numbers, ys: Numbers, colour: str, r: float = 2.6) -> None:
        """Draw a dot at each point."""
        for x, y in zip(xs, ys, strict=True):
            cx, cy = self.at(x, y)
            self.card.add("circle", cx=cx, cy=cy, r=r, fill=colour, fill_opacity=0.8)

    def bar(self, x: float, y: float, width: float, colour: str) -> None:
        """Draw a bar from zero; `width` is in units of the axis."""
        (left, top), (right, bottom) = self.at(x - width / 2, max(y, 0)), self.at(x + width / 2, 0)
        self.card.rect(left, top, right - left, bottom - top, colour)

    def upright(self, x: float, colour: str = GREY, **more: Any) -> None:
        """Draw a vertical line across the panel."""
        self.card.line([self.at(x, self.y[0]), self.at(x, self.y[1])], colour, **more)

    def level(self, y: float, colour: str = GREY, **more: Any) -> None:
        """Draw a horizontal line across the panel."""
        self.card.line([self.at(self.x[0], y), self.at(self.x[1], y)], colour, **more)


def legend(
    card: Card,
    place: tuple[float, float],
    title: str,
    names: Sequence[str],
    colours: Sequence[str],
) -> None:
    """Write what the colours mean, in one line."""
    x, y = place
    card.text(x, y, title, "small note")
    x += 5.3 * len(title) + 8 if title else 0
    for name, colour in zip(names, colours, strict=True):
        card.rect(x, y - 8, 9, 9, colour)
        card.text(x + 12, y, name, "small")
        x += 22 + 5.5 * len(name)


def _write(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _runs(line: list[bool]) -> Iterable[tuple[int, int]]:
    """Yield the beginning and the end of each run of true values."""
    begin = None
    for place, here in enumerate([*line, False]):
        if here and begin is None:
            begin = place
        elif not here and begin is not None:
            yield begin, place
            begin = None

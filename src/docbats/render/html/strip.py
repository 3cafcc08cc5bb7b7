"""Rows along the document: where each topic is strong, and how strong the boundaries are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markup import Markup, element
from docbats.render.html.topic_weight_sums import topic_weight_sums

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.result import Result

__all__ = ["Strip"]

# With more cells the page gets larger, and bars narrower than a pixel.
_MAX_BINS = 240  # cells in a row
_MAX_CELLS = 4000  # in all rows together,
_MIN_BINS = 80  # but no fewer than these in a row
_WIDTH = 1000  # units along the document, which the page stretches to fit
_LANE_HEIGHT = 18  # units, and pixels, of the row of a topic
_STRENGTHS_HEIGHT = 32  # and of the row of boundaries
_GAP = 4  # of which this is left free above a row
_FULL_QUANTILE = 0.995  # of the shares in all cells is drawn as a full row,
_MIN_FULL = 0.05  # unless all are tiny
_MAX_NUMBERS = 24  # segment numbers above the rows


@dataclass(frozen=True)
class Strip:
    """Rows along the document: one for each topic, and one for the strength of boundaries."""

    result: Result
    lanes: int

    @property
    def height(self) -> int:
        """The height in units and pixels."""
        return self._lanes_height + (_STRENGTHS_HEIGHT if self._has_strengths else 0)

    @property
    def _lanes_height(self) -> int:
        return _LANE_HEIGHT * self.lanes

    @property
    def _has_strengths(self) -> bool:
        return self.result.rates_boundaries

    def draw(self, label: str) -> Markup:
        """Draw the rows and the boundaries between the segments."""
        lanes = [
            element("path", d=path, class_=f"lane t{number}", data_topic=number)
            for number, path in enumerate(self._lane_paths())
        ]
        segments = self.result.segments
        floor = self.height
        middle = floor - (_STRENGTHS_HEIGHT - _GAP) / 2
        half = element("line", class_="half", x1=0, x2=_WIDTH, y1=middle, y2=middle)
        return element(
            "svg",
            element("g", *lanes, transform=f"scale({_WIDTH / self._bins:.4f} 1)"),
            half if self._has_strengths else None,
            element("g", *map(self._boundary, segments[1:]), class_="cuts"),
            element("g", *map(self._strength, segments[1:]), class_="strengths"),
            element("line", class_="here", x1=0, x2=0, y1=0, y2=floor, hidden=True),
            class_="strip",
            viewBox=f"0 0 {_WIDTH} {floor}",
            preserveAspectRatio="none",
            height=floor,
            role="img",
            aria_label=label,
            data_lanes=self._lanes_height,
            data_rise=_STRENGTHS_HEIGHT - _GAP if self._has_strengths else 0,
        )

    def axis(self) -> Markup:
        """Write the numbers of the segments above their beginnings, only some if they are many."""
        segments, m = self.result.segments, len(self.result.document)
        step = -(-len(segments) // _MAX_NUMBERS)
        numbers = (
            element("text", i + 1, x=f"{100 * segments[i].sentences[0] / m:.2f}%", y=12)
            for i in range(0, len(segments), step)
        )
        return element("svg", *numbers, class_="axis", height=16, aria_hidden="true")

    def _x(self, sentence: int) -> float:
        return round(_WIDTH * sentence / len(self.result.document), 1)

    def _boundary(self, segment: Segment) -> Markup:
        x = self._x(segment.sentences[0])
        return element("line", x1=x, x2=x, y1=0, y2=self._lanes_height)

    def _strength(self, segment: Segment) -> Markup | None:
        if segment.strength is None:
            return None
        x = self._x(segment.sentences[0])
        top = round(self.height - (_STRENGTHS_HEIGHT - _GAP) * segment.strength, 1)
        return element("line", x1=x, x2=x, y1=top, y2=self.height)

    @property
    def _bins(self) -> int:
        """How many cells there are along the document; fewer where there are many rows."""
        return min(len(self.result.document), _MAX_BINS, max(_MIN_BINS, _MAX_CELLS // self.lanes))

    def _lane_paths(self) -> list[str]:
        """Draw each topic's share of the topic words in each cell as the height of a bar.

        All rows have one scale, on which nearly the largest share is a full row: with many topics
        every share is small.
        """
        edges = np.linspace(0, len(self.result.document), self._bins + 1).round().astype(int)
        sums = topic_weight_sums(self.result, edges[:-1].tolist())
        shares = sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300)
        full = max(float(np.quantile(shares, _FULL_QUANTILE)), _MIN_FULL)
        scaled = np.minimum(shares / full, 1)
        heights = np.ceil((_LANE_HEIGHT - _GAP) * scaled.round(6) - 0.5).astype(int)
        return [
            _bars(heights[:, lane].tolist(), _LANE_HEIGHT * (lane + 1))
            for lane in range(self.lanes)
        ]


def _bars(heights: list[int], floor: int) -> str:
    """Return the path of bars, one unit wide, that stand side by side on a floor.

    >>> _bars([0, 2, 2, 1], 18)
    'M0 18h1v-2h2v1h1V18z'
    """
    path = [f"M0 {floor}"]
    last = 0
    for height, run in groupby(heights):
        if height != last:
            path.append(f"v{last - height}")
        path.append(f"h{len(list(run))}")
        last = height
    return "".join([*path, f"V{floor}z"])

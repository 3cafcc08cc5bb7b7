"""The pictures of a report: what happens along the document, distances, and the choice of k."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.element import Markup, element, joined
from docbats.spectrum import unit_rows
from docbats.threads import single_blas_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.parts import Segment
    from docbats.result import Result
    from docbats.segments.choose_k import Choice

    Floats = NDArray[np.float64]

__all__ = ["Distances", "Strip", "choice_curve", "find_distances", "topic_mass"]

_BINS = 240  # cells along the document
_CELLS, _FEWEST_BINS = 4000, 80  # cells in all rows together, and cells that a row has at least
_WIDTH = 1000  # units along the document, which the page stretches to fit
_LANE = 18  # units, and pixels, of a topic's row
_RATED = 32  # and of the row of boundaries
_GAP = 4  # of them left free above a row
_NUMBERS = 24  # segments up to which each has its number above the rows
_HEAT_BINS = 150
_FARTHEST = 2.0  # between two unit vectors


def topic_mass(result: Result, starts: Sequence[int]) -> Floats:
    """Sum X^a by stretch of sentences and by topic; `starts` are the stretches' first sentences."""
    X_a = result.analysis.X_a
    n = len(result.topics)
    place = {word: i for i, word in enumerate(result.analysis.text.counts.words)}
    topic_of = np.full(X_a.shape[1], n)
    for number, topic in enumerate(result.topics):
        topic_of[[place[word] for word, _ in topic.words]] = number
    stretch = np.repeat(
        np.arange(len(starts)), np.diff(X_a.indptr[[*starts, len(result.document)]])
    )
    cells = stretch * (n + 1) + topic_of[X_a.indices]
    mass = np.bincount(cells, X_a.data, len(starts) * (n + 1)).astype(float)
    return mass.reshape(-1, n + 1)[:, :n]


@dataclass(frozen=True)
class Strip:
    """Rows along the document: one for each topic, and one for the strength of boundaries."""

    result: Result
    lanes: int

    @property
    def height(self) -> int:
        """The height in units and pixels."""
        return self._lanes_height + (_RATED if self._rated else 0)

    @property
    def _lanes_height(self) -> int:
        return _LANE * self.lanes

    @property
    def _rated(self) -> bool:
        return self.result.settings.cut != "linkage"

    def draw(self, label: str) -> Markup:
        """Draw the rows and the boundaries between the segments."""
        lanes = [
            element("path", d=path, class_=f"lane t{number}", data_topic=number)
            for number, path in enumerate(self._lane_paths())
        ]
        segments = self.result.segments
        floor = self.height
        middle = floor - (_RATED - _GAP) / 2
        half = element("line", class_="half", x1=0, x2=_WIDTH, y1=middle, y2=middle)
        return element(
            "svg",
            element("g", *lanes, transform=f"scale({_WIDTH / self._bins:.4f} 1)"),
            half if self._rated else None,
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
            data_rise=_RATED - _GAP if self._rated else 0,
        )

    def axis(self) -> Markup:
        """Write the numbers of the segments above their beginnings, only some if they are many."""
        segments, m = self.result.segments, len(self.result.document)
        step = -(-len(segments) // _NUMBERS)
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
        top = round(self.height - (_RATED - _GAP) * segment.strength, 1)
        return element("line", x1=x, x2=x, y1=top, y2=self.height)

    @property
    def _bins(self) -> int:
        """How many cells there are along the document; fewer where there are many rows."""
        return min(len(self.result.document), _BINS, max(_FEWEST_BINS, _CELLS // self.lanes))

    def _lane_paths(self) -> list[str]:
        """Draw each topic's share of the topic words in each cell as the height of a bar."""
        edges = np.linspace(0, len(self.result.document), self._bins + 1).round().astype(int)
        mass = topic_mass(self.result, edges[:-1].tolist())
        shares = mass / np.maximum(mass.sum(axis=1, keepdims=True), 1e-300)
        heights = np.ceil((_LANE - _GAP) * shares.round(6)).astype(int)
        return [_bars(heights[:, lane].tolist(), _LANE * (lane + 1)) for lane in range(self.lanes)]


def _bars(heights: list[int], floor: int) -> str:
    """Write the path of bars, one unit wide, that stand side by side on a floor.

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


@dataclass(frozen=True, eq=False)
class Distances:
    """Distances between sentences, or between bins of sentences, as in the paper's figure 3.

    Attributes
    ----------
    edges
        The first sentence of each bin, and the number of sentences.
    values
        Root mean square distances between the unit vectors of two bins' sentences, 0 to 2.
    """

    edges: list[int]
    values: Floats

    @property
    def encoded(self) -> str:
        """The lower triangle, row by row, a byte a value, 255 for a distance of 2; in base64."""
        levels = np.clip(np.round(self.values * (255 / _FARTHEST)), 0, 255).astype(np.uint8)
        return base64.b64encode(levels[np.tril_indices(len(levels))].tobytes()).decode()

    def means(self, starts: list[int]) -> tuple[float, float | None]:
        """Give the mean inside the segments that begin at these sentences, and across them."""
        segment = np.searchsorted(starts, self.edges[:-1], side="right")
        inside = segment[:, None] == segment
        across = self.values[~inside]
        return float(self.values[inside].mean()), float(across.mean()) if across.size else None


def find_distances(result: Result) -> Distances:
    """Compare the sentence vectors of eq. 5; for unit rows sums are all that it takes."""
    m = len(result.document)
    with single_blas_thread():
        U = unit_rows(result.analysis.spectrum.U)
        edges = np.linspace(0, m, min(m, _HEAT_BINS) + 1).round().astype(int)
        size = np.diff(edges)
        mean = np.add.reduceat(U, edges[:-1]) / size[:, None]
        square = np.add.reduceat((U**2).sum(axis=1), edges[:-1]) / size
        squares = square[:, None] + square - 2 * mean @ mean.T
    return Distances(edges.tolist(), np.sqrt(np.maximum(squares.round(9), 0)))


def choice_curve(choice: Choice) -> Markup:
    """Draw the scores of 1, 2, ... segments, with the number chosen."""
    scores = choice.scores[: 2 * choice.k + 10]
    low, high = min(scores), max(scores)
    left, top, width, height = 8, 16, 284, 68

    def place(k: int) -> tuple[float, float]:
        x = left + width * (k - 1) / max(1, len(scores) - 1)
        y = top + height * (1 - (scores[k - 1] - low) / ((high - low) or 1))
        return round(x, 1), round(y, 1)

    points = [place(k) for k in range(1, len(scores) + 1)]
    x, y = place(choice.k)
    base = top + height + 16
    ends = sorted({1, choice.k, len(scores)})
    return element(
        "svg",
        element("path", class_="line", d="M" + "L".join(f"{x:g} {y:g}" for x, y in points)),
        *(element("circle", cx=x, cy=y, r=2) for x, y in points),
        element("circle", class_="chosen", cx=x, cy=y, r=5),
        joined(*(element("text", k, x=place(k)[0], y=base, text_anchor="middle") for k in ends)),
        class_="curve",
        viewBox=f"0 0 300 {base + 6}",
        width=300,
        height=base + 6,
        role="img",
        aria_label=(
            f"Scores of 1 to {len(scores)} segments: {choice.k} has the best, "
            f"{scores[choice.k - 1]:.1f}; one segment has {scores[0]:.1f}."
        ),
    )

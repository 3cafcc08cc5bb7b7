"""Where the text is cut, and into how many segments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from drawing import COLOURS, SHADES, Card, Panel, legend
from example import analyze, starts_of

from docbats.matrix import unit_rows
from docbats.segments.choose_k import choose_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.result import Result


def segments_map() -> Card:
    """Show how similar sentences are, and where average linkage cuts."""
    result = analyze("paper")
    rows = unit_rows(result.analysis.spectrum.U)
    edges = (0.3, 0.5, 0.7, 0.85, 0.95)
    levels = np.searchsorted(edges, (rows @ rows.T).round(6), side="right")
    card = Card(410, "Cosines between sentence vectors, with the cuts by average linkage")
    box = (34.0, 12.0, 350.0, 350.0)
    panel = Panel(card, box, (1, len(rows) + 1), (len(rows) + 1, 1))
    card.cells(levels, box, SHADES)
    starts = starts_of(result)
    for first, end in pairwise(starts):
        corners = ((first, first), (end, first), (end, end), (first, end), (first, first))
        outline = [panel.at(x + 1, y + 1) for x, y in corners]
        card.line(outline, COLOURS[1], stroke_width=2)
    panel.axes("sentence")
    panel.ticks([1, 20, 40, 60, 80], [1, 20, 40, 60, 80])
    legend(card, (34, 402), "cosine from", [f"{edge:g}" for edge in edges], SHADES)
    return card


def segments_gain() -> Card:
    """Show the gain of a boundary before each sentence, given the other boundaries."""
    result = analyze("sharp")
    gains = gains_by_place(result)
    card = Card(238, "The gain of a boundary before each sentence")
    panel = Panel(card, (34, 22, 352, 174), (1, len(result.document)), (-20, 35))
    panel.level(0, "#ddd")
    panel.line(range(2, len(gains) + 1), gains[1:], COLOURS[0])
    starts = starts_of(result)[1:-1]
    panel.dots([start + 1 for start in starts], [gains[start] for start in starts], COLOURS[1], 4)
    panel.axes("sentence", "gain in log likelihood; dots: the boundaries drawn")
    panel.ticks([1, 20, 40, 60, 80], [-20, -10, 0, 10, 20, 30])
    return card


def gains_by_place(result: Result) -> NDArray[np.float64]:
    """Return the gain of a boundary before each sentence, given the boundaries around it."""
    starts, m = starts_of(result), len(result.document)
    costs = result.analysis.cost.table(np.arange(m + 1), m)

    def cost(first: int, end: int) -> float:
        return float(costs[end - 1, end - first - 1])

    gains = np.zeros(m)
    for place in range(1, m):
        first = max(start for start in starts if start < place)
        end = min(start for start in starts if start > place)
        gains[place] = cost(first, end) - cost(first, place) - cost(place, end)
    return gains


def number_of_segments() -> Card:
    """Show the gain, the required gain and the score of each number of segments."""
    result = analyze("sharp")
    choice = choose_k(result.analysis.cost, len(result.document))
    ks = np.arange(1, 16)
    gains, scores = np.array(choice.gains[:15]), np.array(choice.scores[:15])
    card = Card(250, "Gain, what is asked for, and score of 1 to 15 segments")
    panel = Panel(card, (34, 22, 300, 186), (0.5, 15.5), (-60, 330))
    panel.level(0, "#ddd")
    lines = (
        ("gain", gains, COLOURS[2]),
        ("score", scores, COLOURS[0]),
        ("asked for", gains - scores, COLOURS[1]),
    )
    for name, values, colour in lines:
        panel.line(ks, values, colour)
        panel.dots(ks, values, colour)
        x, y = panel.at(15.5, values[-1])
        card.text(x + 4, y + 4, name, "strong", style=f"fill:{colour}")
    panel.dots([choice.k], [choice.scores[choice.k - 1]], COLOURS[0], 5)
    x, y = panel.at(choice.k, choice.scores[choice.k - 1])
    card.text(x, y + 18, f"k = {choice.k}", "strong middle")
    panel.axes("segments", "log likelihood")
    panel.ticks([1, 3, 6, 9, 12, 15], [0, 100, 200, 300])
    return card

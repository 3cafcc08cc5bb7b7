"""Singular values and sentence vectors."""

from __future__ import annotations

import numpy as np
from drawing import COLOURS, GREY, Card, Panel, legend
from example import analyze, segment_of

from docbats.matrix import leading_singular_vectors, unit_rows


def spectrum_values() -> Card:
    """Show the leading singular values under both presets."""
    card = Card(196, "The twenty largest singular values, preset sharp and preset paper")
    panel = Panel(card, (34, 22, 352, 132), (0.5, 20.5), (0, 0.6))
    panel.upright(6.5, GREY, stroke_dasharray="3 3")
    x, y = panel.at(6.7, 0.56)
    card.text(x, y, "the first k = 6 are used", "small note")
    for preset, colour in (("sharp", COLOURS[0]), ("paper", COLOURS[1])):
        sigma = leading_singular_vectors(analyze(preset).analysis.L, 20).sigma
        panel.line(range(1, 21), sigma, colour)
        panel.dots(range(1, 21), sigma, colour)
        x, y = panel.at(20.5, sigma[-1])
        card.text(x, y - 8, preset, "small strong end", style=f"fill:{colour}")
    panel.axes("index", "singular value of L")
    panel.ticks([1, 5, 10, 15, 20], [0, 0.2, 0.4, 0.6])
    return card


def spectrum_sentences() -> Card:
    """Show the sentences by the second and the third entry of their unit vectors."""
    result = analyze("paper")
    rows = unit_rows(result.analysis.spectrum.U)
    card = Card(356, "Sentences by the second and third entry of their unit vectors")
    panel = Panel(card, (34, 22, 352, 270), (-1, 1), (-1, 1))
    panel.upright(0, "#ddd")
    panel.level(0, "#ddd")
    segment = np.array(segment_of(result))
    for number, colour in enumerate(COLOURS):
        these = segment == number
        panel.dots(rows[these, 1], rows[these, 2], colour, 3.2)
    panel.axes("second entry of u'", "third entry of u'")
    panel.ticks([-1, 0, 1], [-1, 0, 1])
    names = [f"{number}" for number in range(1, 7)]
    legend(card, (34, 346), "segment of the paper preset", names, COLOURS)
    return card

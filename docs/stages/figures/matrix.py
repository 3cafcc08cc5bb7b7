"""The sentence-word matrix, before and after bonding."""

from __future__ import annotations

import numpy as np
from drawing import COLOURS, SHADES, Card, Panel, legend
from example import analyze, starts_of

from docbats.matrix import bond


def matrix() -> Card:
    """Show X^a: which words occur in which sentences."""
    result = analyze("sharp")
    levels = result.analysis.X_a.toarray().round().astype(int).clip(0, 3).T
    card = Card(370, "The awarded sentence-word matrix: words down, sentences across")
    box = (34.0, 24.0, 352.0, 294.0)
    panel = Panel(card, box, (1, levels.shape[1] + 1), (levels.shape[0] + 1, 1))
    for start in starts_of(result)[1:-1]:
        panel.upright(start + 1, "#ddd")
    card.cells(levels, box, (SHADES[1], SHADES[2], SHADES[4]))
    panel.axes("sentence", "kept words, in order of first appearance")
    panel.ticks([1, 20, 40, 60, 80], [1, 50, 100, 147])
    legend(card, (34, 356), "entry", ("1", "2", "3 or more"), (SHADES[1], SHADES[2], SHADES[4]))
    return card


def bonding_weights() -> Card:
    """Show how much each neighbour counts under both presets."""
    card = Card(140, "Weights of the neighbouring sentences, preset sharp and preset paper")
    for left, preset, colour in ((34, "sharp", COLOURS[0]), (224, "paper", COLOURS[1])):
        settings = analyze(preset).settings
        panel = Panel(card, (left, 26, 160, 74), (-6, 6), (0, 1))
        for step in range(-settings.window, settings.window + 1):
            panel.bar(step, settings.decay ** abs(step), 0.7, colour)
        label = f"{preset}: w = {settings.window}, d = {settings.decay:g}"
        panel.axes("sentences away", label)
        panel.ticks([-5, 0, 5], [0, 1])
    return card


def bonding_matrix() -> Card:
    """Show the first words and sentences before and after bonding."""
    X_a = analyze("sharp").analysis.X_a
    words, sentences = 30, 45
    card = Card(420, "The upper left corner of the matrix, before and after bonding")
    views = (
        ("before: X^a", X_a),
        ("sharp: w = 1, d = 0.4", bond(X_a, 1, 0.4)),
        ("paper: w = 5, d = 0.7", bond(X_a, 5, 0.7)),
    )
    edges = (0.01, 0.5, 1, 2, 3)
    for place, (label, view) in enumerate(views):
        box = (34.0, 22.0 + 130 * place, 352.0, 92.0)
        dense = view[:sentences].toarray()[:, :words].T
        levels = np.searchsorted(edges, dense.round(6), side="right")
        panel = Panel(card, box, (1, sentences + 1), (words + 1, 1))
        card.cells(levels, box, SHADES)
        panel.axes("sentence" if place == 2 else "", label)
        panel.ticks([1, 10, 20, 30, 40], [1, 10, 20, 30])
    names = ("below 0.5", "0.5", "1", "2", "3 or more")
    legend(card, (34, 414), "from", names, SHADES)
    return card

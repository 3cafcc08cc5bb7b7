"""Words by topics."""

from __future__ import annotations

import numpy as np
from drawing import COLOURS, Card, Panel, legend
from example import analyze

from docbats.topics import rotate


def topics_rotation() -> Card:
    """Show the words of two topics before and after the rotation."""
    V = analyze("sharp").analysis.spectrum.V
    loadings = rotate(V)
    owner = np.where(loadings.max(axis=1) > 0, loadings.argmax(axis=1), -1)
    card = Card(226, "Words by two singular vectors, and by two columns after the rotation")
    views = (("columns 4 and 6 of V", V, (3, 5)), ("the same topics, rotated", loadings, (3, 4)))
    for place, (label, view, (a, b)) in enumerate(views):
        panel = Panel(card, (30 + 192 * place, 24, 166, 166), (-0.3, 0.42), (-0.3, 0.42))
        panel.upright(0, "#ddd")
        panel.level(0, "#ddd")
        for number, colour in ((-1, "#c9c9c9"), (3, COLOURS[0]), (4, COLOURS[1])):
            these = owner == number if number >= 0 else ~np.isin(owner, (3, 4))
            panel.dots(view[these, a], view[these, b], colour, 2.2)
        panel.axes("", label)
        panel.ticks([-0.2, 0, 0.2, 0.4], [-0.2, 0, 0.2, 0.4])
    legend(
        card, (34, 216), "words of", ("pensions", "vessels", "the rest"), (*COLOURS[:2], "#c9c9c9")
    )
    return card


def topics_words() -> Card:
    """Show the best words of each topic with their scores."""
    card = Card(446, "The ten best words of each topic, by their scores")
    for place, topic in enumerate(analyze("sharp").topics):
        row, column = divmod(place, 2)
        x, y = 8 + 196 * column, 8 + 146 * row
        card.text(x, y + 10, topic.label, "strong", style=f"fill:{COLOURS[place]}")
        for line, (word, score) in enumerate(topic.words[:10]):
            top = y + 18 + 12 * line
            share = score / topic.words[0].score
            card.rect(x + 78, top, 100 * share, 8, COLOURS[place], fill_opacity=0.6)
            card.text(x + 75, top + 8, word, "small end")
    return card

"""The scores behind titles and summaries."""

from __future__ import annotations

import numpy as np
from drawing import COLOURS, SHADES, Card, Panel
from example import analyze, starts_of

from docbats.titles.titles import SentenceGroups, rank_phrases


def titles_phrases() -> Card:
    """Show the best phrases of each segment with their scores."""
    result = analyze("sharp")
    phrases = result.analysis.phrases
    starts = np.array(starts_of(result)[:-1])
    ranked = rank_phrases(phrases, SentenceGroups.of_segments(starts, len(result.document)))
    card = Card(250, "The four best phrases of each segment, by their scores")
    most = max(rows[0].score for rows in ranked)
    for place, (segment, rows) in enumerate(zip(result.segments, ranked, strict=True)):
        row, column = divmod(place, 2)
        x, y = 8 + 196 * column, 8 + 80 * row
        card.text(x, y + 10, segment.title, "strong", style=f"fill:{COLOURS[place]}")
        for line, found in enumerate(rows[:4]):
            top = y + 18 + 13 * line
            card.rect(x + 88, top, 96 * found.score / most, 9, COLOURS[place], fill_opacity=0.6)
            card.text(x + 85, top + 8, phrases.spell(found.phrase), "small end")
    return card


def summary_sentences() -> Card:
    """Show how near each sentence is to its segment and to the document, and which are selected."""
    result = analyze("sharp")
    F = result.analysis.F.toarray()
    unit = F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), 1e-300)
    document = unit.sum(axis=0) / np.linalg.norm(unit.sum(axis=0))
    values: list[float] = []
    for segment in result.segments:
        rows = unit[slice(*segment.sentences)]
        own = rows.sum(axis=0) / np.linalg.norm(rows.sum(axis=0))
        values += (rows @ (own + document)).tolist()
    chosen = {sentence.index for sentence in result.summary(6)}
    card = Card(178, "The likeness of each sentence to its segment and the document; six selected")
    panel = Panel(card, (34, 22, 352, 114), (0.5, len(values) + 0.5), (0, max(values) * 1.05))
    for start in starts_of(result)[1:-1]:
        panel.upright(start + 0.5, "#c9c9c9", stroke_dasharray="2 2")
    for place, value in enumerate(values):
        colour = COLOURS[1] if place in chosen else SHADES[1]
        panel.bar(place + 1, value, 0.8, colour)
    panel.axes("sentence", "likeness of each sentence; orange: the six selected")
    panel.ticks([1, 20, 40, 60, 80], [0, 0.5, 1])
    return card

"""The scores behind titles and the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from drawing import COLOURS, SHADES, Card, Panel
from example import analyze, starts_of

from docbats.summarize import rate_sentences, weigh_words
from docbats.titles.segment_titles import rank_phrases

if TYPE_CHECKING:
    from docbats.result import Result


def titles_phrases() -> Card:
    """Show the best phrases of each segment with their scores."""
    result = analyze("sharp")
    phrases = result.analysis.phrases
    ranked = rank_phrases(phrases, np.array(starts_of(result)[:-1]))
    card = Card(250, "The four best phrases of each segment, by their scores")
    most = max(max(scores.values()) for scores in ranked)
    for place, (segment, scores) in enumerate(zip(result.segments, ranked, strict=True)):
        row, column = divmod(place, 2)
        x, y = 8 + 196 * column, 8 + 80 * row
        card.text(x, y + 10, segment.title, "strong", style=f"fill:{COLOURS[place]}")
        for line, (phrase, score) in enumerate(list(scores.items())[:4]):
            top = y + 18 + 13 * line
            card.rect(x + 88, top, 96 * score / most, 9, COLOURS[place], fill_opacity=0.6)
            card.text(x + 85, top + 8, phrases.spell(phrase), "small end")
    return card


def summary_sentences() -> Card:
    """Show the value of each sentence before any is selected, and which six are."""
    result = analyze("sharp")
    values = sentence_values(result)
    chosen = {sentence.index for sentence in result.summary(6)}
    card = Card(178, "The value of each sentence for a summary, and the six that are selected")
    panel = Panel(card, (34, 22, 352, 114), (0.5, len(values) + 0.5), (0, max(values) * 1.05))
    for start in starts_of(result)[1:-1]:
        panel.upright(start + 0.5, "#c9c9c9", stroke_dasharray="2 2")
    for place, value in enumerate(values):
        colour = COLOURS[1] if place in chosen else SHADES[1]
        panel.bar(place + 1, value, 0.8, colour)
    panel.axes("sentence", "value of each sentence before selection; orange: the six selected")
    panel.ticks([1, 20, 40, 60, 80], [0, 0.2, 0.4])
    return card


def sentence_values(result: Result) -> list[float]:
    """Return the value of each sentence before any is selected."""
    word_values = weigh_words(result._word_scores, result._topic_words)
    occurrences = result.analysis.text.counts.occurrences
    fitness = rate_sentences(result.document, np.array(starts_of(result)[:-1]))
    return [
        float(word_values[occurrences[[place]].indices].sum()) * fit
        for place, fit in enumerate(fitness)
    ]

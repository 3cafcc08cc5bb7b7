"""From a text to its kept words."""

from __future__ import annotations

import numpy as np
from drawing import COLOURS, GREY, SHADES, WIDTH, Card, legend
from example import analyze

from docbats.text.tags import CLASSES

COLOUR_OF = {"PROPN": COLOURS[3], "NOUN": COLOURS[0], "VERB": COLOURS[2], "ADJ": COLOURS[4]}


def text_sentence() -> Card:
    """Show the tokens of a sentence, their classes and which are kept."""
    text = analyze("sharp").analysis.text
    tokens, words = text.tokens, text.words
    kept = set(text.counts.words)
    name_of = {
        token: words.names[word]
        for token, word in zip(words.token.tolist(), words.word.tolist(), strict=True)
    }
    card = Card(136, "The tokens of one sentence, coloured by word class")
    x, y, letter = 10.0, 12.0, 6.05
    for token in np.flatnonzero(tokens.sentence == 18).tolist():
        form = tokens.forms[tokens.form[token]]
        width = letter * len(form) + 6
        if x + width > WIDTH - 8:
            x, y = 10.0, y + 26
        colour = COLOUR_OF.get(CLASSES[text.classes[token]], GREY)
        is_word = token in name_of
        fill = {"fill": colour, "fill_opacity": "0.18"} if is_word else {"fill": "#fff"}
        edge = colour if is_word else "#c9c9c9"
        card.add("rect", x=x, y=y, width=width, height=18, rx=3, stroke=edge, **fill)
        card.text(x + 3, y + 12.5, form, "mono")
        if name_of.get(token) in kept:
            card.line([(x + 3, y + 20.5), (x + width - 3, y + 20.5)], colour, stroke_width=2)
        x += width + 4
    names = ("name", "noun", "verb", "adjective", "other")
    legend(card, (10, 108), "", names, (*COLOUR_OF.values(), GREY))
    note = "white: not counted; underlined: in two sentences or more, so kept"
    card.text(10, 126, note, "small note")
    return card


def text_words() -> Card:
    """Show how much of the text is left after each step."""
    text = analyze("sharp").analysis.text
    occurrences = int(text.counts.occurrences.sum())
    rows = [
        ("tokens", len(text.tokens), len(text.tokens.forms)),
        ("words, without stop words", len(text.words.token), len(text.words.names)),
        ("words in two sentences or more", occurrences, len(text.counts.words)),
    ]
    card = Card(132, "How many tokens and words are left after each step")
    for place, (label, uses, distinct) in enumerate(rows):
        y = 10 + 38 * place
        card.text(10, y + 9, label, "small")
        for colour, count, top in ((SHADES[1], uses, 13), (SHADES[3], distinct, 22)):
            width = 290 * count / rows[0][1]
            card.rect(10, y + top, width, 8, colour)
        card.text(16 + 290 * uses / rows[0][1], y + 21, f"{uses:,}, {distinct} distinct", "small")
    card.text(10, 127, "light: all; dark: distinct", "small note")
    return card

"""The phrases of a section that graph methods choose from, by the papers' own rule.

Runs of adjectives and nouns (R. Mihalcea and P. Tarau, 2004); where no tagger knows the language,
runs of words that are no stop words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tags import CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.prepare import PreparedText

_MAX_WORDS = 4
_KEPT = tuple(CLASSES.index(name) for name in ("NOUN", "PROPN", "ADJ"))


@dataclass(frozen=True)
class SectionPhrases:
    """The words of a section and its phrases.

    Attributes
    ----------
    words
        The candidate words in the order of the text, with the places of their tokens.
    phrases
        For each phrase, in the order of first use, its words.
    spelling
        How each is written first.
    uses
        How often each occurs.
    """

    words: tuple[tuple[int, str], ...]
    phrases: tuple[tuple[str, ...], ...]
    spelling: tuple[str, ...]
    uses: tuple[int, ...]


def find_section_phrases(text: PreparedText) -> SectionPhrases:
    """Find the candidate words and phrases of a section."""
    kept = np.ones(len(text.words.token), np.bool_)
    if text.is_tagged:
        kept = np.isin(text.classes[text.words.token], _KEPT)
    token = text.words.token[kept].tolist()
    names = [text.words.names[word] for word in text.words.word[kept].tolist()]
    sentence = text.tokens.sentence.tolist()
    start, end = text.tokens.start.tolist(), text.tokens.end.tolist()
    uses: Counter[tuple[str, ...]] = Counter()
    spelling: dict[tuple[str, ...], str] = {}
    glue = " " if text.language.writes_spaces else ""
    for run in _runs(token, sentence):
        phrase = tuple(names[i] for i in run)
        uses[phrase] += 1
        written = (text.document.text[start[token[i]] : end[token[i]]] for i in run)
        spelling.setdefault(phrase, glue.join(written))
    return SectionPhrases(
        words=tuple(zip(token, names, strict=True)),
        phrases=tuple(uses),
        spelling=tuple(spelling[phrase] for phrase in uses),
        uses=tuple(uses.values()),
    )


def _runs(token: Sequence[int], sentence: Sequence[int]) -> list[list[int]]:
    """Return the runs of words that stand side by side, each at most `_MAX_WORDS` long."""
    runs: list[list[int]] = []
    for i, place in enumerate(token):
        follows = (
            bool(runs) and token[i - 1] == place - 1 and sentence[place] == sentence[place - 1]
        )
        if follows and len(runs[-1]) < _MAX_WORDS:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs

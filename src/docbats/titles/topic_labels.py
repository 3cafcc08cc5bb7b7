"""Short labels for topics, from the document's own phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.titles.title_text import MAX_TITLE_LENGTH, SCORE_DECIMALS, capitalize, make_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.text.words import Words
    from docbats.titles.phrases import Phrases

__all__ = ["label_topics"]

_N_TOP_WORDS = 10  # words of a topic that its label may use
_MIN_LABEL_WORDS = 3  # words that make a label long enough


def label_topics(
    phrases: Phrases, words: Words, topics: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Return a label for each topic of its words, which come best first; no two are alike.

    A word that the text uses more than once in a phrase of the topic's best words stands in the
    commonest such phrase. Words that say little by themselves and those that are mostly no nouns
    go last.
    """
    place = dict(zip(phrases.names, range(len(phrases.names)), strict=True))
    tops = [[place[word] for word in topic[:_N_TOP_WORDS]] for topic in topics]
    phrase_with = _phrases_within(phrases, tops)
    is_single = np.flatnonzero(phrases.words[:, 1] < 0)
    alone = dict(zip(phrases.words[is_single, 0].tolist(), is_single.tolist(), strict=True))
    uses_alone = np.bincount(phrases.phrase, minlength=len(phrases))[is_single]
    uses = np.bincount(words.word, minlength=len(words.names))
    is_seldom_noun = 2 * np.bincount(phrases.words[is_single, 0], uses_alone, len(uses)) < uses
    is_weak = phrases.is_vague | is_seldom_noun
    weak = set(np.flatnonzero(is_weak).tolist()) - phrase_with.keys()
    return make_distinct(
        [_label(phrases, sorted(top, key=weak.__contains__), phrase_with, alone) for top in tops]
    )


def _phrases_within(phrases: Phrases, topics: list[list[int]]) -> dict[int, int]:
    """Find for each word the commonest phrase that has it and other words of its topic only."""
    n = len(phrases.names)
    topic_of = np.full(n + 1, -1)
    for number, words in enumerate(topics):
        topic_of[words] = number
    topic = topic_of[np.minimum(phrases.words, n)]
    is_link = (phrases.words < 0) | (phrases.words >= n)
    fits = (topic[:, :1] >= 0) & ((topic == topic[:, :1]) | is_link)
    uses = np.bincount(phrases.phrase, phrases.weight, len(phrases)).round(SCORE_DECIMALS)
    within = np.flatnonzero((phrases.words[:, 1] >= 0) & fits.all(axis=1) & (uses > 1))
    found: dict[int, int] = {}
    for phrase in within[np.argsort(-uses[within], kind="stable")].tolist():
        for word in phrases.word_set(phrase):
            found.setdefault(word, phrase)
    return found


def _label(
    phrases: Phrases, words: list[int], phrase_with: dict[int, int], alone: dict[int, int]
) -> str:
    """Join the best words or their phrases until the label says enough."""
    label, used = "", frozenset[int]()
    for word in words:
        phrase = phrase_with.get(word, alone.get(word))
        if phrase is not None and phrases.word_set(phrase) & used:
            phrase = alone.get(word)
        text = phrases.names[word] if phrase is None else phrases.spell(phrase)
        longer = f"{label}{phrases.language.separator}{text}" if label else text
        if word in used or (label and len(longer) > MAX_TITLE_LENGTH):
            continue
        label, used = longer, used | ({word} if phrase is None else phrases.word_set(phrase))
        if len(used) >= _MIN_LABEL_WORDS:
            break
    return capitalize(label) or "…"

"""Short labels for topics, from the document's own phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.titles.compose import Composer
from docbats.titles.features import SentenceGroups
from docbats.titles.ranker import rank_phrases
from docbats.titles.title_text import capitalize, make_distinct
from docbats.titles.title_weights import TITLE_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]

__all__ = ["label_topics"]

_N_TOP_WORDS = 10  # words of a topic, one of which its label has
_MIN_LABEL_WORDS = 2  # words that make a label long enough


def label_topics(
    phrases: Phrases,
    topics: Sequence[Sequence[str]],
    n_sentences: int,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
) -> tuple[str, ...]:
    """Return a label for each topic of its words, which come best first; no two are alike.

    A sentence belongs to the topic whose words it uses most, and a topic is labelled as a segment
    of its sentences would be titled, by its own phrases, with a second one where the first is a
    single word. A topic without such a phrase is labelled by its words.
    """
    if not topics:
        return ()
    place = dict(zip(phrases.names, range(len(phrases.names)), strict=True))
    words = [[place[word] for word in topic] for topic in topics]
    groups = _group_sentences(phrases, words, n_sentences)
    allowed = _phrases_of_topics(phrases, words)
    ranked = rank_phrases(phrases, groups, weights, allowed)
    composer = Composer(phrases)
    best = [rows[0].score if rows else float("-inf") for rows in ranked]
    labels = [""] * len(topics)
    for i in sorted(range(len(topics)), key=lambda i: -best[i]):
        labels[i] = composer.label(ranked[i], _MIN_LABEL_WORDS) or _words_label(phrases, topics[i])
    return make_distinct(labels)


def _group_sentences(
    phrases: Phrases, topics: Sequence[Sequence[int]], n_sentences: int
) -> SentenceGroups:
    """Group sentences by the topic whose words they use most, the better words counting more.

    A last group has the sentences without any.
    """
    k = len(topics)
    topic_of = np.full(len(phrases.names), k)
    worth = np.zeros(len(phrases.names))
    for i, words in enumerate(topics):
        topic_of[list(words)] = i
        worth[list(words)] = 1 / np.sqrt(1 + np.arange(len(words)))
    cells = phrases.word_sentence * (k + 1) + topic_of[phrases.word]
    used = np.bincount(cells, worth[phrases.word], n_sentences * (k + 1)).reshape(-1, k + 1)
    used[:, k] = 0
    group = np.where(used.max(axis=1) > 0, used.round(9).argmax(axis=1), k)
    return SentenceGroups.of_labels(group, k + 1)


def _phrases_of_topics(phrases: Phrases, topics: Sequence[Sequence[int]]) -> Flags:
    """Flag for each phrase and topic whether it may be its label.

    It has one of the topic's best words and, unless it is a name, no word of another topic or none.
    """
    n = len(phrases.names)
    # Numbers of what is no word, and -1, fall on the last place.
    words = np.where((phrases.words >= 0) & (phrases.words < n), phrases.words, n)
    is_noun = np.bincount(phrases.phrase, phrases.verb, len(phrases)) == 0
    allowed = np.zeros((len(phrases), len(topics) + 1), np.bool_)
    for i, topic in enumerate(topics):
        is_top, is_own = np.zeros((2, n + 1), np.bool_)
        is_top[list(topic[:_N_TOP_WORDS])] = True
        is_own[[*topic, n]] = True
        fits = phrases.is_name | is_own[words].all(axis=1)
        allowed[:, i] = is_top[words].any(axis=1) & fits & is_noun
    return allowed


def _words_label(phrases: Phrases, words: Sequence[str]) -> str:
    return capitalize(phrases.language.separator.join(words[:3])) or "…"

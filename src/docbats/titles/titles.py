"""Titles of segments and labels of topics: the author's headings, or the document's own phrases."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from docbats.titles.ranker import (
    MAX_SECOND_LAG,
    MAX_TITLE_LENGTH,
    TITLE_WEIGHTS,
    SentenceGroups,
    capitalize,
    make_distinct,
    rank_phrases,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.titles.phrases import Phrases
    from docbats.titles.ranker import RankedPhrase

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


_COMMON_LETTERS = 4  # shared by two forms of one word, as "lives" and "living"
_IRREGULAR = re.compile("(?<=.)(?:ves|fe|f)$")  # "lives", "life"


class Composer:
    """Makes titles, no two of the same words."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._taken: set[frozenset[int]] = set()

    def title(self, ranked: Sequence[RankedPhrase], avoid: Collection[str] = ()) -> str:
        """Make a title of the best one or two phrases; empty if none is left.

        `avoid` are case-folded titles that must not be made again, whole or in part.
        """
        for parts in self._choices(ranked):
            texts = [self._written(part) for part in parts]
            words = frozenset[int]().union(*map(self._words, parts))
            title = self._join(texts)
            if words in self._taken or not title or len(title) > MAX_TITLE_LENGTH:
                continue
            if any(_is_part(texts, avoided) for avoided in avoid):
                continue
            self._taken.add(words)
            return capitalize(title)
        return ""

    def label(self, ranked: Sequence[RankedPhrase], min_words: int) -> str:
        """Make a label of the best phrase, and others until it has `min_words`."""
        good = [row for row in ranked if row.is_good] or list(ranked[:1])
        for i, best in enumerate(good):
            texts, words = [self._written(best.phrase)], self._words(best.phrase)
            for other in good[i + 1 :]:
                if len(words) >= min_words:
                    break
                longer = [*texts, self._written(other.phrase)]
                fits = len(self._phrases.language.separator.join(longer)) <= MAX_TITLE_LENGTH
                if fits and self.go_together(best.phrase, other.phrase):
                    texts, words = longer, words | self._words(other.phrase)
            label = self._phrases.language.separator.join(texts)
            if words not in self._taken and 0 < len(label) <= MAX_TITLE_LENGTH:
                self._taken.add(words)
                return capitalize(label)
        return ""

    def _choices(self, ranked: Sequence[RankedPhrase]) -> Iterator[tuple[int, ...]]:
        """Yield the phrases that may make a title together, best first."""
        for i, best in enumerate(ranked):
            pairs = (
                (best.phrase, other.phrase)
                for other in ranked[i + 1 :]
                if best.is_good
                and other.is_second
                and best.score - other.score <= MAX_SECOND_LAG
                and self.go_together(best.phrase, other.phrase)
            )
            yield from chain(pairs, [(best.phrase,)])

    def go_together(self, one: int, other: int) -> bool:
        """Whether two phrases may be joined: neither is part of what the other says."""
        phrases = self._phrases
        if phrases.is_verbal(one) or phrases.is_verbal(other):
            return False
        words, others = self._words(one), self._words(other)
        if words & others or phrases.has_phrase_of(words | others):
            return False
        if phrases.tagged or phrases.names[phrases.words[one, 0]].islower():
            names = [[phrases.names[word] for word in each] for each in (words, others)]
            return not any(_is_form(a, b) for a in names[0] for b in names[1])
        # Words of Chinese and Japanese may be overlapping pairs of characters.
        return set(phrases.spell(one)).isdisjoint(phrases.spell(other))

    def _words(self, phrase: int) -> frozenset[int]:
        return self._phrases.word_set(self._phrases.in_full(phrase))

    def _written(self, phrase: int) -> str:
        return self._phrases.spell(self._phrases.in_full(phrase))

    def _join(self, texts: Sequence[str]) -> str:
        if len(texts) == 1:
            return texts[0]
        language = self._phrases.language
        if self._phrases.are_single_words:
            return language.separator.join(texts)
        return f"{texts[0]}{language.conjunction_to(texts[1])}{texts[1]}"


def _is_part(texts: Sequence[str], avoided: str) -> bool:
    """Whether all phrases of a title occur in another."""
    return all(f" {text.casefold()} " in f" {avoided} " for text in texts)


def _is_form(one: str, other: str) -> bool:
    """Whether two words with different stems are forms of one word."""
    a, b = _IRREGULAR.sub("f", one), _IRREGULAR.sub("f", other)
    shorter = min(len(a), len(b))
    return a == b or (shorter > _COMMON_LETTERS and a[: shorter - 1] == b[: shorter - 1])


def title_segments(
    document: Document,
    phrases: Phrases,
    starts: Ints,
    avoid: Sequence[Collection[str]] | None = None,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
) -> tuple[str, ...]:
    """Return a title for each segment, no two alike in their stems.

    The phrase with the highest score makes the title; a second one joins it if its score is hardly
    lower and they have nothing in common. Segments choose in the order of their best scores, so
    that a phrase goes where it fits best. If no phrase is left, the first words make the title.
    `avoid` are case-folded titles that each segment should not get, whole or in part.
    """
    ranked = rank_phrases(phrases, SentenceGroups.of_segments(starts, len(document)), weights)
    edges = [*starts.tolist(), len(document)]
    titles = [""] * len(starts)
    composer = Composer(phrases)
    best = [rows[0].score if rows else float("-inf") for rows in ranked]
    for i in sorted(range(len(starts)), key=lambda i: -best[i]):
        title = composer.title(ranked[i], avoid[i] if avoid else ())
        titles[i] = title or _first_words(document, edges[i], edges[i + 1])
    return make_distinct(titles)


def _first_words(document: Document, first: int, end: int) -> str:
    """Return the beginning of the segment's first sentence that is not blank."""
    spans = document.spans[first:end].tolist()
    texts = (document.without_marks(*span).strip("| ") for span in spans)
    text = next(filter(None, texts), "…")
    if len(text) <= MAX_TITLE_LENGTH:
        return capitalize(text)
    cut = text[:MAX_TITLE_LENGTH]
    return capitalize(cut[: cut.rfind(" ")] if " " in cut else cut[:-1]) + "…"


_N_TOP_WORDS = 10  # of a topic; its label contains one of them
_MIN_LABEL_WORDS = 2  # with fewer, another phrase is added


def label_topics(
    phrases: Phrases,
    topics: Sequence[Sequence[int]],
    n_sentences: int,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
) -> tuple[str, ...]:
    """Return a label for each topic, given the indices of its words, best first; no two are alike.

    A sentence belongs to the topic whose words it uses most, and a topic is labelled as a segment
    of its sentences would be titled, with a second phrase if the first is a single word. A topic
    without such a phrase is labelled by its words.
    """
    if not topics:
        return ()
    groups = _group_sentences(phrases, topics, n_sentences)
    allowed = _phrases_of_topics(phrases, topics)
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
    """Group sentences by the topic whose words they use most; better words count more.

    The last group has the sentences without any.
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
    """Flag the phrases that may label each topic.

    They contain one of the topic's best words and, unless they are names, only words of the topic.
    """
    n = len(phrases.names)
    # Other tokens, and the padding -1, get the last index.
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


def _words_label(phrases: Phrases, topic: Sequence[int]) -> str:
    words = [phrases.names[word] for word in topic[:3]]
    return capitalize(phrases.language.separator.join(words)) or "…"

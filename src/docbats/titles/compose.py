"""Make titles and labels of ranked phrases."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from docbats.titles.title_text import MAX_TITLE_LENGTH, capitalize
from docbats.titles.title_weights import MAX_SECOND_LAG

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from docbats.titles.phrases import Phrases
    from docbats.titles.ranker import RankedPhrase

__all__ = ["Composer"]

_COMMON_LETTERS = 4  # with which two forms of one word begin, as "lives" and "living" do
_IRREGULAR = re.compile("(?<=.)(?:ves|fe|f)$")  # "lives", "life"


class Composer:
    """Makes titles, no two of the same words."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._taken: set[frozenset[int]] = set()

    def title(self, ranked: Sequence[RankedPhrase], avoid: Collection[str] = ()) -> str:
        """Make a title of the best phrase or two, and note its words; empty if none is left.

        `avoid` has titles, in small letters, that are not to be made again, whole or in part.
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
        """Make a label of the best phrase, and others until it has so many words."""
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
        """Yield what may make a title, best first."""
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
        """Whether two phrases may stand side by side: neither is part of what the other says."""
        phrases = self._phrases
        if phrases.is_verbal(one) or phrases.is_verbal(other):
            return False
        words, others = self._words(one), self._words(other)
        if words & others or phrases.has_phrase_of(words | others):
            return False
        if phrases.tagged or phrases.names[phrases.words[one, 0]].islower():
            names = [[phrases.names[word] for word in each] for each in (words, others)]
            return not any(_is_form(a, b) for a in names[0] for b in names[1])
        # The words of Chinese and Japanese may be pairs of characters that overlap.
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
    """Whether all phrases of a title stand in another."""
    return all(f" {text.casefold()} " in f" {avoided} " for text in texts)


def _is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one, though they have different stems."""
    a, b = _IRREGULAR.sub("f", one), _IRREGULAR.sub("f", other)
    shorter = min(len(a), len(b))
    return a == b or (shorter > _COMMON_LETTERS and a[: shorter - 1] == b[: shorter - 1])

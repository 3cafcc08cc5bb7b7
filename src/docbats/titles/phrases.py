"""The phrases of a document: what titles and labels are made of."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.text.languages.language import Language

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["MAX_PHRASE_WORDS", "Phrases"]

MAX_PHRASE_WORDS = 4
"""The most words that a phrase has; each part of a hyphenated word counts as one."""

_MADE_AGAIN = frozenset({"uses_by_sentence", "log_words", "says_little", "_n_words", "_edges"})
_POSSESSIVE = re.compile("['’]s?$")


@dataclass(frozen=True, eq=False)
class SentenceUses:
    """Where phrases occur, each counted once in a sentence; sorted by phrase, then by place.

    Attributes
    ----------
    phrase, sentence, weight, start
        Of each, as in :class:`Phrases`.
    of_phrase
        The weight of all uses of the same phrase.
    """

    phrase: Ints
    sentence: Ints
    weight: Floats
    start: Ints
    of_phrase: Floats

    @property
    def n_sentences(self) -> int:
        """The number of sentences up to the last one that has a phrase."""
        return int(self.sentence.max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class Phrases:
    """The phrases of a document and where they occur.

    Phrases with the same stems are one phrase. Occurrences are sorted by phrase, and those of one
    phrase by their place in the text.

    Attributes
    ----------
    text
        The text of the document.
    names
        The names of the document's words, as in :class:`Words`.
    words
        A row for each phrase: the places in `names` of its words, filled up with -1. Numbers from
        ``len(names)`` on stand for prepositions and other tokens that are no words.
    tagged
        Whether parts of speech were of use.
    language
        Of the text.
    phrase, sentence
        For each occurrence, its phrase and its sentence.
    start, end
        For each occurrence, its half-open span in the text.
    capital
        For each occurrence, whether a capital at its beginning is the phrase's own and not that of
        the sentence.
    weight
        For each occurrence, 1 minus the uses of the longer phrase that it is part of as a share of
        the uses of this one.
    """

    text: str
    names: tuple[str, ...]
    words: Ints
    tagged: bool
    language: Language
    phrase: Ints
    sentence: Ints
    start: Ints
    end: Ints
    capital: Flags
    weight: Floats
    _spelled: dict[int, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Count the phrases."""
        return len(self.words)

    @property
    def are_single_words(self) -> bool:
        """Whether each word is a phrase, for want of parts of speech and of anything else."""
        return not (self.tagged or self.language.has_untagged_phrases)

    @cached_property
    def is_vague(self) -> Flags:
        """For each of `names`, whether it says little by itself.

        Where nothing is known of the words these are words of one to three letters: most are
        articles, prepositions and the like.
        """
        if self.are_single_words:
            # Chinese and Japanese, which have no small letters, say a lot in two characters.
            flags = [len(name) < 4 and name.islower() for name in self.names]
        else:
            flags = list(map(self.language.vague_nouns.__contains__, self.names))
        return np.array(flags, np.bool_)

    @cached_property
    def log_words(self) -> Floats:
        """For each phrase, log2(1 + its number of words)."""
        return np.asarray(np.log2(1 + self._n_words))

    @cached_property
    def says_little(self) -> Flags:
        """For each phrase, whether it ends with a measure or is but a vague word."""
        last = self.words[np.arange(len(self)), self._n_words - 1]
        measures = self.language.measure_nouns
        is_measure = np.array([name in measures for name in self.names], np.bool_)
        return np.asarray(is_measure[last] | (self.is_vague[last] & (self._n_words == 1)))

    @cached_property
    def _n_words(self) -> Ints:
        return np.asarray(np.count_nonzero(self.words >= 0, axis=1))

    @cached_property
    def uses_by_sentence(self) -> SentenceUses:
        """The first occurrence of each phrase in each sentence."""
        once = np.diff(self.phrase, prepend=-1) | np.diff(self.sentence, prepend=-1)
        kept = np.flatnonzero(once)
        phrase, weight = self.phrase[kept], self.weight[kept]
        of_phrase = np.bincount(phrase, weight)[phrase].astype(float)
        return SentenceUses(phrase, self.sentence[kept], weight, self.start[kept], of_phrase)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again."""
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_AGAIN}

    def word_set(self, phrase: int) -> frozenset[int]:
        """Return the words of a phrase, as places in `names`."""
        words = self.words[phrase].tolist()
        return frozenset(word for word in words if 0 <= word < len(self.names))

    def spell(self, phrase: int) -> str:
        """Write a phrase as the text does most: of equals in small letters, then the earliest."""
        if phrase not in self._spelled:
            uses: Counter[str] = Counter()
            for (span, capital), count in Counter(self._occurrences(phrase)).items():
                uses[_write(span, capital)] += count
            oblique = tuple(self.language.oblique_endings)
            best = max(
                uses, key=lambda form: (not form.endswith(oblique), uses[form], form.islower())
            )
            self._spelled[phrase] = best
        return self._spelled[phrase]

    def _occurrences(self, phrase: int) -> Iterator[tuple[str, bool]]:
        """Yield the text of each occurrence, and whether a capital there is its own."""
        these = slice(self._edges[phrase], self._edges[phrase + 1])
        of_each = (
            self.start[these].tolist(),
            self.end[these].tolist(),
            self.capital[these].tolist(),
        )
        return (
            (self.text[start:end], capital) for start, end, capital in zip(*of_each, strict=True)
        )

    @cached_property
    def _edges(self) -> list[int]:
        """Where the occurrences of each phrase begin, and where the last ones end."""
        uses = np.bincount(self.phrase, minlength=len(self))
        return [0, *np.cumsum(uses).tolist()]


def _write(span: str, capital: bool) -> str:
    written = _POSSESSIVE.sub("", " ".join(span.split()).strip("_"))
    if capital or written[:2].isupper():
        return written
    return written[:1].lower() + written[1:]

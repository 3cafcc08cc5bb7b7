"""What docbats knows of a language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

__all__ = ["Language", "words"]


def words(text: str) -> frozenset[str]:
    """Split a text into the set of its words."""
    return frozenset(text.split())


@dataclass(frozen=True, eq=False)
class Language:
    """What docbats knows of a language; the lists hold words in small letters.

    Attributes
    ----------
    code
        By ISO 639-1; None for a language that docbats does not know.
    name
        In English.
    stop_words
        Words that carry grammar rather than subject matter.
    stemmer
        The algorithm of Snowball that finds stems; None where words do not change.
    elisions
        What loses its vowel before another word and is written together with it, as the "l" of
        "l'eau": a token of its own.
    links
        Words that may stand inside a phrase, between two others.
    function_word_groups
        Groups of words that tell whom a text speaks of and in which tense.
    continuing_words, shifting_words
        Words with which a sentence begins that goes on with what was said, or turns to something
        else.
    oblique
        Endings of cases that read badly in a title: such a form is shown only where the text has no
        other.
    grammar
        Characters that only grammar uses: a pair of characters with one of them is no word.
    vague
        Nouns that say little by themselves.
    abbreviations
        Words after which a full stop ends no sentence, without that stop.
    ordinals
        Whether a full stop after a number can make it an ordinal, as in "3. Oktober".
    and_, comma
        What stands between the last two things of a list, and between others.
    nouns_are_capitalised
        Whether a capital inside a sentence tells a noun.
    has_tagger
        Whether the package brings a tagger.
    segmenter
        The extra that finds the words of a language that puts no space between them.
    """

    code: str | None
    name: str
    stop_words: frozenset[str]
    stemmer: str | None = None
    elisions: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    function_word_groups: tuple[str, ...] = ()
    continuing_words: frozenset[str] = frozenset()
    shifting_words: frozenset[str] = frozenset()
    oblique: tuple[str, ...] = ()
    grammar: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    ordinals: bool = False
    and_: str = ", "
    comma: str = ", "
    nouns_are_capitalised: bool = False
    has_tagger: bool = False
    segmenter: str | None = None

    @cached_property
    def elided(self) -> frozenset[str]:
        """The elisions with their apostrophes, which are no words either."""
        return frozenset(f"{word}'" for word in self.elisions)

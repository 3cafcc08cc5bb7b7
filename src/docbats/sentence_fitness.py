"""How well a sentence can stand by itself, away from those around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language

    Ints = NDArray[np.int64]

__all__ = ["OPENING_FACTOR", "find_prose", "rate_sentences", "stand_alone"]

OPENING_FACTOR = 1.25
"""How much more the first sentence of a segment is worth."""

_MIN_WORDS, _MAX_WORDS = 8, 35  # a sentence outside this range is worth less
_QUESTION_FACTOR = 0.3  # what is left of the worth of a question,
_HEADING_FACTOR = 0.3  # of a sentence without a full stop,
_DEPENDENT_FACTOR = 0.1  # of one that leans on the sentence before it,
_NO_PROSE_FACTOR = 0.02  # and of code, tables and the like
_N_FIRST_WORDS = 4  # of a sentence, where a pronoun points back
_MIN_LETTER_SHARE = 0.7  # of the characters of prose, blanks aside
_CHARACTERS_PER_WORD = 2  # of a language without spaces between words, more or less

_END_MARKS = tuple(".!…。！।۔؟?？")
_CLOSING_MARKS = "\"'”’»)]}*_」』）"
_OPENING_MARKS = "\"'“‘«(,.;:「『（"
_QUESTION_MARKS = ("?", "？", "؟")


def find_prose(document: Document) -> NDArray[np.bool_]:
    """Flag the sentences that are prose: no heading, code, table or list of sources."""
    starts = [block.start for block in document.blocks]
    of_sentence = np.searchsorted(starts, document.spans[:, 0], side="right") - 1
    is_prose = [block.is_prose and block.kind != "heading" for block in document.blocks]
    flags: NDArray[np.bool_] = np.array([*is_prose, True], np.bool_)[of_sentence]
    blank = [not sentence.strip() for sentence in document.sentences]
    return flags & ~np.array(blank, np.bool_)


def rate_sentences(document: Document, starts: Ints, language: Language = ENGLISH) -> list[float]:
    """Rate how well each sentence can stand by itself, by its length, form and place."""
    fitness = [_rate(sentence, language) for sentence in document.sentences]
    for start in starts.tolist():
        fitness[start] *= OPENING_FACTOR
    for sentence in np.flatnonzero(~find_prose(document)).tolist():
        fitness[sentence] *= _NO_PROSE_FACTOR
    return fitness


def _rate(sentence: str, language: Language) -> float:
    size = _n_words(sentence, language)
    return stand_alone(sentence, language) / math.sqrt(max(size, _MIN_WORDS))


def _n_words(sentence: str, language: Language) -> int:
    if language.writes_spaces:
        return max(1, len(sentence.split()))
    return max(1, len(sentence) // _CHARACTERS_PER_WORD)


def stand_alone(sentence: str, language: Language) -> float:
    """Rate how well a sentence can stand by itself, from 0 to 1."""
    words = sentence.split()
    size = _n_words(sentence, language)
    fit = min(1.0, size / _MIN_WORDS, _MAX_WORDS / size)
    end = sentence.rstrip().rstrip(_CLOSING_MARKS)
    if end.endswith(_QUESTION_MARKS):
        fit *= _QUESTION_FACTOR
    elif not end.endswith(_END_MARKS):
        fit *= _HEADING_FACTOR
    first = [word.strip(_OPENING_MARKS).lower() for word in words[:_N_FIRST_WORDS]]
    if first and (
        _points_back(first[0], language) or not language.pointing_words.isdisjoint(first)
    ):
        fit *= _DEPENDENT_FACTOR
    letters = sum(map(str.isalpha, sentence))
    if letters < _MIN_LETTER_SHARE * sum(map(len, words)):
        fit *= _NO_PROSE_FACTOR
    return fit


def _points_back(word: str, language: Language) -> bool:
    """Whether a sentence leans on another, by what it begins with."""
    backward = language.backward_words or language.continuing_words
    return word in backward if language.writes_spaces else word.startswith(tuple(backward))

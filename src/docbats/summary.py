"""Extractive summaries: of a document, and one sentence for each segment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Document
    from docbats.text.languages.language import Language

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


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


_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too
_DECIMALS = 9  # to which worths must differ for one to be the larger


@dataclass(frozen=True)
class SegmentSummary:
    """The sentence that sums up a segment, and how much of the whole document it says."""

    sentence: int
    worth: float


class SegmentSummaries:
    """Chooses for each segment the sentence that says most of what it says, and stands alone.

    A sentence is worth its likeness to its segment and to the document, each the cosine between its
    tf-idf and the sum of theirs, times how well it can stand by itself.
    """

    def __init__(
        self, document: Document, tf_idf: sparse.csc_array, language: Language = ENGLISH
    ) -> None:
        self._document, self._language = document, language
        n, n_words = tf_idf.shape
        self._row = tf_idf.indices
        self._word = np.repeat(np.arange(n_words), np.diff(tf_idf.indptr))
        norm = np.sqrt(np.bincount(self._row, tf_idf.data**2, n))
        self._unit = tf_idf.data / np.maximum(norm, _TINY)[self._row]
        total = np.bincount(self._word, self._unit, n_words).astype(float)
        total /= max(float(np.sqrt((total**2).sum())), _TINY)
        self._to_document = np.bincount(self._row, self._unit * total[self._word], n).astype(float)
        self._is_prose = find_prose(document)
        self._fitness: dict[int, float] = {}

    def choose(self, starts: Ints) -> list[SegmentSummary | None]:
        """Return the best sentence of each segment, of equals the earliest; None without prose."""
        worth = (self._likeness_to_segments(starts) + self._to_document) * self._is_prose
        worth[starts] *= OPENING_FACTOR
        edges = [*starts.tolist(), len(self._document)]
        return [self._best(worth[low:high], low) for low, high in pairwise(edges)]

    def _likeness_to_segments(self, starts: Ints) -> Floats:
        n, k = len(self._document), len(starts)
        segment = np.repeat(np.arange(k), np.diff(np.append(starts, n)))[self._row]
        # Sorted by words, the uses of a word in one segment lie together.
        first = np.flatnonzero(np.diff(self._word * k + segment, prepend=-1))
        if not len(first):
            return np.zeros(n)
        sums = np.add.reduceat(self._unit, first)
        norm = np.sqrt(np.bincount(segment[first], sums**2, k))
        sums /= np.maximum(norm, _TINY)[segment[first]]
        of_use = np.repeat(sums, np.diff(np.append(first, len(self._unit))))
        return np.asarray(np.bincount(self._row, self._unit * of_use, n), float)

    def _best(self, worth: Floats, first: int) -> SegmentSummary | None:
        """Return the best of the sentences from `first` on, if they stood alone equally well."""
        prose = np.flatnonzero(self._is_prose[first : first + len(worth)])
        if not len(prose):
            return None
        best, most = int(prose[0]), -1.0
        # None is worth more than it would be if it stood alone, so few have to be looked at.
        for i in prose[np.argsort(-worth[prose], kind="stable")].tolist():
            if worth[i].round(_DECIMALS) < most:
                break
            found = round(float(worth[i]) * self._stands_alone(first + i), _DECIMALS)
            if found > most or (found == most and i < best):
                best, most = i, found
        sentence = first + best
        central = float(self._to_document[sentence]) * self._stands_alone(sentence)
        central *= OPENING_FACTOR if best == 0 else 1
        return SegmentSummary(sentence, round(central, _DECIMALS))

    def _stands_alone(self, sentence: int) -> float:
        if sentence not in self._fitness:
            text = self._document.sentences[sentence]
            self._fitness[sentence] = stand_alone(text, self._language)
        return self._fitness[sentence]


_REPETITION_FACTOR = 0.5  # what a word is still worth each time that it has been said
_WORTH_DECIMALS = 9  # to which worths must differ for one to be the larger


def choose_sentences(
    document: Document,
    occurrences: sparse.csr_array,
    scores: Floats,
    topics: Sequence[Ints],
    starts: Ints,
    *,
    n: int,
    language: Language = ENGLISH,
    first: Sequence[int | None] | None = None,
) -> tuple[int, ...]:
    """Choose the `n` sentences that together say most, in the order of the text.

    A word is worth its score times its topic's share of all scores, and less each time that a
    chosen sentence has said it. A sentence is worth the sum of its distinct words over the square
    root of its length, so that neither lists nor scraps win, less if it is a question, a heading,
    no prose or leans on the sentence before. The best is taken again and again, the earliest of
    equals; no segment gives a second one before every segment has given one.

    Parameters
    ----------
    occurrences
        X^o: how often each kept word occurs in each sentence.
    scores
        Of each kept word.
    topics
        The words of each topic.
    starts
        The first sentence of each segment.
    n
        How many; all sentences if there are fewer.
    language
        Of the document.
    first
        The sentence that each segment is to give first, if known.
    """
    if n >= len(document):
        return tuple(range(len(document)))
    fitness = rate_sentences(document, starts, language)
    worth = weigh_words(scores, topics)
    edges, words = occurrences.indptr.tolist(), occurrences.indices
    segment = (np.searchsorted(starts, np.arange(len(document)), side="right") - 1).tolist()

    def gain(sentence: int) -> float:
        said = worth[words[edges[sentence] : edges[sentence + 1]]]
        return round(float(said.sum()) * fitness[sentence], _WORTH_DECIMALS)

    # A sentence's worth only falls as others are chosen, so one that is still worth as much as
    # when it was last looked at is the best of all.
    queue = [(-gain(sentence), sentence) for sentence in range(len(document))]
    chosen: set[int] = set()
    waiting: list[tuple[float, int]] = []
    if first is not None:
        leaders = set(first)
        waiting = [item for item in queue if first[segment[item[1]]] not in {None, item[1]}]
        queue = [item for item in queue if item[1] in leaders or first[segment[item[1]]] is None]
    heapify(queue)
    open_segments = set(segment)
    while len(chosen) < n:
        known, sentence = heappop(queue)
        if open_segments and segment[sentence] not in open_segments:
            waiting.append((known, sentence))
            continue
        now = -gain(sentence)
        if now > known:
            heappush(queue, (now, sentence))
            continue
        chosen.add(sentence)
        worth[words[edges[sentence] : edges[sentence + 1]]] *= _REPETITION_FACTOR
        open_segments.discard(segment[sentence])
        if not open_segments and waiting:
            queue += waiting
            waiting = []
            heapify(queue)
    return tuple(sorted(chosen))


def weigh_words(scores: Floats, topics: Sequence[Ints]) -> Floats:
    """Weigh words by their scores and their topics, the best word 1."""
    worth = np.zeros(len(scores))
    for topic in topics:
        worth[topic] = scores[topic] * scores[topic].sum()
    best = float(worth.max(initial=0.0))
    return worth / best if best > 0 else worth

"""An extractive summary: the sentences that say most of what the document is about."""

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

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "SegmentSummary",
    "choose_sentences",
    "rate_sentences",
    "summarize_segments",
    "weigh_words",
]

_REPETITION_FACTOR = 0.5  # what a word is still worth each time that it has been said
_MIN_WORDS, _MAX_WORDS = 8, 35  # a sentence outside this range is worth less
_QUESTION_FACTOR = 0.3  # what is left of the worth of a question,
_HEADING_FACTOR = 0.3  # of a sentence without a full stop,
_DEPENDENT_FACTOR = 0.1  # of one that leans on the sentence before it,
_NO_PROSE_FACTOR = 0.02  # and of code, tables and the like
_N_FIRST_WORDS = 4  # of a sentence, where a pronoun points back
_MIN_LETTER_SHARE = 0.7  # of the characters of prose, blanks aside
_OPENING_FACTOR = 1.25  # how much more the first sentence of a segment is worth
_CHARACTERS_PER_WORD = 2  # of a language without spaces between words, more or less
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too
_WORTH_DECIMALS = 9  # to which worths must differ for one to be the larger

_END_MARKS = tuple(".!…。！।۔؟?？")
_CLOSING_MARKS = "\"'”’»)]}*_」』）"
_OPENING_MARKS = "\"'“‘«(,.;:「『（"
_QUESTION_MARKS = ("?", "？", "؟")


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


@dataclass(frozen=True)
class SegmentSummary:
    """The sentence that sums up a segment, and how much of the whole document it says."""

    sentence: int
    worth: float


def summarize_segments(
    document: Document, tf_idf: sparse.csr_array, starts: Ints, language: Language = ENGLISH
) -> list[SegmentSummary | None]:
    """Choose for each segment the sentence that says most of what it says, and stands alone.

    A sentence is worth its likeness to its segment and to the document, each the cosine between its
    tf-idf and the sum of theirs, times how well it can stand by itself; the earliest of equals is
    chosen. None for a segment without prose.
    """
    n, size = tf_idf.shape
    row = np.repeat(np.arange(n), np.diff(tf_idf.indptr))
    norm = np.sqrt(np.bincount(row, tf_idf.data**2, n))
    unit = tf_idf.data / np.maximum(norm, _TINY)[row]
    group = np.searchsorted(starts, row, side="right") - 1
    cells, cell = np.unique(group * max(1, size) + tf_idf.indices, return_inverse=True)
    here = np.bincount(cell, unit, len(cells))
    norm_here = np.sqrt(np.bincount(cells // max(1, size), here**2, len(starts)))
    total = np.bincount(tf_idf.indices, unit, size)
    norm_total = np.sqrt((total**2).sum())
    to_segment = np.bincount(row, unit * here[cell] / np.maximum(norm_here, _TINY)[group], n)
    to_document = np.bincount(row, unit * total[tf_idf.indices] / max(norm_total, _TINY), n)

    fitness = np.array([_stand_alone(sentence, language) for sentence in document.sentences])
    fitness[starts] *= _OPENING_FACTOR
    worth = ((to_segment + to_document) * fitness).round(_WORTH_DECIMALS)
    prose = find_prose(document)
    chosen: list[SegmentSummary | None] = []
    for start, end in pairwise([*starts.tolist(), len(document)]):
        inside = np.flatnonzero(prose[start:end]) + start
        best = int(inside[np.argmax(worth[inside])]) if len(inside) else None
        central = 0.0 if best is None else float(to_document[best] * fitness[best])
        chosen.append(None if best is None else SegmentSummary(best, round(central, 9)))
    return chosen


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
        fitness[start] *= _OPENING_FACTOR
    for sentence in np.flatnonzero(~find_prose(document)).tolist():
        fitness[sentence] *= _NO_PROSE_FACTOR
    return fitness


def _rate(sentence: str, language: Language) -> float:
    size = _n_words(sentence, language)
    return _stand_alone(sentence, language) / math.sqrt(max(size, _MIN_WORDS))


def _n_words(sentence: str, language: Language) -> int:
    if language.writes_spaces:
        return max(1, len(sentence.split()))
    return max(1, len(sentence) // _CHARACTERS_PER_WORD)


def _stand_alone(sentence: str, language: Language) -> float:
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

"""An extractive summary: the sentences that say most of what the document is about."""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
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

__all__ = ["choose_sentences"]

_REPEATED = 0.5  # what a word is still worth each time that it has been said
_SHORT, _LONG = 8, 35  # words: a sentence outside this range is worth less
_QUESTION = 0.3  # what is left of the worth of a question,
_HEADING = 0.3  # of a sentence without a full stop,
_DEPENDENT = 0.5  # and of one that leans on the sentence before it
_OPENING = 1.25  # how much more the first sentence of a segment is worth
_WORD = 2  # characters that a word of Chinese or Japanese has, more or less
_DECIMALS = 9  # to which worths must differ for one to be the larger

_ENDS = tuple(".!…。！।۔؟?？")
_CLOSERS = "\"'”’»)]}*_」』）"

# Words that point back to another sentence when they begin one.
_POINTERS = """
he him his she her hers it its they them their theirs this that these those such same both neither
either another others one some many most few several here there then now

accordingly additionally also although and again as because besides but consequently conversely
finally first firstly furthermore hence however indeed instead lastly likewise meanwhile moreover
nevertheless next nonetheless nor or otherwise rather second secondly similarly so still third
thirdly though thus therefore unlike whereas while yet yes no well oh okay ok
"""
_POINTS_BACK = frozenset(_POINTERS.split())


def choose_sentences(
    document: Document,
    occurrences: sparse.csr_array,
    scores: Floats,
    topics: Sequence[Ints],
    starts: Ints,
    *,
    n: int,
    language: Language = ENGLISH,
) -> tuple[int, ...]:
    """Choose the `n` sentences that together say most, in the order of the text.

    A word is worth its score times its topic's share of all scores, and less each time that a
    chosen sentence has said it. A sentence is worth the sum of its distinct words over the square
    root of its length, so that neither lists nor scraps win, less if it is a question, a heading
    or leans on the sentence before. The best is taken again and again, the earliest of equals; no
    segment gives a second one before every segment has given one.

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
    """
    if n >= len(document):
        return tuple(range(len(document)))
    fitness = _fitness(document, starts, language)
    worth = _word_worth(scores, topics)
    edges, words = occurrences.indptr.tolist(), occurrences.indices
    segment = (np.searchsorted(starts, np.arange(len(document)), side="right") - 1).tolist()

    def gain(sentence: int) -> float:
        said = worth[words[edges[sentence] : edges[sentence + 1]]]
        return round(float(said.sum()) * fitness[sentence], _DECIMALS)

    # A sentence's worth only falls as others are chosen, so one that is still worth as much as
    # when it was last looked at is the best of all.
    queue = [(-gain(sentence), sentence) for sentence in range(len(document))]
    heapify(queue)
    chosen: set[int] = set()
    waiting: list[tuple[float, int]] = []
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
        worth[words[edges[sentence] : edges[sentence + 1]]] *= _REPEATED
        open_segments.discard(segment[sentence])
        if not open_segments and waiting:
            queue += waiting
            waiting = []
            heapify(queue)
    return tuple(sorted(chosen))


def _word_worth(scores: Floats, topics: Sequence[Ints]) -> Floats:
    """Weigh words by their scores and their topics, the best word 1."""
    worth = np.zeros(len(scores))
    for topic in topics:
        worth[topic] = scores[topic] * scores[topic].sum()
    best = float(worth.max(initial=0.0))
    return worth / best if best > 0 else worth


def _fitness(document: Document, starts: Ints, language: Language = ENGLISH) -> list[float]:
    """Tell for each sentence how well it can stand by itself, by its length, form and place."""
    fitness = [_fit(sentence, language) for sentence in document.sentences]
    for start in starts.tolist():
        fitness[start] *= _OPENING
    return fitness


def _fit(sentence: str, language: Language) -> float:
    words = sentence.split()
    size = max(1, len(words) if language.segmenter is None else len(sentence) // _WORD)
    fit = min(1.0, size / _SHORT, _LONG / size) / math.sqrt(max(size, _SHORT))
    end = sentence.rstrip().rstrip(_CLOSERS)
    if end.endswith(("?", "？", "؟")):
        fit *= _QUESTION
    elif not end.endswith(_ENDS):
        fit *= _HEADING
    if words and _points_back(words[0].strip("\"'“‘«(,.;:「『（").lower(), language):
        fit *= _DEPENDENT
    return fit


def _points_back(word: str, language: Language) -> bool:
    """Tell whether a sentence leans on another, by what it begins with."""
    if language.segmenter is not None:
        return word.startswith(tuple(language.continuing_words))
    return word in (_POINTS_BACK if language.code in {"en", None} else language.continuing_words)

"""An extractive summary: the sentences that say most of what the document is about."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from docbats.sentence_fitness import rate_sentences
from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Document
    from docbats.text.languages.language import Language

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["choose_sentences", "weigh_words"]

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

"""Short titles for segments, from the document's own phrases."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.titles.title_text import MAX_TITLE_LENGTH, SCORE_DECIMALS, capitalize, make_distinct

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.titles.phrases import Phrases

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["rank_phrases", "title_segments"]

_MAX_CANDIDATES = 12  # phrases of a segment that are looked at
_MIN_SECOND_SHARE = 0.5  # of the best phrase's score that makes another worth adding
_MIN_SURPRISE = 0.1  # bits that a phrase gets which is no commoner here than elsewhere
_DISCOUNT = 0.75  # sentences taken off, so that a phrase used once yields to one used twice
_N_OPENING_SENTENCES = 2  # of a segment, whose phrases count double
_VAGUE_WEIGHT = 0.05  # what is left of the score of a phrase that says little


def title_segments(
    document: Document,
    phrases: Phrases,
    starts: Ints,
    avoid: Sequence[Collection[str]] | None = None,
) -> tuple[str, ...]:
    """Return a title for each segment, no two alike in their stems.

    A phrase stands out by the number of the segment's sentences that use it, times the bits of
    surprise that they are so many, times log2(1 + its number of words), for long phrases are rare;
    and twice as much if the segment opens with it. The best phrase makes the title, and the next
    joins it if it is half as good, shares no word with it and leaves the title short. Segments
    choose in the order of their best scores, so that a phrase goes where it fits best. Where no
    phrase is left the first words make the title. For each segment, `avoid` may have titles, in
    small letters, that it should not get.
    """
    ranked = rank_phrases(phrases, starts)
    edges = [*starts.tolist(), len(document)]
    titles = [""] * len(starts)
    taken: set[frozenset[int]] = set()
    for i in sorted(range(len(starts)), key=lambda i: -max(ranked[i].values(), default=0.0)):
        title = _compose(phrases, ranked[i], taken, avoid[i] if avoid else ())
        titles[i] = title or _first_words(document, edges[i], edges[i + 1])
    return make_distinct(titles)


def rank_phrases(phrases: Phrases, starts: Ints) -> list[dict[int, float]]:
    """Score the phrases that stand out in each segment, best first, the earliest of equals."""
    k = len(starts)
    once = np.diff(phrases.phrase, prepend=-1) | np.diff(phrases.sentence, prepend=-1)
    phrase, sentence, weight, place = (
        array[once != 0]
        for array in (phrases.phrase, phrases.sentence, phrases.weight, phrases.start)
    )
    segment = np.searchsorted(starts, sentence, side="right") - 1
    # Occurrences are sorted by phrase and place, so those of a phrase in a segment lie together.
    first = np.flatnonzero(np.diff(phrase * k + segment, prepend=-1))
    uses = np.add.reduceat(weight, first) if len(first) else weight
    expected = np.bincount(phrase, weight)[phrase] * np.bincount(segment)[segment] / len(segment)
    first, uses = first[uses > _DISCOUNT], uses[uses > _DISCOUNT]
    surprise = np.maximum(np.log2(uses / expected[first]), _MIN_SURPRISE)
    score = (uses - _DISCOUNT) * surprise * _importance(phrases)[phrase[first]]
    score *= np.where(sentence[first] < starts[segment[first]] + _N_OPENING_SENTENCES, 2, 1)
    score = score.round(SCORE_DECIMALS)
    order = np.lexsort((place[first], -score, segment[first]))
    first, score = first[order], score[order]
    edges = np.searchsorted(segment[first], np.arange(k + 1)).tolist()
    tops = (slice(low, min(high, low + _MAX_CANDIDATES)) for low, high in pairwise(edges))
    return [
        dict(zip(phrase[first[top]].tolist(), score[top].tolist(), strict=True)) for top in tops
    ]


def _importance(phrases: Phrases) -> Floats:
    """Weigh phrases by their number of words, and mark down those that say little."""
    n_words = np.count_nonzero(phrases.words >= 0, axis=1)
    last = phrases.words[np.arange(len(phrases)), n_words - 1]
    measures = phrases.language.measure_nouns
    is_measure = np.array([name in measures for name in phrases.names], np.bool_)
    says_little = is_measure[last] | (phrases.is_vague[last] & (n_words == 1))
    weight: Floats = np.log2(1 + n_words) * np.where(says_little, _VAGUE_WEIGHT, 1.0)
    return weight


def _compose(
    phrases: Phrases,
    scores: dict[int, float],
    taken: set[frozenset[int]],
    avoid: Collection[str],
) -> str:
    """Make a title of the best phrase or two that no other segment has, and note its stems."""
    language = phrases.language
    glue = language.separator if phrases.are_single_words else language.conjunction
    ranked = list(scores.items())
    for i, (best, score) in enumerate(ranked):
        pairs = (
            (best, other)
            for other, other_score in ranked[i + 1 :]
            if other_score >= _MIN_SECOND_SHARE * score and not _overlap(phrases, best, other)
        )
        for parts in chain(pairs, [(best,)]):
            words = frozenset[int]().union(*(phrases.word_set(part) for part in parts))
            title = glue.join(map(phrases.spell, parts))
            if title.casefold() in avoid or words in taken:
                continue
            if len(title) <= MAX_TITLE_LENGTH:
                taken.add(words)
                return capitalize(title)
    return ""


def _overlap(phrases: Phrases, one: int, other: int) -> bool:
    """Whether two phrases share a word, or a character in a script without small letters.

    The words of Chinese and Japanese are pairs of characters, each beginning inside the last.
    """
    if phrases.tagged or phrases.names[phrases.words[one, 0]].islower():
        return not phrases.word_set(one).isdisjoint(phrases.word_set(other))
    return not set(phrases.spell(one)).isdisjoint(phrases.spell(other))


def _first_words(document: Document, first: int, end: int) -> str:
    """Cut the segment's first sentence that has any characters at a word."""
    spans = document.spans[first:end].tolist()
    texts = (" ".join(document.text[start:stop].split()) for start, stop in spans)
    text = next(filter(None, texts), "…")
    if len(text) <= MAX_TITLE_LENGTH:
        return capitalize(text)
    cut = text[:MAX_TITLE_LENGTH]
    return capitalize(cut[: cut.rfind(" ")] if " " in cut else cut[:-1]) + "…"

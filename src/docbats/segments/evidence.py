"""What speaks for a boundary: the words of each sentence, and how its first word sounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.cut_model import CutModel
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tagger import CLASSES
from docbats.text.word_cache import WordCache
from docbats.text.words import stemming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

__all__ = ["Evidence", "find_evidence"]

_MODEL = CutModel()
_HEADING_WORDS = 12
_CLOSING = frozenset(".?!:;\"”'’)]…")
_CLOSING_ELSEWHERE = frozenset("»“›。！？｡：；」』）》")

# What a byte tells of a token: the group of its voice and four marks.
_SPOKEN, _WORD, _TURNS, _GOES_ON, _CLOSES = 15, 16, 32, 64, 128


@dataclass(frozen=True, eq=False)
class Evidence:
    """The words of a document as a cut sees them.

    Attributes
    ----------
    root, sentence, count
        How often each root stands in each sentence: one entry a pair, sorted by root, then by
        sentence. Only roots of two sentences or more are here.
    weight
        For each root, how much it counts.
    sizes
        Words in each sentence, at least 1.
    start_log_odds
        For each sentence, the log odds that a segment begins with it, by its look alone.
    vectors
        For each sentence a vector of length 1, if embeddings are to count.
    model
        What the evidence is weighed by.
    tables
        What the segments of a short text cost, once that is known: see `block_costs`.
    """

    root: NDArray[np.int64]
    sentence: NDArray[np.int64]
    count: NDArray[np.int64]
    weight: NDArray[np.float64]
    sizes: NDArray[np.int64]
    start_log_odds: NDArray[np.float64]
    vectors: NDArray[np.float64] | None = None
    model: CutModel = _MODEL
    tables: list[NDArray[np.float64]] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.sizes)

    @cached_property
    def n_tokens(self) -> int:
        """All occurrences, unweighted."""
        return int(self.count.sum())


def find_evidence(
    document: Document,
    tokens: Tokens,
    words: Words,
    classes: NDArray[np.int64],
    weights: Mapping[str, float],
    *,
    stem: bool,
    model: CutModel = _MODEL,
    language: Language = ENGLISH,
) -> Evidence:
    """Collect the evidence; `weights` says by the name of its class how much a word counts."""
    m = len(document)
    root, n_roots = _roots(words, model.root_letters if stem else None, language.stemmer)
    looks = np.frombuffer(b"".join(_looker(language)(tokens.forms)), np.uint8)
    spoken = np.flatnonzero((looks & _SPOKEN)[tokens.form])
    group = (looks & _SPOKEN)[tokens.form[spoken]].astype(np.int64) - 1
    roots = np.concatenate([root, n_roots + group])
    sentences = np.concatenate([tokens.sentence[words.token], tokens.sentence[spoken]])
    by_class = np.array([weights.get(name, 1.0) for name in CLASSES])
    uses_weight = by_class[classes[words.token]] if weights else np.ones(len(words.token))
    uses_weight = np.concatenate([uses_weight, np.full(len(spoken), model.function_word_weight)])
    n = n_roots + len(language.function_word_groups)
    uses = np.bincount(roots, minlength=n)
    weight = np.bincount(roots, uses_weight, minlength=n) / np.maximum(uses, 1)
    cell, count = np.unique(roots * m + sentences, return_counts=True)
    root, sentence = np.divmod(cell, m)
    kept = np.bincount(root, minlength=n) > (0 if model.rare_roots else 1)
    used = kept[root]
    is_word = (looks & _WORD > 0)[tokens.form]
    sizes = np.maximum(np.bincount(tokens.sentence[is_word], minlength=m), 1)
    return Evidence(
        root=(np.cumsum(kept) - 1)[root[used]],
        sentence=sentence[used],
        count=count[used],
        weight=weight[kept],
        sizes=sizes,
        start_log_odds=_openings(tokens, looks, is_word, sizes, model),
        model=model,
    )


def _roots(words: Words, letters: int | None, stemmer: str | None) -> tuple[NDArray[np.int64], int]:
    """Give each word its root, by number: coarser than stems, so that more sentences share one."""
    if letters is None:
        return words.word, len(words.names)
    roots = [stem[: letters or None] for stem in stemming(stemmer)(words.names)]
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    return np.array([numbers[root] for root in roots], np.int64)[words.word], len(numbers)


@cache
def _looker(language: Language) -> WordCache[bytes]:
    """Make the function that tells in one byte what a token is.

    The byte holds its group of function words, from 1 on, and other marks.
    """
    group_of = {
        word: group
        for group, words in enumerate(language.function_word_groups)
        for word in words.split()
    }
    closing = _CLOSING if language.code == "en" else _CLOSING | _CLOSING_ELSEWHERE

    def look_at(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            word = form.lower().replace("’", "'")
            before_apostrophe = word.partition("'")[0]  # "he's" is a "he"
            look = group_of.get(before_apostrophe, -1) + 1
            look |= _WORD if form[0].isalnum() else 0
            look |= _CLOSES if form in closing else 0
            if word in language.shifting_words:
                look |= _TURNS
            elif before_apostrophe in language.continuing_words:
                look |= _GOES_ON
            yield bytes([look])

    return WordCache(look_at)


def _openings(
    tokens: Tokens,
    looks: NDArray[np.uint8],
    is_word: NDArray[np.bool_],
    sizes: NDArray[np.int64],
    model: CutModel,
) -> NDArray[np.float64]:
    """Judge each sentence as the first of a segment."""
    start_log_odds = np.where(_headings(tokens, looks, sizes), model.heading, 0.0)
    sentence = tokens.sentence[is_word]
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    look = looks[tokens.form[is_word][first]]
    start_log_odds[sentence[first[look & _TURNS > 0]]] += model.shifting
    start_log_odds[sentence[first[look & _GOES_ON > 0]]] += model.continuing
    return start_log_odds


def _headings(
    tokens: Tokens, looks: NDArray[np.uint8], sizes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Find the short sentences without an end mark that follow one with an end mark.

    In a text that mostly does without end marks, nothing is a heading.
    """
    ended = np.zeros(len(sizes), bool)
    last = np.flatnonzero(np.diff(tokens.sentence, append=-1))
    ended[tokens.sentence[last]] = looks[tokens.form[last]] & _CLOSES > 0
    if 2 * np.count_nonzero(ended) < len(ended):
        return np.zeros(len(sizes), bool)
    headings = np.less_equal(sizes, min(_HEADING_WORDS, 0.7 * sizes.mean())) & ~ended
    headings[1:] &= ended[:-1]
    headings[[0, -1]] = False
    return headings

"""Runs of tokens that are phrases, and how far each stands by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.titles.phrases import MAX_PHRASE_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.titles.phrase_tokens import PhraseTokens

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["NGrams", "find_ngrams", "independence"]

_MIN_DOUBTFUL_SHARE = 0.3  # of a noun's uses that go on with "of ..." in one way: a phrase
_MIN_COSINE = 0.4  # of the uses of two words that are a phrase without parts of speech


@dataclass(frozen=True, eq=False)
class NGrams:
    """The phrases of one size.

    Attributes
    ----------
    size
        The number of their tokens.
    at, phrase, uses
        For each occurrence, where it begins among the :class:`PhraseTokens`, the number of its
        phrase, and how often that occurs.
    keys
        For each phrase, the keys of its tokens, filled up with -1.
    verb
        For each occurrence, whether it begins with a verb.
    """

    size: int
    at: Ints
    phrase: Ints
    uses: Ints
    keys: Ints
    verb: Flags


def find_ngrams(tokens: PhraseTokens, longest: int) -> list[NGrams]:
    """Find the runs of 1 to `longest` tokens that are phrases; numbers of phrases go on."""
    n_keys = int(tokens.key.max(initial=0)) + 1
    uses_of_key = np.bincount(tokens.key, minlength=n_keys)
    continues = np.concatenate([tokens.joined & tokens.inside, np.zeros(1, np.bool_)])
    ends_run = ~continues[1:]
    at = np.flatnonzero(tokens.inside)
    run = tokens.key[at]
    grams: list[NGrams] = []
    known = 0
    for size in range(1, longest + 1):
        if size > 1:
            longer = continues[np.minimum(at + size - 1, len(tokens.key))]
            at = at[longer]
            run = np.unique(run[longer] * n_keys + tokens.key[at + size - 1], return_inverse=True)[
                1
            ]
        begin = tokens.opens[at] & tokens.closes[at + size - 1]
        begin &= ~tokens.verb[at] | ends_run[at + size - 1]
        begin &= ~_flag_chance(tokens, at, run, uses_of_key, size)
        begins = at[begin]
        uses = np.bincount(run[begin])
        phrase = (np.cumsum(uses > 0) - 1)[run[begin]]
        keys = np.full((np.count_nonzero(uses), MAX_PHRASE_WORDS), -1, np.int64)
        keys[phrase, :size] = tokens.key[begins[:, None] + np.arange(size)]
        verb = tokens.verb[begins]
        grams.append(NGrams(size, begins, phrase + known, uses[run[begin]], keys, verb))
        known += len(keys)
    return grams


def _flag_chance(tokens: PhraseTokens, at: Ints, run: Ints, uses_of_key: Ints, size: int) -> Flags:
    """Flag the runs whose words only happen to meet, as the nouns of "number of sheep"."""
    chance = np.zeros(len(at), np.bool_)
    if tokens.must_recur and size > 1:
        uses = np.bincount(run)[run]
        ends = uses_of_key[tokens.key[at]] * uses_of_key[tokens.key[at + size - 1]]
        rare: Flags = (uses < 2) | (uses < _MIN_COSINE * np.sqrt(ends))
        return rare
    for inner in range(1, size):
        chance |= tokens.doubtful[at + inner]
    if chance.any():
        uses = np.bincount(run)[run]
        chance &= (uses < 2) | (uses < _MIN_DOUBTFUL_SHARE * uses_of_key[tokens.key[at]])
    return chance


def independence(grams: list[NGrams], n_places: int) -> list[Floats]:
    """Return for each occurrence, size by size, the share that no longer phrase explains.

    What begins with a verb explains nothing: a server that is set up is a server.
    """
    explained = [np.zeros(n_places, np.int64) for _ in grams]
    for gram in grams:
        for shorter in range(1, gram.size):
            best = explained[shorter - 1]
            for offset in range(gram.size - shorter + 1):
                places = gram.at[~gram.verb] + offset
                best[places] = np.maximum(best[places], gram.uses[~gram.verb])
    return [
        np.maximum(1 - best[gram.at] / gram.uses, 0.0)
        for gram, best in zip(grams, explained, strict=True)
    ]

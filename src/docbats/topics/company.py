"""How words keep company: how often they meet in a sentence or in adjacent ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Company", "find_company"]

_ADJACENT_WEIGHT = 0.1  # of a meeting, for words in adjacent sentences
_NEVER_MET = 0.03  # of a meeting, for words that are never near
_ENTRIES_AT_A_TIME = 100_000  # each with at most as many others as there are candidates


@dataclass(frozen=True, eq=False)
class Company:
    """How the candidates of each topic go together: topics by candidates by candidates.

    Attributes
    ----------
    cosine
        Logarithm of the cosine of two words over sentences, adjacent sentences counting a little.
    met
        1 where two words share a sentence.
    """

    cosine: NDArray[np.float64]
    met: NDArray[np.float64]


def find_company(words: Ints, occurrences: sparse.csr_array) -> Company:
    """Count how often the candidates of each topic meet, in the same sentence and in adjacent ones.

    Only words of one topic are paired, so that their number stays small even where one sentence
    holds all words.
    """
    k, size = words.shape
    m, n = occurrences.shape
    place = np.full(n + 1, -1)
    place[words] = np.arange(k * size).reshape(k, size)
    place[n] = -1  # where the index -1, for no word, wrote
    column = place[occurrences.indices]
    candidate = np.flatnonzero(column >= 0)
    column = column[candidate]
    sentence = np.repeat(np.arange(m), np.diff(occurrences.indptr))[candidate]
    # One number is left out between topics, so that the last sentence has no next one.
    group = (column // size) * (m + 1) + sentence
    order = np.argsort(group, kind="stable")
    column, group = column[order], group[order]
    edges = [np.searchsorted(group, group + step) for step in range(3)]
    shared = _count_pairs(column, edges[0], edges[1], k, size)
    adjacent = _count_pairs(column, edges[1], edges[2], k, size)
    nearby = shared + _ADJACENT_WEIGHT * (adjacent + adjacent.transpose(0, 2, 1))
    sentences = np.maximum(shared.diagonal(axis1=1, axis2=2), 1)
    norm = np.log(sentences) / 2
    cosine = np.log(nearby + _NEVER_MET) - norm[:, :, None] - norm[:, None, :]
    return Company(cosine, (shared > 0).astype(np.float64))


def _count_pairs(
    column: Ints,
    low: Ints,
    high: Ints,
    k: int,
    size: int,
) -> Ints:
    """Pair each entry with those from `low` to `high`, and count how often each two words pair."""
    pairs = np.zeros(k * size * size, np.int64)
    for part in range(0, len(column), _ENTRIES_AT_A_TIME):
        here = slice(part, part + _ENTRIES_AT_A_TIME)
        count = high[here] - low[here]
        shift = low[here] - (np.cumsum(count) - count)
        other = np.arange(count.sum()) + np.repeat(shift, count)
        cell = np.repeat(column[here] * size, count) + column[other] % size
        pairs += np.bincount(cell, minlength=len(pairs))
    return pairs.reshape(k, size, size)

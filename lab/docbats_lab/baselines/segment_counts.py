"""Word counts of all segments of a document at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SegmentCounts:
    """The word counts of every segment of a document, without a table of them.

    Sort the occurrences of a word. Two of them that are `lag` apart lie in a segment with all
    between, so the segment holds ``n`` occurrences exactly when it holds ``n - lag`` such pairs.
    A sum over words of f(count) is therefore a sum over pairs of the second difference of f at
    their lag, which two running sums spread over all segments at once.

    Attributes
    ----------
    sizes
        Words in the segment from sentence i up to but without j, at [i, j].
    pair
        For each pair of occurrences of one word (a word pairs with itself, too), the sentences of
        its first and last as one index, first * sentences + last.
    lag
        For each pair, how many occurrences further the second is.
    """

    sizes: NDArray[np.int64]
    pair: NDArray[np.int64]
    lag: NDArray[np.int64]

    def sum_over_words(self, f: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum f[count] over the words of each segment; f[0] must be 0, f reach up to the size."""
        m = len(self.sizes) - 1
        weight = np.diff(np.diff(f), prepend=0.0)[self.lag]
        table = np.bincount(self.pair, weight, minlength=m * m).reshape(m, m)
        sums = np.zeros((m + 1, m + 1))
        sums[:m, 1:] = np.cumsum(np.cumsum(table[::-1], axis=0)[::-1], axis=1)
        return sums


def count_segments(sentences: Sequence[NDArray[np.int64]]) -> SegmentCounts:
    """Find all pairs of occurrences of one word, given each sentence's words as numbers."""
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    word = np.concatenate([*sentences, np.empty(0, np.int64)])
    order = np.argsort(word, kind="stable")
    word = word[order]
    place = np.repeat(np.arange(len(sentences)), lengths)[order]
    first = np.arange(len(word))
    pairs, lags = [place * (len(sentences) + 1)], [np.zeros(len(word), np.int64)]
    while first.size:
        lag = len(pairs)
        first = first[: np.searchsorted(first, len(word) - lag)]
        first = first[word[first] == word[first + lag]]
        pairs.append(place[first] * len(sentences) + place[first + lag])
        lags.append(np.full(len(first), lag))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    sizes = ends - ends[:, None]
    return SegmentCounts(sizes, np.concatenate(pairs), np.concatenate(lags))

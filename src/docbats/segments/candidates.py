"""Where segments of a long text may begin: a selection of places, the same for many k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.tables import windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["StartPlaces", "allowed_edges"]

_GAIN_BLOCKS = 1_536  # in whose neighbourhood a boundary is rated
_DECIMALS = 6  # to which ratings must differ for one to be the better, whatever the machine rounds
_LOOK_FIRST = 1e6  # times the log odds, so that no rating by words makes up for them
_SPREAD_SHARE = 0.7  # of the places that are looked for evenly; the others are the best of all
_NEIGHBOURS = 2  # places to either side that a place must surpass to be one of the best


def allowed_edges(cost: SegmentCost, m: int, k: int) -> Ints:
    """Return the edges between which segments may lie; all, if those are too few for k of them."""
    if cost.may_start is None or np.count_nonzero(cost.may_start[1:]) < k - 1:
        return np.arange(m + 1)
    return np.concatenate([[0], 1 + np.flatnonzero(cost.may_start[1:]), [m]])


@dataclass(frozen=True, eq=False)
class StartPlaces:
    """The places where a segment may begin, each rated twice.

    Attributes
    ----------
    edges
        The sentence at each place, and the number of sentences.
    by_look
        Higher where a segment likelier begins with the sentence by its look; of equals by the words
        around it. So few long segments begin.
    by_words
        Higher where the words around it and the look of the sentence speak for a boundary. So many
        short segments begin.
    """

    edges: Ints
    by_look: Floats
    by_words: Floats

    @classmethod
    def of(cls, cost: SegmentCost, edges: Ints) -> StartPlaces:
        """Rate the beginning of each block between these edges."""
        n = len(edges) - 1
        gains = cost.start_gains(edges, -(-n // _GAIN_BLOCKS))
        look = np.zeros(n) if cost.start_log_odds is None else cost.start_log_odds[edges[:-1]]
        words = look if gains is None else (look + gains).round(_DECIMALS)
        return cls(edges, _LOOK_FIRST * look + words, words)

    def __len__(self) -> int:
        """Return the number of places."""
        return len(self.edges) - 1

    def best(self, n: int) -> Ints:
        """Return up to n places: the best of each stretch of the text, and the best of all."""
        if n >= len(self):
            return np.arange(len(self))
        step = -(-2 * len(self) // int(_SPREAD_SHARE * n))
        ratings = (self.by_look, self.by_words)
        spread = np.unique(np.concatenate([[0], *(_best_of_each(r, step) for r in ratings)]))
        is_left = np.ones(len(self), np.bool_)
        is_left[spread] = False
        is_peak = _is_peak(self.by_words)
        best = np.lexsort((-self.by_words, ~is_peak, ~is_left))[: n - len(spread)]
        return np.union1d(spread, best)

    def best_near(self, places: Ints, reach: int, step: int) -> Ints:
        """Return those from `reach` before to `reach` after each place: the best of each `step`."""
        near = np.unique(np.add.outer(places, np.arange(-reach, reach + 1, step)))
        near = near[(near > 0) & (near < len(self))]
        if step == 1:
            return near
        within = np.minimum(np.add.outer(near, np.arange(step)), len(self) - 1)
        best = self.by_words[within].argmax(axis=1)
        return np.asarray(within[np.arange(len(near)), best])


def _best_of_each(rating: Floats, step: int) -> Ints:
    """Return the place of the highest rating in each stretch of `step` places."""
    padded = np.pad(rating, (0, -len(rating) % step), constant_values=-np.inf)
    best = padded.reshape(-1, step).argmax(axis=1)
    return np.asarray(np.arange(0, len(rating), step) + best)


def _is_peak(rating: Floats) -> Bools:
    """Whether each place is rated as high as its neighbours."""
    padded = np.pad(rating, _NEIGHBOURS, constant_values=-np.inf)
    highest = windows(padded, 2 * _NEIGHBOURS + 1).max(axis=1)
    return np.asarray(rating >= highest)

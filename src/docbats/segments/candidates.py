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
# Of the places that are asked for, how many are the best of a stretch, by look and by words, and
# how many sections there may be. What is left are the best of all by words.
_LOOK_SHARE, _WORDS_SHARE, _SECTION_SHARE = 0.75, 0.25, 0.25
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
    sections
        The places where sections of the author's begin.
    """

    edges: Ints
    by_look: Floats
    by_words: Floats
    sections: Ints

    @classmethod
    def of(cls, cost: SegmentCost, edges: Ints) -> StartPlaces:
        """Rate the beginning of each block between these edges."""
        n = len(edges) - 1
        gains = cost.start_gains(edges, -(-n // _GAIN_BLOCKS))
        look = np.zeros(n) if cost.start_log_odds is None else cost.start_log_odds[edges[:-1]]
        words = look if gains is None else (look + gains).round(_DECIMALS)
        sections = np.zeros(1) if cost.section_starts is None else cost.section_starts
        places = np.minimum(np.searchsorted(edges, sections), n - 1)
        return cls(edges, _LOOK_FIRST * look + words, words, places)

    def __len__(self) -> int:
        """Return the number of places."""
        return len(self.edges) - 1

    def best(self, n: int) -> Ints:
        """Return up to n places: the best of each stretch of the text, and the best of all."""
        if n >= len(self):
            return np.arange(len(self))
        look = _best_of_stretches(self.by_look, int(_LOOK_SHARE * n))
        words = _best_of_stretches(self.by_words, int(_WORDS_SHARE * n))
        chosen = np.zeros(len(self), np.bool_)
        chosen[0] = chosen[look] = chosen[words] = True
        if len(self.sections) <= _SECTION_SHARE * n:
            chosen[self.sections] = True
        n_left = max(0, n - np.count_nonzero(chosen))
        best = np.lexsort((-self.by_words, ~_is_peak(self.by_words), chosen))
        chosen[best[:n_left]] = True
        return np.flatnonzero(chosen)

    def best_near(self, places: Ints, reach: int, step: int) -> Ints:
        """Return those from `reach` before to `reach` after each place: the best of each `step`."""
        near = np.unique(np.add.outer(places, np.arange(-reach, reach + 1, step)))
        near = near[(near > 0) & (near < len(self))]
        if step == 1:
            return near
        within = np.minimum(np.add.outer(near, np.arange(step)), len(self) - 1)
        best = self.by_words[within].argmax(axis=1)
        return np.asarray(within[np.arange(len(near)), best])


def _best_of_stretches(rating: Floats, n: int) -> Ints:
    """Return the place of the highest rating in each of up to n stretches."""
    step = -(-len(rating) // max(1, n))
    padded = np.pad(rating, (0, -len(rating) % step), constant_values=-np.inf)
    best = padded.reshape(-1, step).argmax(axis=1)
    return np.asarray(np.arange(0, len(rating), step) + best)


def _is_peak(rating: Floats) -> Bools:
    """Whether each place is rated as high as its neighbours."""
    padded = np.pad(rating, _NEIGHBOURS, constant_values=-np.inf)
    highest = windows(padded, 2 * _NEIGHBOURS + 1).max(axis=1)
    return np.asarray(rating >= highest)

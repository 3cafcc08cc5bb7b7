"""What stands at a boundary: headings, paragraph breaks, changes of speaker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.breaks import NO_HEADING
from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.tables import at_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.breaks import Breaks
    from docbats.segments.cut_model import CutModel

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["BreakCost"]

_FORBIDDEN = 1e6  # more than any gain, so that k segments break no block if they need not
_SECTION = 1e4  # likewise: a top-level section of the author's begins here


class BreakCost(SegmentCost):
    """Minus the log odds that a segment begins at a break, by what stands there.

    Where no segment may begin, a boundary costs more than it can gain; where a top-level section of
    the author's begins, it gains more than any other. In between the odds of headings and paragraph
    breaks count in proportion to the words of a mean segment, as other expectations do.
    """

    penalty = 0.0

    def __init__(self, breaks: Breaks, odds: Floats, n_tokens: float, model: CutModel) -> None:
        self._breaks, self._odds = breaks, odds
        self._n_tokens, self._model = n_tokens, model
        self._always = np.where(breaks.may_start, 0.0, -_FORBIDDEN)
        sections = breaks.section_starts
        if len(sections) > 1:
            self._always[sections] = _SECTION
        strength = np.where(breaks.is_certain, model.heading, model.heading / 2)
        strength /= 1 + np.maximum(breaks.depth, 0)
        self.scaled_log_odds = odds + np.where(breaks.depth == NO_HEADING, 0.0, strength)
        self._always[0] = self.scaled_log_odds[0] = 0.0  # the text has to begin somehow
        self.start_log_odds = self._always + self.scaled_log_odds
        self.may_start = breaks.may_start
        self.section_starts = sections if len(sections) > 1 else None
        finer = breaks.subsection_starts
        self.subsection_starts = finer if len(finer) > len(sections) > 1 else None

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return minus the log odds of the first sentence of each segment."""
        width = min(width, len(edges) - 1)
        odds = self._always[edges[:-1]]
        if k is not None:
            scale = self._model.expectation_scale(self._n_tokens, k)
            odds = odds + scale * self.scaled_log_odds[edges[:-1]]
        odds[0] = 0.0
        return at_starts(np.concatenate([np.zeros(width - 1), -odds, [0]]), width).copy()

    def between(self, first: int, end: int) -> BreakCost:
        """Return the same for these sentences, with the words of the whole in proportion."""
        share = (end - first) / len(self._breaks)
        breaks = self._breaks.between(first, end)
        return BreakCost(breaks, self._odds[first:end], share * self._n_tokens, self._model)

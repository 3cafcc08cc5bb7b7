"""What is expected of segments before their words are read: their lengths and how they begin.

The likelihood takes words for independent, which they are not: it is too sure of itself, the more
so the more words a segment has. So these expectations count in proportion to the words of a mean
segment. They only speak where the number of segments is known, since they are relative to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.tables import at_starts, cumulative_sums, row_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.cut_model import CutModel
    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["LengthPrior", "OpeningCost"]


class LengthPrior(SegmentCost):
    """Lengths scatter around the mean by a factor, the first one around a share of the mean."""

    penalty = 0.0

    def __init__(self, evidence: Evidence, model: CutModel, n_tokens: float | None = None) -> None:
        self._evidence, self._model = evidence, model
        self._n_tokens = evidence.n_tokens if n_tokens is None else n_tokens

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the weighted squares of the log ratios of lengths to those expected."""
        costs = np.zeros((len(edges) - 1, min(width, len(edges) - 1)))
        if k is None:
            return costs
        model, width = self._model, costs.shape[1]
        words = np.add.reduceat(self._evidence.sizes, edges[:-1])
        ends, starts = cumulative_sums(words * (k / words.sum()), width)
        first = model.first_length * (np.log(ends[:, 0]) - np.log(model.first_share)) ** 2
        scale = model.expectation_scale(self._n_tokens, k)
        for rows, columns in row_groups(costs.shape):
            group = ends[rows] - starts[rows, columns]
            np.log(group, out=group)
            group *= group
            group *= model.length
            # The segments that begin with the text end with block 0, 1, ...
            whole = np.arange(rows.start, min(rows.stop, width))
            group[whole - rows.start, whole] = first[whole]
            np.multiply(group, scale, out=costs[rows, columns])
        return costs

    def between(self, first: int, end: int) -> LengthPrior:
        """Return the same for these sentences."""
        return LengthPrior(self._evidence.between(first, end), self._model)


class OpeningCost(SegmentCost):
    """Minus the log odds that a segment begins with its first sentence, by its look alone."""

    penalty = 0.0

    def __init__(self, evidence: Evidence, model: CutModel) -> None:
        self._evidence, self._model = evidence, model
        self.start_log_odds = evidence.start_log_odds

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return minus the log odds of the first sentence of each segment."""
        n_blocks = len(edges) - 1
        width = min(width, n_blocks)
        if k is None:
            return np.zeros((n_blocks, width))
        odds = self._evidence.start_log_odds[edges[:-1]]
        odds[0] = 0  # the text has to begin somehow
        odds *= -self._model.expectation_scale(self._evidence.n_tokens, k)
        return at_starts(np.concatenate([np.zeros(width - 1), odds, [0]]), width).copy()

    def between(self, first: int, end: int) -> OpeningCost:
        """Return the same for these sentences."""
        return OpeningCost(self._evidence.between(first, end), self._model)

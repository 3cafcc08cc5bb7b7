"""What is expected of segments before their words are read: their lengths and how they begin.

The likelihood takes words for independent, which they are not: it is too sure of itself, the more
so the more words a segment has. So these expectations count in proportion to the words of a mean
segment. They only speak where the number of segments is known, since they are relative to it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.tables import at_starts, cumulative_sums, row_groups
from docbats.segments.opening_odds import heads_what_follows, opening_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.cut_model import CutModel
    from docbats.segments.evidence import Evidence

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["LengthPrior", "OpeningCost"]


class LengthPrior(SegmentCost):
    """Lengths scatter around the mean by a factor, the first and last around shares of the mean."""

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
        scale = model.expectation_scale(self._n_tokens, k)
        for rows, columns in row_groups(costs.shape):
            group = ends[rows] - starts[rows, columns]
            np.log(group, out=group)
            group *= group
            np.multiply(group, scale * model.length, out=costs[rows, columns])
        last = np.log(np.maximum(ends[-1] - starts[-1], 1e-9))
        costs[-1] = scale * self._of_end(last, model.last_length, model.last_share)
        first = np.log(ends[:width, 0])
        # The segments that begin with the text end with block 0, 1, ...
        diagonal = np.arange(width)
        costs[diagonal, diagonal] = scale * self._of_end(
            first, model.first_length, model.first_share
        )
        return costs

    def _of_end(self, ratio: Floats, weight: float, share: float) -> Floats:
        """Return what the first or last segment costs: it is as long as others, or shorter."""
        model = self._model
        short = -weight * (ratio - np.log(share)) ** 2
        if model.short_ends == 1:
            return np.asarray(-short)
        usual = -model.length * ratio**2
        likelihood = model.short_ends * np.exp(short) + (1 - model.short_ends) * np.exp(usual)
        return np.asarray(-np.log(np.maximum(likelihood, 1e-300)))

    def between(self, first: int, end: int) -> LengthPrior:
        """Return the same for these sentences."""
        return LengthPrior(self._evidence.between(first, end), self._model)


class OpeningCost(SegmentCost):
    """Minus the log odds that a segment begins with its first sentence, by its look."""

    penalty = 0.0

    def __init__(self, evidence: Evidence, model: CutModel) -> None:
        self._evidence, self._model = evidence, model

    @cached_property
    def start_log_odds(self) -> Floats:  # type: ignore[override]
        """The log odds by the look of each sentence."""
        evidence, model = self._evidence, self._model
        odds = model.openings * (opening_features(evidence) @ model.opening_weights)
        odds[1:] -= odds[1:].mean() if len(odds) > 1 else 0.0
        return odds + model.heading * heads_what_follows(evidence)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return minus the log odds of the first sentence of each segment."""
        n_blocks = len(edges) - 1
        width = min(width, n_blocks)
        if k is None:
            return np.zeros((n_blocks, width))
        odds = self.start_log_odds[edges[:-1]]
        odds[0] = 0  # the text has to begin somehow
        odds *= -self._model.expectation_scale(self._evidence.n_tokens, k)
        return at_starts(np.concatenate([np.zeros(width - 1), odds, [0]]), width).copy()

    def between(self, first: int, end: int) -> OpeningCost:
        """Return the same for these sentences."""
        return OpeningCost(self._evidence.between(first, end), self._model)

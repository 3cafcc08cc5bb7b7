"""What a segment costs: one idea, shared by the cut, the choice of k, strengths and the outline."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.prepare import PreparedText
    from docbats.segments.k_model import KModel

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["SegmentCost", "SumOfCosts"]

_AFFORDABLE_CALLS = 200_000  # of `SegmentCost.cost`; more would take seconds
_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds


class SegmentCost(Protocol):
    """What runs of sentences cost as one segment; a cut makes the sum of its segments' costs least.

    For a cost of your own, derive a class from this one and give an instance as the setting `cut`.
    It needs :meth:`fit`, which looks at the document, and :meth:`cost`, or :meth:`table` where that
    is faster. The page "A cost of your own" has examples.

    Attributes
    ----------
    penalty
        What a boundary must gain to be drawn where k is not given; None where k must be given.
    start_log_odds
        For each sentence, the log odds that a segment begins with it; long texts, whose cut goes
        from coarse to fine, are first cut at the likeliest sentences. None where all are equal.
    may_start
        For each sentence, whether a segment should begin with it if there is a choice. None where
        any may.
    section_starts
        The sentences at which sections of the author's begin, 0 among them; None where they are not
        known.
    subsection_starts
        The same with the sections of the next level; None where there are none.
    k_model
        What is expected of the number of segments; None where the penalty alone decides.
    """

    penalty: float | None = None
    start_log_odds: Floats | None = None
    may_start: Bools | None = None
    section_starts: Ints | None = None
    subsection_starts: Ints | None = None
    k_model: KModel | None = None

    def fit(self, text: PreparedText) -> None:
        """Look at the document and keep what :meth:`cost` needs.

        It is called on a copy, so that one instance serves any number of documents.
        """
        return

    def cost(self, first: int, end: int) -> float:
        """Return what the sentences from `first` to before `end` cost as one segment."""
        msg = f"{type(self).__name__} must define cost(first, end) or table(edges, width, k)"
        raise NotImplementedError(msg)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of the segments of at most `width` blocks.

        Parameters
        ----------
        edges
            The first sentence of each block, and the number of sentences.
        width
            The most blocks of a segment.
        k
            Into how many segments the text is being cut; None where that is not known, so that
            expectations such as a mean length have to stay silent.

        Returns
        -------
        table
            In ``table[j, l]`` the cost of the l + 1 blocks of which block j is the last; what
            would begin before the text may hold any number. It has as many columns as `width`, or
            as there are blocks if these are fewer.
        """
        n_blocks = len(edges) - 1
        table = np.zeros((n_blocks, min(width, n_blocks)))
        sentences = edges.tolist()
        for j in range(n_blocks):
            for i in range(max(0, j - table.shape[1] + 1), j + 1):
                table[j, j - i] = self.cost(sentences[i], sentences[j + 1])
        return table

    def keep(self, edges: Ints, width: int) -> None:
        """Prepare for tables of these edges with one k after the other; nothing by default."""
        return

    def start_gains(self, units: Ints, block_size: int) -> Floats | None:
        """Return what a boundary before each unit gains; None by default, where that is not known.

        Parameters
        ----------
        units
            The first sentence of each unit, and the number of sentences.
        block_size
            Units of a block; a gain is that in the two blocks whose common edge is nearest.

        Returns
        -------
        gains
            In units of `start_log_odds`, to which they can be added.
        """
        return None

    def between(self, first: int, end: int) -> SegmentCost:
        """Return the cost of the sentences from `first` to before `end`, counted from 0."""
        return _Shifted(self, first, end)

    def affordable_cells(self, block_size: int) -> int:
        """Return how large a table of blocks of so many sentences may be to be worth its time."""
        is_slow = type(self).table is SegmentCost.table
        return _AFFORDABLE_CALLS if is_slow else _AFFORDABLE_CELLS


class SumOfCosts(SegmentCost):
    """Several costs, added up."""

    def __init__(self, costs: Sequence[SegmentCost]) -> None:
        self.costs = tuple(costs)
        penalties = [cost.penalty for cost in self.costs]
        known = [penalty for penalty in penalties if penalty is not None]
        self.penalty = sum(known) if len(known) == len(penalties) else None
        for cost in self.costs:
            if cost.may_start is not None:
                self.may_start = cost.may_start
            if cost.section_starts is not None:
                self.section_starts = cost.section_starts
            if cost.subsection_starts is not None:
                self.subsection_starts = cost.subsection_starts

    @cached_property
    def start_log_odds(self) -> Floats | None:  # type: ignore[override]
        """The sum of those that are known."""
        odds = [cost.start_log_odds for cost in self.costs if cost.start_log_odds is not None]
        return np.sum(odds, axis=0) if odds else None

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the sum of the tables."""
        first, *others = self.costs
        table = first.table(edges, width, k)
        for cost in others:
            table += cost.table(edges, width, k)
        return table

    def keep(self, edges: Ints, width: int) -> None:
        """Let each of the costs prepare for these edges."""
        for cost in self.costs:
            cost.keep(edges, width)

    def start_gains(self, units: Ints, block_size: int) -> Floats | None:
        """Return the sum of the gains that are known."""
        gains = [cost.start_gains(units, block_size) for cost in self.costs]
        known = [found for found in gains if found is not None]
        return np.sum(known, axis=0) if known else None

    def between(self, first: int, end: int) -> SegmentCost:
        """Return the sum of the costs between these sentences."""
        return SumOfCosts([cost.between(first, end) for cost in self.costs])

    def affordable_cells(self, block_size: int) -> int:
        """Return the least that any of the costs allows."""
        return min(cost.affordable_cells(block_size) for cost in self.costs)


class _Shifted(SegmentCost):
    """The cost of a part of the text, by that of the whole."""

    def __init__(self, whole: SegmentCost, first: int, end: int) -> None:
        self._whole, self._first = whole, first
        self.penalty = whole.penalty
        if whole.start_log_odds is not None:
            self.start_log_odds = whole.start_log_odds[first:end]
        if whole.may_start is not None:
            self.may_start = whole.may_start[first:end]
        self.section_starts = _starts_between(whole.section_starts, first, end)
        self.subsection_starts = _starts_between(whole.subsection_starts, first, end)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        return self._whole.table(edges + self._first, width, k)

    def between(self, first: int, end: int) -> SegmentCost:
        return self._whole.between(self._first + first, self._first + end)

    def affordable_cells(self, block_size: int) -> int:
        return self._whole.affordable_cells(block_size)


def _starts_between(starts: Ints | None, first: int, end: int) -> Ints | None:
    """Return the starts inside a part of the text, counted from its own; None without any."""
    if starts is None:
        return None
    places = np.asarray(starts, np.int64)
    inside = places[(first < places) & (places < end)] - first
    return np.append(0, inside) if len(inside) else None

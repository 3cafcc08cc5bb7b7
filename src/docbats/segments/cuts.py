"""The ways to cut a document into k segments, each with what it can do."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.costs.cost import SegmentCost
from docbats.segments.costs.likelihood import likelihood_cost
from docbats.segments.linkage import average_linkage_starts
from docbats.segments.measure import unit_name
from docbats.segments.search import best_starts
from docbats.spectrum import unit_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from docbats.analysis import Analysis
    from docbats.prepare import PreparedText
    from docbats.settings import Settings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["CUTS", "Cut", "find_cut"]


class Cut(Protocol):
    """A way to cut a document.

    Attributes
    ----------
    keeps_sizes
        Whether it can keep to `min_size` and `max_size`.
    uses_cost
        Whether it makes the cost of the segments least, and so rates its boundaries.
    uses_embeddings
        Whether `embeddings` make a difference.
    uses_word_classes
        Whether it needs to know nouns from verbs.
    needs_words
        Whether there is nothing to cut by where no word is kept.
    titles_by_phrases
        Whether segments are named by their phrases; if not, by their keywords.
    """

    keeps_sizes: bool
    uses_cost: bool
    uses_embeddings: bool
    uses_word_classes: bool
    needs_words: bool
    titles_by_phrases: bool

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        """Return what segments cost: for choosing k, strengths, the outline and the cut itself."""

    def starts(self, analysis: Analysis, k: int) -> Ints:
        """Return the first sentence of each of k segments."""


class _LinkageCut:
    """Average linkage of neighbouring sentences (eq. 14)."""

    keeps_sizes = uses_cost = uses_embeddings = uses_word_classes = titles_by_phrases = False
    needs_words = True

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        return likelihood_cost(text, settings)

    def starts(self, analysis: Analysis, k: int) -> Ints:
        return average_linkage_starts(unit_rows(analysis.spectrum_of(k).U), k)


class _LikelihoodCut:
    """The segments that explain their words best."""

    keeps_sizes = uses_cost = uses_embeddings = uses_word_classes = titles_by_phrases = True
    needs_words = True

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        return likelihood_cost(text, settings)

    def starts(self, analysis: Analysis, k: int) -> Ints:
        cost, n_sentences, limits = analysis.cost, len(analysis.text), analysis.limits
        if limits is None:
            starts = best_starts(cost, n_sentences, k)
        else:
            starts = limits.keep_within(lambda kept: best_starts(cost, n_sentences, k, kept))
        if starts is None:
            settings = analysis.settings
            msg = (
                f"k={k} segments of at most {settings.max_size} {unit_name(settings.size_unit)} "
                "cannot hold this text: give a larger k or max_size, or leave k out"
            )
            raise SettingsError(msg)
        return np.array(starts, np.int64)


@dataclass(frozen=True)
class _OwnCostCut(_LikelihoodCut):
    """The segments of the least cost by a class of the user's own."""

    own: SegmentCost

    uses_embeddings = needs_words = False

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:  # noqa: ARG002
        fitted = copy.copy(self.own)
        fitted.fit(text)
        return _Checked(fitted)


class _Checked(SegmentCost):
    """A cost of the user's own, whose tables are checked."""

    def __init__(self, own: SegmentCost) -> None:
        self._own = own
        self.penalty = own.penalty
        self.start_log_odds = own.start_log_odds

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        shape = (len(edges) - 1, min(width, len(edges) - 1))
        table = np.array(self._own.table(edges, width, k), float)
        name = type(self._own).__name__
        if table.shape != shape:
            msg = f"{name}.table must return an array of shape {shape}, got {table.shape}"
            raise SettingsError(msg)
        if not np.isfinite(np.tril(table)).all():
            msg = f"{name} must return finite costs, got {table[~np.isfinite(table)][0]}"
            raise SettingsError(msg)
        return table

    def between(self, first: int, end: int) -> SegmentCost:
        return _Checked(self._own.between(first, end))

    def affordable_cells(self, block_size: int) -> int:
        return self._own.affordable_cells(block_size)


CUTS: Mapping[str, Cut] = MappingProxyType(
    {"likelihood": _LikelihoodCut(), "linkage": _LinkageCut()}
)
"""The ways to cut, by the name that the setting `cut` gives them."""


def find_cut(cut: str | SegmentCost) -> Cut:
    """Return the way to cut of this name, or the one that makes a cost of the user's own least."""
    return CUTS[cut] if isinstance(cut, str) else _OwnCostCut(cut)

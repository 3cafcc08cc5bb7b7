"""One document cut into one number of segments after another."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.search import allowed_edges, best_starts

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.segments.costs import SegmentCost

_KEPT_CELLS = 2_000_000  # of one table for every k; in longer texts the cut keeps its own


def cutter(cost: SegmentCost, n_sentences: int) -> Callable[[int], list[int]]:
    """Return what finds the first sentences of the best k segments; of all if there are fewer."""
    edges = np.array(allowed_edges(cost, n_sentences, 1))
    if len(edges) ** 2 <= _KEPT_CELLS:
        cost.keep(edges, len(edges))

    @cache
    def cut(k: int) -> list[int]:
        return best_starts(cost, n_sentences, min(k, n_sentences)) or [0]

    return cut

"""How sharp boundaries are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.search import boundary_gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.segments.costs.cost import SegmentCost

__all__ = ["boundary_strengths"]


def boundary_strengths(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> list[float] | None:
    """Rate each boundary from 0 to 1; at 0.5 it gains as much as the penalty asks for.

    None where the cost has no penalty to compare with.
    """
    if cost.penalty is None:
        return None
    gains = np.maximum(boundary_gains(cost, n_sentences, starts), 0)
    strengths: list[float] = (gains / np.maximum(gains + cost.penalty, 1e-300)).tolist()
    return strengths

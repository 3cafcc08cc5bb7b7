"""Words ranked by weight, for the methods whose topics are rows of weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.lab.method_types import Topics

__all__ = ["rank_words"]

_SAME = 9  # decimals, of the topic's largest weight, to which two weights must differ


def rank_words(weights: NDArray[np.float64], words: Sequence[str]) -> Topics:
    """Turn topics by words into the words of each topic, best first.

    Words of no weight, and topics of none, are left out. Of equal weights the word that the text
    used first goes first, so that the last bits of a sum decide nothing.
    """
    topics = []
    for row in weights:
        largest = row.max(initial=0.0)
        if largest > 0:
            row = (row / largest).round(_SAME)  # noqa: PLW2901  (the same row on another scale)
            order = np.argsort(-row, kind="stable")[: np.count_nonzero(row > 0)]
            topics.append([words[i] for i in order.tolist()])
    return topics

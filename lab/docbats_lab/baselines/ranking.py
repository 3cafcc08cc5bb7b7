"""Words ranked by weight, for the methods whose topics are rows of weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.method_types import Topics

_DECIMALS = 9  # of a weight over the topic's largest; fewer would make more weights equal


def rank_words(weights: NDArray[np.float64], words: Sequence[str]) -> Topics:
    """Return the words of each topic, best first, from weights of topics by words.

    Words without weight, and topics without any other, are left out. Of equal weights the word that
    the text used first goes first, so that the last bits of a sum decide nothing.
    """
    topics = []
    for row in weights:
        largest = row.max(initial=0.0)
        if largest > 0:
            row = (row / largest).round(_DECIMALS)  # noqa: PLW2901  (the same row on another scale)
            order = np.argsort(-row, kind="stable")[: np.count_nonzero(row > 0)]
            topics.append([words[i] for i in order.tolist()])
    return topics

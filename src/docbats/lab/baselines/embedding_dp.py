"""MiniLM DP: sentence vectors cut where the sums of the segments' vectors are longest.

A. A. Alemi and P. Ginsparg, "Text Segmentation based on Semantic Word Embeddings", 2015
(arXiv:1503.05543), on sentence vectors in place of word vectors: a segment is worth the length of
the sum of its vectors, which is largest where they point the same way, and the best cut into k
segments is found exactly by dynamic programming. The strongest opponent with a pretrained model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.lab.baselines import minilm
from docbats.lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.lab.preparation import Prepared

__all__ = ["METHOD", "best_starts", "cut"]


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut into k segments."""
    vectors = minilm.encode(prepared.sentences)
    return best_starts(vectors, min(k, len(vectors)))


def best_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Maximise the sum over k segments of ‖sum of the segment's rows‖; give the first rows.

    Of equally good cuts the one whose last boundaries come first in the text is taken.
    """
    m = len(vectors)
    worth = _lengths_of_sums(vectors)
    best = worth[0]  # of the rows before b, cut into as many segments as there were rounds
    choices = []
    for _ in range(k - 1):
        totals = best[:, None] + worth
        choices.append(totals.argmax(axis=0))
        best = totals.max(axis=0)
    starts, end = [], m
    for choice in reversed(choices):
        end = int(choice[end])
        starts.append(end)
    return [0, *reversed(starts)]


def _lengths_of_sums(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the length of the sum of rows a to b - 1 at [a, b]; minus infinity where b <= a."""
    sums = np.vstack([np.zeros(vectors.shape[1]), vectors.cumsum(axis=0)])
    products = sums @ sums.T
    squares = products.diagonal()
    # Rounding may leave a little less than nothing where the sum is nothing.
    lengths = np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))
    return np.where(np.tri(len(sums), dtype=bool), -np.inf, lengths)


METHOD = Segmenter(
    "MiniLM DP",
    f"Alemi & Ginsparg 2015, on vectors of {minilm.CITATION}",
    cut,
    parameters={"encoder": "all-MiniLM-L6-v2", "objective": "sum of segment norms"},
    extra="neural",
)

"""MiniLM DP: sentence vectors cut where the sums of the segments' vectors are longest.

A. A. Alemi and P. Ginsparg, "Text Segmentation based on Semantic Word Embeddings", 2015
(arXiv:1503.05543), on sentence vectors in place of word vectors: a segment is worth the length of
the sum of its vectors, which is largest where they point the same way, and the best cut into k
segments is found exactly by dynamic programming. The strongest competitor with a pretrained model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines import minilm
from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut into k segments."""
    vectors = minilm.encode(prepared.sentences)
    return best_starts(vectors, k)


def best_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Return the first rows of the k segments whose sums of rows are longest in total."""
    return cut_into_k(-_lengths_of_sums(vectors), k)


def _lengths_of_sums(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of the sum of rows a to b - 1 at [a, b], for a < b."""
    sums = np.vstack([np.zeros(vectors.shape[1]), vectors.cumsum(axis=0)])
    products = sums @ sums.T
    squares = products.diagonal()
    # Rounding may leave a little less than zero where the sum is zero.
    lengths: NDArray[np.float64] = np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))
    return lengths


METHOD = Segmenter(
    "MiniLM DP",
    f"Alemi & Ginsparg 2015, on vectors of {minilm.CITATION}",
    cut,
    parameters={"encoder": "all-MiniLM-L6-v2", "objective": "sum of segment norms"},
    extra="neural",
)

"""How well the vectors of a segment's sentences point the same way."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.costs.cost import SegmentCost
from docbats.spectrum import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.settings import Embeddings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["VectorCost", "embed", "embed_by_words"]

_ROWS_AT_A_TIME = 256  # of a table; more take more memory
_PENALTY_SCALE = 2.5  # times what a boundary gains by chance; larger: fewer segments
_MIN_COSINE = 0.01  # of neighbours; less than any sentence encoder has


def embed(embeddings: Embeddings, texts: Sequence[str]) -> Floats:
    """Return the vectors of texts, each scaled to length 1."""
    vectors = np.asarray(embeddings(list(texts)), float)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        msg = (
            f"embeddings must return one row of finite numbers for each of {len(texts)} texts, got "
            f"an array of shape {vectors.shape}"
        )
        raise SettingsError(msg)
    return unit_rows(vectors)


def embed_by_words(
    embeddings: Embeddings,
    words: Sequence[str],
    word: NDArray[np.int64],
    sentence: NDArray[np.int64],
    n_sentences: int,
) -> Floats:
    """Return for each sentence the sum of the vectors of its words, scaled to length 1.

    `word` and `sentence` hold the word and the sentence of each occurrence.
    """
    vectors = embed(embeddings, words)
    sums = np.zeros((n_sentences, vectors.shape[1]))
    np.add.at(sums, sentence, vectors[word])
    return unit_rows(sums)


class VectorCost(SegmentCost):
    """Minus the length of the sum of each segment's vectors, which are of length 1.

    The closer they point the same way, the longer their sum is.

    Vectors that scatter by chance around one direction gain by every boundary, too: where they have
    the cosine c to it, a sum of n of them is about (1 - c^2) / 2c longer than n c, so that two sums
    are longer than one by as much. What a boundary must gain is a multiple of that; c^2 is taken
    from the cosines of neighbours, most of which are in one segment.
    """

    def __init__(self, vectors: Floats, weight: float) -> None:
        self._vectors, self._weight = vectors, weight
        cosines = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
        square = min(max(float(cosines.mean()), _MIN_COSINE), 1.0) if len(cosines) else 1.0
        self.penalty = _PENALTY_SCALE * weight * (1 - square) / (2 * sqrt(square))

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of all segments; see :meth:`SegmentCost.table`."""
        vectors, n_blocks = self._vectors, len(edges) - 1
        width = min(width, n_blocks)
        upto = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])[edges]
        squares = (upto**2).sum(axis=1)
        costs = np.empty((n_blocks, width))
        for low in range(0, n_blocks, _ROWS_AT_A_TIME):
            ends = np.arange(low, min(low + _ROWS_AT_A_TIME, n_blocks))
            base = max(0, low - width + 1)
            products = upto[ends + 1] @ upto[base : ends[-1] + 1].T
            starts = np.maximum(ends[:, None] - np.arange(width), 0)
            inner = np.take_along_axis(products, np.maximum(starts - base, 0), axis=1)
            lengths = squares[ends + 1, None] + squares[starts] - 2 * inner
            costs[ends] = -self._weight * np.sqrt(np.maximum(lengths, 0))
        return costs

    def between(self, first: int, end: int) -> VectorCost:
        """Return the same for these sentences."""
        return VectorCost(self._vectors[first:end], self._weight)

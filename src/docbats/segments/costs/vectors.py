"""Vectors of sentences as evidence: how well those of a segment point the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import SettingsError
from docbats.spectrum import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.settings import Embeddings

    Floats = NDArray[np.float64]

__all__ = ["embed", "embed_by_words", "vector_costs"]

_ROWS = 256  # of a table filled at a time


def embed(embeddings: Embeddings, texts: Sequence[str]) -> Floats:
    """Ask for the vectors of texts; each is scaled to length 1."""
    vectors = np.asarray(embeddings(list(texts)), float)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        msg = (
            f"the embeddings of {len(texts)} texts came back with the shape {vectors.shape}, or "
            "with numbers that are none: they must be one row of finite numbers for each text"
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
    """Make the vector of a sentence from those of its words, given as a word and its sentence."""
    vectors = embed(embeddings, words)
    sums = np.zeros((n_sentences, vectors.shape[1]))
    np.add.at(sums, sentence, vectors[word])
    return unit_rows(sums)


def vector_costs(vectors: Floats, edges: NDArray[np.int64], width: int) -> Floats:
    """Minus the length of the sum of each segment's vectors; laid out as other costs are.

    The closer they point the same way, the longer their sum is.
    """
    n_blocks = len(edges) - 1
    width = min(width, n_blocks)
    upto = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])[edges]
    squares = (upto**2).sum(axis=1)
    costs = np.empty((n_blocks, width))
    for low in range(0, n_blocks, _ROWS):
        ends = np.arange(low, min(low + _ROWS, n_blocks))
        base = max(0, low - width + 1)
        products = upto[ends + 1] @ upto[base : ends[-1] + 1].T
        starts = np.maximum(ends[:, None] - np.arange(width), 0)
        inner = np.take_along_axis(products, np.maximum(starts - base, 0), axis=1)
        lengths = squares[ends + 1, None] + squares[starts] - 2 * inner
        costs[ends] = -np.sqrt(np.maximum(lengths, 0))
    return costs

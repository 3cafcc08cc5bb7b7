"""The distances between the sentences of a document, as in the paper's figure 3."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.spectrum import unit_rows
from docbats.threads import single_blas_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.result import Result

__all__ = ["DistanceMatrix", "find_distances"]

_MAX_BINS = 150  # rows of the matrix; with more the page gets larger
_MAX_DISTANCE = 2.0  # between two unit vectors


@dataclass(frozen=True, eq=False)
class DistanceMatrix:
    """Distances between sentences, or between bins of sentences.

    Attributes
    ----------
    edges
        The first sentence of each bin, and the number of sentences.
    values
        Root mean square distances between the unit vectors of two bins' sentences, 0 to 2.
    """

    edges: list[int]
    values: NDArray[np.float64]

    @property
    def encoded(self) -> str:
        """The lower triangle, row by row, a byte a value, 255 for a distance of 2; in base64."""
        levels = np.clip(np.round(self.values * (255 / _MAX_DISTANCE)), 0, 255).astype(np.uint8)
        return base64.b64encode(levels[np.tril_indices(len(levels))].tobytes()).decode()

    def means(self, starts: list[int]) -> tuple[float, float | None]:
        """Return the mean within the segments that begin at these sentences, and across them."""
        segment = np.searchsorted(starts, self.edges[:-1], side="right")
        inside = segment[:, None] == segment
        across = self.values[~inside]
        return float(self.values[inside].mean()), float(across.mean()) if across.size else None


def find_distances(result: Result) -> DistanceMatrix:
    """Compare the sentence vectors of eq. 5; for unit rows sums are all that it takes."""
    m = len(result.document)
    with single_blas_thread():
        U = unit_rows(result.analysis.spectrum.U)
        edges = np.linspace(0, m, min(m, _MAX_BINS) + 1).round().astype(int)
        size = np.diff(edges)
        mean = np.add.reduceat(U, edges[:-1]) / size[:, None]
        square = np.add.reduceat((U**2).sum(axis=1), edges[:-1]) / size
        squares = square[:, None] + square - 2 * mean @ mean.T
    return DistanceMatrix(edges.tolist(), np.sqrt(np.maximum(squares.round(9), 0)))

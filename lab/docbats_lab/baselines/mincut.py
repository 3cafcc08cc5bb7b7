"""Minimum-cut segmentation of a graph of sentences.

I. Malioutov & R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", COLING-ACL 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

# The configuration for lectures that comes with the original program has these values; the unit in
# which it counts chunks is not documented.
_ALPHA = 1.1
_CHUNKS = 15
# That configuration has 5 and 95. The paper leaves both open; these did better on the first 113
# documents of Textbook (Pk .338 against .399).
_HORIZON = 2
_CUTOFF = 200


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut the graph of the sentences into k runs of sentences."""
    counts = np.zeros((len(prepared.sentences), prepared.content_size))
    for row, ids in zip(counts, prepared.content, strict=True):
        np.add.at(row, ids, 1)
    return cut_into_k(normalized_cuts(similarity_graph(counts)), k)


def similarity_graph(
    counts: NDArray[np.float64],
    alpha: float = _ALPHA,
    horizon: int = _HORIZON,
    chunks: int = _CHUNKS,
    cutoff: int = _CUTOFF,
) -> NDArray[np.float64]:
    """Weigh the edge of every two sentences by e to the cosine of their words.

    A sentence also gets the words of the `horizon` sentences after it, those of the j-th times
    e^(-alpha j). Words weigh by their idf over `chunks` equal parts of the document. Sentences
    further apart than `cutoff` have no edge, nor do sentences without a common word: e^0 for each
    of these many pairs would hide what the others say (first 113 documents of Textbook: Pk .338
    without these edges, .393 with them).
    """
    m = len(counts)
    chunks = min(chunks, m)
    in_chunk = np.add.reduceat(counts, np.arange(chunks) * m // chunks) > 0
    idf = np.log(chunks / np.maximum(in_chunk.sum(0), 1))
    words = counts.copy()
    for j in range(1, min(horizon, m - 1) + 1):
        words[:-j] += np.exp(-alpha * j) * counts[j:]
    words *= idf
    length = np.linalg.norm(words, axis=1, keepdims=True)
    words /= np.where(length > 0, length, 1)
    cosine = words @ words.T
    place = np.arange(m)
    near = np.abs(place[:, None] - place) <= cutoff
    return np.where(near & (cosine > 0), np.exp(cosine), 0)


def normalized_cuts(graph: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return cut(A, V - A) / vol(A) for each run A of the sentences i to j - 1, at [i, j].

    It is infinite where i >= j. A run without any edge costs as much as one that has edges to
    other sentences only.
    """
    m = len(graph)
    corner = np.zeros((m + 1, m + 1))
    corner[1:, 1:] = graph.cumsum(0).cumsum(1)
    diagonal = corner.diagonal()
    inside = diagonal[:, None] + diagonal - 2 * corner
    volume = corner[-1] - corner[-1][:, None]
    runs = np.triu(np.ones((m + 1, m + 1), np.bool_), 1)
    share = np.divide(inside, volume, out=np.zeros_like(inside), where=runs & (volume > 0))
    return np.where(runs, 1 - share, np.inf)


METHOD = Segmenter(
    "MinCut (k)",
    "Malioutov & Barzilay 2006, COLING-ACL",
    cut,
    parameters={"alpha": _ALPHA, "horizon": _HORIZON, "chunks": _CHUNKS, "cutoff": _CUTOFF},
)

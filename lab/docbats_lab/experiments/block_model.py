"""Figure 2: the spectrum recovers blocks of words whose neighbourhoods are too sparse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.matrix import laplacian, leading_singular_vectors, unit_rows
from docbats_lab.plots import plot_panels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request

SENTENCES, WORDS, BLOCKS = 2000, 5000, 4
WITHIN, ACROSS = 0.02, 0.003
_SAMPLE = 20  # every 20th word is drawn


def run(request: Request) -> None:
    """Draw a stochastic co-block model, its singular values, and words by both views."""
    folder = request.output / "block-model"
    folder.mkdir(parents=True, exist_ok=True)
    words = np.arange(WORDS) * BLOCKS // WORDS
    sentences = np.arange(SENTENCES) * BLOCKS // SENTENCES
    odds = np.where(sentences[:, None] == words, WITHIN, ACROSS)
    graph = sparse.csr_array((np.random.default_rng(request.seed).random(odds.shape) < odds) * 1.0)
    spectrum = leading_singular_vectors(laplacian(graph), 10, request.seed)
    sample = np.arange(0, WORDS, _SAMPLE)
    with plot_panels(folder / "figure.png", panels=3) as (values, distances, vectors):
        values.plot(range(1, 11), spectrum.sigma, "o-")
        values.set_title("(a) ten largest singular values")
        distances.imshow(_jaccard_distances(graph[:, sample]), cmap="viridis", vmin=0.8)
        distances.set_title("(b) Jaccard distances of words")
        rows = unit_rows(spectrum.V[:, :BLOCKS])[sample]
        vectors.scatter(rows[:, 1], rows[:, 2], c=words[sample], cmap="tab10", s=8)
        vectors.set_title("(c) words by two singular vectors")
    facts = {
        "command": "docbats lab run block-model",
        "seed": request.seed,
        "sentences": SENTENCES,
        "words": WORDS,
        "blocks": BLOCKS,
        "within": WITHIN,
        "across": ACROSS,
        "sparsity": round(100 * (1 - graph.nnz / (SENTENCES * WORDS)), 3),
        "singular_values": [round(float(value), 4) for value in spectrum.sigma],
    }
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _jaccard_distances(neighbours: sparse.csr_array) -> NDArray[np.float64]:
    shared = (neighbours.T @ neighbours).toarray()
    degree = neighbours.sum(axis=0)
    distances: NDArray[np.float64] = 1 - shared / np.maximum(degree[:, None] + degree - shared, 1)
    return distances

"""Figure 2: the spectrum recovers blocks of words whose neighborhoods are too sparse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.matrix import laplacian, leading_singular_vectors, unit_rows
from docbats_lab.report.tables import copy_picture, plot_panels
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request

SENTENCES, WORDS, BLOCKS = 2000, 5000, 4
WITHIN, ACROSS = 0.02, 0.003
_SAMPLE = 20  # every 20th word is plotted


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
    write_facts(folder, facts)


def _jaccard_distances(neighbors: sparse.csr_array) -> NDArray[np.float64]:
    shared = (neighbors.T @ neighbors).toarray()
    degree = neighbors.sum(axis=0)
    distances: NDArray[np.float64] = 1 - shared / np.maximum(degree[:, None] + degree - shared, 1)
    return distances


def page(folder: Path, pages: Path) -> Iterator[str]:
    """Show the picture with what it is drawn from."""
    facts = read_facts(folder)
    copy_picture(folder / "figure.png", pages / "block-model.png")
    yield (
        f"{facts['sentences']} sentences and {facts['words']} words in {facts['blocks']} blocks; a "
        f"sentence contains a word of its block with probability {facts['within']}, any other word "
        f"with {facts['across']}: {facts['sparsity']} % zeros.\n\n"
        "![Singular values, Jaccard distances, and words by singular vectors](block-model.png)\n\n"
        f"The ten largest singular values: {', '.join(map(str, facts['singular_values']))}. Four "
        "stand out, one for each block. Neighborhoods show the blocks only faintly; the vectors "
        "separate them.\n"
    )

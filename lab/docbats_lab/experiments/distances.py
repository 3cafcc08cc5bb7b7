"""Figure 3: distances between the sentences of two documents, over the window w and the decay d."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.pipeline import analyze
from docbats_lab.experiments.request import evenly_spaced, load_documents
from docbats_lab.report.tables import copy_picture, plot_panels
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

# As in the paper: w varies at d = 0.7, then d at w = 3.
GRID = [(0, 0.7), (1, 0.7), (3, 0.7), (5, 0.7), (3, 0.9), (3, 0.7), (3, 0.5), (3, 0.3)]


def run(request: Request) -> None:
    """Draw the heatmaps of two documents of Introductions."""
    folder = request.output / "distances"
    folder.mkdir(parents=True, exist_ok=True)
    documents = evenly_spaced(load_documents(request.data, "introductions"), 2)
    for number, document in enumerate(documents, start=1):
        with plot_panels(folder / f"document-{number}.png", panels=len(GRID), columns=4) as panels:
            for panel, (w, d) in zip(panels, GRID, strict=True):
                panel.imshow(_distances(document, w, d), cmap="viridis")
                panel.set_title(f"w = {w}, d = {d}")
    facts = {
        "command": "docbats lab run distances",
        "documents": [
            {"name": d.name, "segments": [len(segment) for segment in d.segments]}
            for d in documents
        ],
    }
    write_facts(folder, facts)


def _distances(document: SegmentedDocument, w: int, d: float) -> NDArray[np.float64]:
    """Return the Euclidean distances between the unit sentence vectors."""
    k = len(document.segments)
    result = analyze(document.sentences, k=k, preset="paper", window=w, decay=d, vectors=True)
    if result.vectors is None:
        msg = "the result has no vectors although they were requested"
        raise RuntimeError(msg)
    U = result.vectors.sentences
    distances: NDArray[np.float64] = np.sqrt(((U[:, None] - U) ** 2).sum(axis=2))
    return distances


def page(folder: Path, pages: Path) -> Iterator[str]:
    """Show the picture of each document."""
    for index, document in enumerate(read_facts(folder)["documents"], start=1):
        picture = f"distances-{index}.png"
        copy_picture(folder / f"document-{index}.png", pages / picture)
        yield (
            f"\n## {document['name']}\n\nTrue segments of {document['segments']} sentences.\n\n"
            f"![Distances between sentences over w and d]({picture})\n"
        )

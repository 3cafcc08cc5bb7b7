"""Figures 6 and 7: PMI and WindowDiff over the window w and the decay d of bonding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.experiments.scorers import run_settings
from docbats_lab.report.tables import format_number, markdown_table, plot_panels
from docbats_lab.results import read_rows
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request

DATASETS = ("introductions", "lectures", "textbook")
WINDOWS = (0, 1, 3, 5, 7)
DECAYS = (0.3, 0.5, 0.7, 0.9)


def variant(window: int, decay: float) -> str:
    """Return the name of a point of the grid."""
    return f"w={window} d={decay}"


def run(request: Request) -> None:
    """Score topics and segments at every point of the grid."""
    grid = {variant(w, d): {"window": w, "decay": d} for w in WINDOWS for d in DECAYS}
    run_settings(request, "parameters", DATASETS, grid)


def page(folder: Path, pages: Path) -> Iterator[str]:
    """Draw a heatmap of each score, and write its values."""
    yield "The paper finds the best values at w = 3 or 5 and d = 0.7.\n"
    for score, title, better in (("pmi", "PMI", "higher"), ("wd", "WindowDiff", "lower")):
        grids = {dataset: _read_grid(folder / dataset, score) for dataset in DATASETS}
        picture = pages / f"parameters-{score}.png"
        _draw(grids, picture)
        yield f"\n## {title} ({better} is better)\n\n![{title} by w and d]({picture.name})\n"
        for dataset, grid in grids.items():
            yield f"\n{dataset.capitalize()}:\n"
            yield markdown_table(
                ["w", *(f"d = {d}" for d in DECAYS)],
                [
                    [str(w), *(format_number(None if np.isnan(v) else v) for v in row)]
                    for w, row in zip(WINDOWS, grid.tolist(), strict=True)
                ],
            )


def _read_grid(folder: Path, score: str) -> NDArray[np.float64]:
    """Return the mean score by window and decay; nan where there is none."""
    grid = np.full((len(WINDOWS), len(DECAYS)), np.nan)
    for i, w in enumerate(WINDOWS):
        for j, d in enumerate(DECAYS):
            summary = summarize_score(read_rows(folder, variant(w, d)), score)
            if summary:
                grid[i, j] = summary.mean
    return grid


def _draw(grids: Mapping[str, NDArray[np.float64]], picture: Path) -> None:
    with plot_panels(picture, panels=len(grids)) as panels:
        for panel, (dataset, grid) in zip(panels, grids.items(), strict=True):
            panel.imshow(grid, cmap="viridis", aspect="auto")
            panel.set_title(dataset)
            panel.set_xticks(range(len(DECAYS)), map(str, DECAYS))
            panel.set_yticks(range(len(WINDOWS)), map(str, WINDOWS))
            panel.set_xlabel("d")
            panel.set_ylabel("w")

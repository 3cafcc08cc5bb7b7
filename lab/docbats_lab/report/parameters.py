"""The page of figures 6 and 7: PMI and WindowDiff by w and d."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.experiments.parameters import DATASETS, DECAYS, WINDOWS, variant
from docbats_lab.plots import plot_panels
from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.row_files import read_rows
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray


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

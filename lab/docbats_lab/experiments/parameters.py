"""Figures 6 and 7: PMI and WindowDiff over the window w and the decay d of bonding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import SettingsScorer, count_words

if TYPE_CHECKING:
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
    run_scored(
        request,
        "parameters",
        DATASETS,
        list(grid),
        lambda _, documents: SettingsScorer(grid, count_words(documents), request.seed),
    )

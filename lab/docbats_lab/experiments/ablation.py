"""Table 7: what each part of the method is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import SettingsScorer, count_words

if TYPE_CHECKING:
    from docbats_lab.experiments.request import Request

DATASETS = ("textbook", "lectures", "introductions")
ABLATIONS: dict[str, dict[str, Any]] = {
    "BATS - SPEECH": {"award": 0},
    "BATS - FREQUENCY": {"min_sentences": 1},
    "BATS - REGULARIZATION": {"laplacian": "plain"},
    "BATS - BONDING": {"decay": 0},
    "BATS - LAPLACIAN": {"laplacian": "none"},
    "BATS": {},
}


def run(request: Request) -> None:
    """Score topics and segments with each part left out."""
    run_scored(
        request,
        "ablation",
        DATASETS,
        list(ABLATIONS),
        lambda _, documents: SettingsScorer(ABLATIONS, count_words(documents), request.seed),
    )

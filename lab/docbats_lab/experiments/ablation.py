"""Table 7: what each part of the method is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats_lab.experiments.scorers import run_settings
from docbats_lab.report.tables import (
    dataset_heading,
    format_difference,
    markdown_table,
    mean_and_deviation_cell,
    paper_tables,
    score_label,
)
from docbats_lab.results import read_datasets
from docbats_lab.score_summary import paired_difference

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
_SCORES = ("pmi", "umass", "pk", "wd")


def run(request: Request) -> None:
    """Score topics and segments with each part left out."""
    run_settings(request, "ablation", DATASETS, ABLATIONS)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a table for each dataset."""
    yield "Each part of the method left out in turn; the paper's figures in brackets.\n"
    for dataset, found in read_datasets(folder, DATASETS, ABLATIONS).items():
        paper = paper_tables()["table7"][dataset]
        bats = found.get("BATS", {})
        body = []
        for name, rows in found.items():
            cells = [f"{mean_and_deviation_cell(rows, s)} ({paper[name][s][0]:g})" for s in _SCORES]
            body.append([name, *cells, format_difference(paired_difference(rows, bats, "pk"))])
        yield dataset_heading(dataset, found)
        yield markdown_table(["", *map(score_label, _SCORES), "Pk - BATS"], body)

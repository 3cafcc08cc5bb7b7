"""The page of table 7: ablation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.ablation import ABLATIONS, DATASETS
from docbats_lab.paper_tables import paper_tables
from docbats_lab.report.labels import dataset_heading, score_label
from docbats_lab.report.markdown_tables import (
    format_difference,
    format_mean_and_deviation,
    markdown_table,
)
from docbats_lab.report.stored_results import read_datasets
from docbats_lab.score_summary import paired_difference, summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SCORES = ("pmi", "umass", "pk", "wd")


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a table for each dataset."""
    yield "Each part of the method left out in turn; in brackets what the paper prints.\n"
    for dataset, found in read_datasets(folder, DATASETS, ABLATIONS).items():
        paper = paper_tables()["table7"][dataset]
        bats = found.get("BATS", {})
        body = []
        for name, rows in found.items():
            cells = [
                f"{format_mean_and_deviation(summarize_score(rows, s))} ({paper[name][s][0]:g})"
                for s in _SCORES
            ]
            body.append([name, *cells, format_difference(paired_difference(rows, bats, "pk"))])
        yield dataset_heading(dataset, found)
        yield markdown_table(["", *map(score_label, _SCORES), "Pk - BATS"], body)

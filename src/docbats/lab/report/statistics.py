"""The page of table 1: the datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.experiments.statistics import DATASETS, VARIANT
from docbats.lab.paper_tables import paper_tables
from docbats.lab.report.markdown_tables import format_mean, markdown_table
from docbats.lab.row_files import read_rows
from docbats.lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["page"]


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write the counts of all datasets."""
    yield "Means a document; in brackets what the paper prints.\n"
    paper = paper_tables()["table1"]
    columns = [column for column in paper[DATASETS[0]] if column != "documents"]
    body = []
    for dataset in DATASETS:
        rows = read_rows(folder / dataset, VARIANT)
        documents = f"{len(rows)} ({paper[dataset]['documents']:.0f})"
        means = [
            f"{format_mean(summarize_score(rows, c), 1)} ({paper[dataset][c]:g})" for c in columns
        ]
        body.append([dataset, documents, *means])
    yield markdown_table(["", "documents", *(column.replace("_", " ") for column in columns)], body)

"""The page of table 1: the datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.datasets import OTHER_DATASETS
from docbats_lab.experiments.statistics import DATASETS, VARIANT
from docbats_lab.paper_tables import paper_tables
from docbats_lab.report.markdown_tables import format_mean, markdown_table
from docbats_lab.row_files import read_rows
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write the counts of the paper's datasets beside its own, then those of the others."""
    yield "Means a document; in brackets what the paper prints.\n"
    paper = paper_tables()["table1"]
    columns = [column for column in paper[DATASETS[0]] if column != "documents"]
    heads = ["", "documents", *(column.replace("_", " ") for column in columns)]
    body = []
    for dataset in DATASETS:
        documents, *means = _cells(folder / dataset, columns)
        printed = [
            f"{mean} ({paper[dataset][c]:g})" for c, mean in zip(columns, means, strict=True)
        ]
        body.append([dataset, f"{documents} ({paper[dataset]['documents']:.0f})", *printed])
    yield markdown_table(heads, body)
    others = [[name, *_cells(folder / name, columns)] for name in OTHER_DATASETS]
    yield "\n## Other kinds of documents\n\nThe paper has none of these.\n"
    yield markdown_table(heads, others)


def _cells(folder: Path, columns: Sequence[str]) -> list[str]:
    """Return the number of documents, and the mean of each column."""
    rows = read_rows(folder, VARIANT)
    return [str(len(rows)), *(format_mean(summarize_score(rows, c), 1) for c in columns)]

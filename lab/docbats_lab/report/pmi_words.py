"""The page of table 2: PMI by the number of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.pmi_words import DATASETS, WORDS
from docbats_lab.paper_tables import paper_tables
from docbats_lab.report.markdown_tables import format_mean, format_number, markdown_table
from docbats_lab.row_files import read_rows
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a row for each number of words."""
    yield (
        "PMI of the paper preset by the number of words of each topic, counted over whole "
        "documents as printed, and over windows of 20 content words. Over documents it does not "
        "fall with the number of words as the paper's does; over windows it does.\n"
    )
    found = {dataset: read_rows(folder / dataset, "BATS") for dataset in DATASETS}
    body = []
    for words in WORDS:
        cells = []
        for dataset, rows in found.items():
            cells += [
                format_mean(summarize_score(rows, f"pmi_{words}"), 2),
                format_mean(summarize_score(rows, f"pmi_windows_{words}"), 2),
                format_number(paper_tables()["table2"][str(words)][dataset], 2),
            ]
        body.append([str(words), *cells])
    heads = [f"{d}: {h}" for d in DATASETS for h in ("documents", "windows", "paper")]
    yield markdown_table(["words", *heads], body)

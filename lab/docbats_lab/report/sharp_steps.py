"""The page of the parts of the preset sharp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.segmentation import DATASETS
from docbats_lab.experiments.sharp_steps import STEPS
from docbats_lab.report.markdown_tables import format_mean, markdown_table
from docbats_lab.report.stored_results import read_datasets
from docbats_lab.score_summary import paired_difference, summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_INTRODUCTION = (
    "Pk / WindowDiff at the true number of segments, lower is better, on documents that the "
    "settings were chosen on. A row with a minus leaves a part of the cut out, one with a plus "
    "adds what was tried and not kept. A star marks a significant difference to `sharp` in Pk, by "
    "a paired bootstrap interval of 95 %.\n"
)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write one table, a column for each dataset."""
    yield _INTRODUCTION
    found = read_datasets(folder, DATASETS, STEPS)
    heads = [f"{dataset.capitalize()} ({len(rows['sharp'])})" for dataset, rows in found.items()]
    body = []
    for step in STEPS:
        cells = []
        for rows in found.values():
            difference = paired_difference(rows[step], rows["sharp"], "pk")
            star = " *" if difference is not None and difference.sign else ""
            scores = " / ".join(
                format_mean(summarize_score(rows[step], score)) for score in ("pk", "wd")
            )
            cells.append(scores + star)
        body.append([step, *cells])
    yield markdown_table(["", *heads], body)

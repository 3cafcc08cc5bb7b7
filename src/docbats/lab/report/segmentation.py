"""The page of table 4: segmentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.lab.experiments.segmentation import DATASETS
from docbats.lab.method_registry import SEGMENTERS
from docbats.lab.paper_tables import paper_tables
from docbats.lab.report.comparison import (
    compare_with_docbats,
    differences_table,
    docbats_counterpart,
    list_methods_ahead,
)
from docbats.lab.report.labels import dataset_heading, failure_note
from docbats.lab.report.markdown_tables import (
    format_difference,
    format_mean,
    format_mean_and_deviation,
    format_number,
    markdown_table,
)
from docbats.lab.report.stored_results import read_datasets, true_segment_counts
from docbats.lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats.lab.row_files import Row
    from docbats.lab.score_summary import ScoreDifference

__all__ = ["page"]

_INTRODUCTION = (
    "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is "
    "the boundary similarity of Fournier (2013), F1 that of boundaries at most one "
    "sentence off: higher is better. All methods are given the true number of segments, except "
    "those that find their own: for them the mean surplus of segments is shown. BATS is the "
    "paper's method, docbats our own. The last column, and the smaller table, are the scores minus "
    "those of docbats: of `docbats (k)` for methods that are given the number of segments, of "
    "`docbats` for those that find it. They have a paired bootstrap interval of 95 %; a star marks "
    "significant differences.\n"
)
_HEADS = (
    "", "Pk", "WD", "paper's Pk", "paper's WD", "B", "F1", "segments too many", "Pk - docbats",
)  # fmt: skip


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and how far they are from docbats."""
    yield _INTRODUCTION
    for dataset, found in read_datasets(folder, DATASETS, SEGMENTERS).items():
        paper = paper_tables()["table4"][dataset]
        true = true_segment_counts(found)
        differences = compare_with_docbats(found, docbats_counterpart, ("pk", "wd", "b"))
        yield dataset_heading(dataset, found)
        yield markdown_table(
            _HEADS,
            [
                _cells(name, rows, true, paper.get(name), differences.get(name, {}).get("pk"))
                for name, rows in found.items()
            ],
        )
        yield differences_table(differences, ("wd", "b"))
        yield list_methods_ahead(differences)
        yield failure_note(found)


def _cells(
    name: str,
    rows: Mapping[str, Row],
    true: Mapping[str, int],
    paper: Mapping[str, Any] | None,
    difference: ScoreDifference | None,
) -> list[str]:
    too_many = None if SEGMENTERS[name].takes_k else _segments_too_many(rows, true)
    return [
        name,
        format_mean_and_deviation(summarize_score(rows, "pk")),
        format_mean_and_deviation(summarize_score(rows, "wd")),
        format_number(paper["pk"][0] if paper else None, 2),
        format_number(paper["wd"][0] if paper else None, 2),
        format_mean(summarize_score(rows, "b")),
        format_mean(summarize_score(rows, "f1")),
        format_number(too_many, 1),
        format_difference(difference),
    ]


def _segments_too_many(rows: Mapping[str, Row], true: Mapping[str, int]) -> float | None:
    errors = [
        row["segments"] - true[document]
        for document, row in rows.items()
        if "segments" in row and document in true
    ]
    return float(np.mean(errors)) if errors else None

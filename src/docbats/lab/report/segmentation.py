"""The page of table 4: segmentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.lab.experiments.segmentation import DATASETS
from docbats.lab.printed import printed
from docbats.lab.registry import SEGMENTERS
from docbats.lab.report.against import ahead, compare, differences_table, rival
from docbats.lab.report.markdown import interval, mean, number, spread, table
from docbats.lab.report.results import read_datasets, true_segments
from docbats.lab.report.wording import failures, heading
from docbats.lab.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats.lab.row_files import Row
    from docbats.lab.summary import Difference

__all__ = ["page"]

_INTRODUCTION = (
    "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is "
    "the boundary similarity of Fournier (2013), F1 that of boundaries at most one "
    "sentence off: higher is better. All methods are given the true number of segments, but "
    "for those that find their own: they show how many too many they find on average. BATS is the "
    "paper's method, docbats our own. The last column, and the smaller table, are the scores less "
    "those of docbats: of `docbats (k)` for methods that are given the number of segments, of "
    "`docbats` for those that find it. They have a paired bootstrap interval of 95 %; a star marks "
    "differences that are not chance.\n"
)
_HEADS = (
    "", "Pk", "WD", "paper's Pk", "paper's WD", "B", "F1", "segments too many", "Pk - docbats",
)  # fmt: skip


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and how far they are from docbats."""
    yield _INTRODUCTION
    for dataset, found in read_datasets(folder, DATASETS, SEGMENTERS).items():
        paper = printed()["table4"][dataset]
        true = true_segments(found)
        differences = compare(found, rival, ("pk", "wd", "b"))
        yield heading(dataset, found)
        yield table(
            _HEADS,
            [
                _cells(name, rows, true, paper.get(name), differences.get(name, {}).get("pk"))
                for name, rows in found.items()
            ],
        )
        yield differences_table(differences, ("wd", "b"))
        yield ahead(differences)
        yield failures(found)


def _cells(
    name: str,
    rows: Mapping[str, Row],
    true: Mapping[str, int],
    paper: Mapping[str, Any] | None,
    difference: Difference | None,
) -> list[str]:
    too_many = None if SEGMENTERS[name].takes_k else _segments_too_many(rows, true)
    return [
        name,
        spread(summarise(rows, "pk")),
        spread(summarise(rows, "wd")),
        number(paper["pk"][0] if paper else None, 2),
        number(paper["wd"][0] if paper else None, 2),
        mean(summarise(rows, "b")),
        mean(summarise(rows, "f1")),
        number(too_many, 1),
        interval(difference),
    ]


def _segments_too_many(rows: Mapping[str, Row], true: Mapping[str, int]) -> float | None:
    errors = [
        row["segments"] - true[document]
        for document, row in rows.items()
        if "segments" in row and document in true
    ]
    return float(np.mean(errors)) if errors else None

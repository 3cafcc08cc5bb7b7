"""The page of table 4: segmentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.lab.experiments.segmentation import DATASETS
from docbats.lab.printed import printed
from docbats.lab.registry import SEGMENTERS
from docbats.lab.report.markdown import interval, mean, number, spread, table
from docbats.lab.report.results import read_datasets
from docbats.lab.report.wording import failures, heading
from docbats.lab.summary import paired_difference, summarise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats.lab.runner import Row

__all__ = ["page"]

_INTRODUCTION = (
    "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is "
    "the boundary similarity of Fournier (2013), F1 that of boundaries at most one "
    "sentence off: higher is better. All methods are given the true number of segments, but "
    "for those that find their own: they show how many too many they find on average. The last "
    "column is Pk less that of BATS, with a paired bootstrap interval of 95 %; a star marks "
    "differences that are not chance.\n"
)
_HEADS = (
    "", "Pk", "WD", "paper's Pk", "paper's WD", "B", "F1", "segments too many", "Pk - BATS",
)  # fmt: skip


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a table for each dataset."""
    yield _INTRODUCTION
    for dataset, found in read_datasets(folder, DATASETS, SEGMENTERS).items():
        paper = printed()["table4"][dataset]
        bats = found.get("BATS", {})
        yield heading(dataset, found)
        yield table(
            _HEADS,
            [_cells(name, rows, bats, paper.get(name)) for name, rows in found.items()],
        )
        yield failures(found)


def _cells(
    name: str,
    rows: Mapping[str, Row],
    bats: Mapping[str, Row],
    paper: Mapping[str, Any] | None,
) -> list[str]:
    too_many = None if SEGMENTERS[name].takes_k else _segments_too_many(rows, bats)
    difference = None if name == "BATS" else paired_difference(rows, bats, "pk")
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


def _segments_too_many(rows: Mapping[str, Row], bats: Mapping[str, Row]) -> float | None:
    """Average how many segments too many a method finds; BATS has the true number."""
    errors = [
        row["segments"] - bats[document]["segments"]
        for document, row in rows.items()
        if "segments" in row and "segments" in bats.get(document, {})
    ]
    return float(np.mean(errors)) if errors else None

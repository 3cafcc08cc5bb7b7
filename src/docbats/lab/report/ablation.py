"""The page of table 7: ablation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.experiments.ablation import ABLATIONS, DATASETS
from docbats.lab.printed import printed
from docbats.lab.report.markdown import interval, spread, table
from docbats.lab.report.results import read_datasets
from docbats.lab.report.wording import heading, score_name
from docbats.lab.summary import paired_difference, summarise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["page"]

_SCORES = ("pmi", "umass", "pk", "wd")


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a table for each dataset."""
    yield "Each part of the method left out in turn; in brackets what the paper prints.\n"
    for dataset, found in read_datasets(folder, DATASETS, ABLATIONS).items():
        paper = printed()["table7"][dataset]
        bats = found.get("BATS", {})
        body = []
        for name, rows in found.items():
            cells = [f"{spread(summarise(rows, s))} ({paper[name][s][0]:g})" for s in _SCORES]
            body.append([name, *cells, interval(paired_difference(rows, bats, "pk"))])
        yield heading(dataset, found)
        yield table(["", *map(score_name, _SCORES), "Pk - BATS"], body)

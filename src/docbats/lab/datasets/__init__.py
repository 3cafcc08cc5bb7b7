"""The six datasets of the paper, and two more.

A new dataset is a :class:`Dataset` in a file of its own, and one entry here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.datasets.choi import CHOI
from docbats.lab.datasets.dataset import Dataset, Status
from docbats.lab.datasets.introductions import INTRODUCTIONS
from docbats.lab.datasets.lectures import LECTURES
from docbats.lab.datasets.news import NEWS
from docbats.lab.datasets.textbook import TEXTBOOK
from docbats.lab.datasets.wiki import WIKI
from docbats.lab.datasets.wiki727k import WIKI_727K
from docbats.lab.datasets.wikinews import WIKINEWS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DATASETS", "Dataset", "Status", "available", "check"]

DATASETS = {
    dataset.name: dataset
    for dataset in (TEXTBOOK, LECTURES, INTRODUCTIONS, CHOI, WIKI, NEWS, WIKINEWS, WIKI_727K)
}
"""By name, in the order of table 1."""


def available(root: Path) -> tuple[str, ...]:
    """Return the names of the datasets that have files under `root`."""
    return tuple(name for name, dataset in DATASETS.items() if dataset.is_present(root))


def check(root: Path) -> dict[str, Status]:
    """Check whether each dataset is under `root`, complete, and in the files that we know."""
    return {name: dataset.check(root) for name, dataset in DATASETS.items()}

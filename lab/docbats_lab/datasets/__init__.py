"""The six datasets of the paper, six of other kinds of documents, and two more.

A new dataset is a :class:`Dataset` in a file of its own, and one entry here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.datasets.avlectures import AVLECTURES
from docbats_lab.datasets.choi import CHOI
from docbats_lab.datasets.dataset import Dataset, Status
from docbats_lab.datasets.handbook_fr import HANDBOOK_FR
from docbats_lab.datasets.icsi import ICSI
from docbats_lab.datasets.introductions import INTRODUCTIONS
from docbats_lab.datasets.lectures import LECTURES
from docbats_lab.datasets.news import NEWS
from docbats_lab.datasets.openstax import OPENSTAX
from docbats_lab.datasets.structured import STRUCTURED
from docbats_lab.datasets.textbook import TEXTBOOK
from docbats_lab.datasets.wiki import WIKI
from docbats_lab.datasets.wiki727k import WIKI_727K
from docbats_lab.datasets.wikinews import WIKINEWS
from docbats_lab.datasets.wikitext import WIKITEXT

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DATASETS", "OTHER_DATASETS", "Dataset", "Status", "available", "check"]

_PAPER = (TEXTBOOK, LECTURES, INTRODUCTIONS, CHOI, WIKI, NEWS)
_OTHERS = (AVLECTURES, ICSI, OPENSTAX, WIKITEXT, HANDBOOK_FR, STRUCTURED)

DATASETS = {dataset.name: dataset for dataset in (*_PAPER, *_OTHERS, WIKINEWS, WIKI_727K)}
"""By name: those of the paper in the order of its table 1, then the others."""

OTHER_DATASETS = tuple(dataset.name for dataset in _OTHERS)
"""The names of those that are of other kinds of documents than the paper's."""


def available(root: Path) -> tuple[str, ...]:
    """Return the names of the datasets that have files under `root`."""
    return tuple(name for name, dataset in DATASETS.items() if dataset.is_present(root))


def check(root: Path) -> dict[str, Status]:
    """Check whether each dataset is under `root`, complete, and in the files that we know."""
    return {name: dataset.check(root) for name, dataset in DATASETS.items()}

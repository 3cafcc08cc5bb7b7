"""Which documents were held out when the settings of the preset sharp were chosen.

Of Wiki, those that the tables of segmentations score were held out. Of every other dataset, those
in odd places were, counted from 0 in the order in which it is loaded.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from docbats_lab.baselines.supervised.split import part_of
from docbats_lab.datasets import DATASETS

if TYPE_CHECKING:
    from pathlib import Path

_LISTED = ("lectures", "choi")  # a document's name does not show its place


def is_held_out(dataset: str, document: str) -> bool:
    """Whether a document is held out, by its name alone: no data is needed.

    Examples
    --------
    >>> [is_held_out("news", name) for name in ("0000", "0001", "0002")]
    [False, True, False]
    """
    if dataset == "wiki":
        return part_of(document.rsplit("/", maxsplit=1)[-1]) == "scored"
    if dataset in _LISTED:
        return document in _listed()[dataset]
    return int(document) % 2 == 1  # named by its place


def list_held_out(data: Path) -> dict[str, list[str]]:
    """Return what ``data/held-out.json`` holds: documents whose names do not show their place."""
    return {name: [d.name for d in DATASETS[name].load(data)][1::2] for name in _LISTED}


@cache
def _listed() -> dict[str, frozenset[str]]:
    text = resources.files("docbats_lab").joinpath("data", "held-out.json").read_text("utf-8")
    return {name: frozenset(documents) for name, documents in json.loads(text).items()}

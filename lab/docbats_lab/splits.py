"""Which documents methods were trained or tuned on, and which are left to score them on."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Literal

from docbats_lab.datasets import DATASETS

if TYPE_CHECKING:
    from pathlib import Path

_LISTED = ("lectures", "choi")  # a document's name does not show its place


def part_of(name: str) -> Literal["train", "dev", "scored"]:
    """Return the part of a Wiki document by a hash of its name: 60 % train, 10 % dev, 30 % scored.

    `name` is the name of its file without ``.ref``. SupervisedSeg learns from the first two parts;
    tables of segmentations score every method on the part "scored".
    """
    hundredth = int.from_bytes(sha256(name.encode()).digest()[:8], "big") % 100
    if hundredth < 60:
        return "train"
    return "dev" if hundredth < 70 else "scored"


def is_held_out(dataset: str, document: str) -> bool:
    """Whether a document was held out when the settings of the preset sharp were chosen.

    Of Wiki, the part "scored" was held out; of every other dataset, the documents in odd places,
    counted from 0 in loading order. The names are enough to tell: no data is needed.

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

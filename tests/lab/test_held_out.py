from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from docbats_lab.datasets import DATASETS, PAPER_DATASETS
from docbats_lab.experiments import topic_quality
from docbats_lab.splits import is_held_out, list_held_out, part_of

if TYPE_CHECKING:
    from pathlib import Path


def test_odd_places_confirm() -> None:
    assert not is_held_out("textbook", "000")
    assert is_held_out("textbook", "001")
    assert is_held_out("introductions", "2133")
    # Choi's are in the order of their names as text: 0, 1, 10, 11, ...
    assert [is_held_out("choi", f"1/3-11/{i}") for i in (0, 1, 10, 11)] == [
        False,
        True,
        False,
        True,
    ]
    assert [is_held_out("lectures", f"ai/02-{d}-01") for d in ("07", "12", "14")] == [0, 1, 0]


def test_of_wiki_the_scored_ones_confirm() -> None:
    names = ["A", "ASCII", "Aardvark", "Abacus", "Abbess", "Alder", "Ant"]
    assert [is_held_out("wiki", f"enwiki/{n}") for n in names] == [
        part_of(n) == "scored" for n in names
    ]


@pytest.mark.data
def test_the_list_is_that_of_the_data(data: Path) -> None:
    text = resources.files("docbats_lab").joinpath("data", "held-out.json").read_text("utf-8")
    assert json.loads(text) == list_held_out(data)


@pytest.mark.data
@pytest.mark.parametrize("name", sorted({*PAPER_DATASETS, *topic_quality.DATASETS}))
def test_names_tell_the_half_as_places_do(data: Path, name: str) -> None:
    names = [document.name for document in DATASETS[name].load(data)]
    expected = names[1::2]
    if name == "wiki":
        expected = [n for n in names if part_of(n.split("/")[-1]) == "scored"]
    assert [n for n in names if is_held_out(name, n)] == expected

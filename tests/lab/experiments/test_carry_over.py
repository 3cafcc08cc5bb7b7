"""The experiment on other sources, and the rules that come out of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docbats.segments.choose_k import PLAIN, STRENGTH
from docbats.segments.costs import PARTS, STRUCTURED
from docbats.segments.evidence import OPENING_FEATURES
from docbats_lab.carry_over.trials import ARTIFICIAL, NATURAL, SEVEN, Rules, family_of
from docbats_lab.experiments.carry_over import run
from docbats_lab.experiments.request import Request

FACTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab" / "carry-over" / "facts.json"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return found


def test_the_rules_are_those_that_were_fitted(facts: dict[str, Any]) -> None:
    rules = facts["rules"]
    assert rules["openings"] == OPENING_FEATURES
    assert rules["plain"] == asdict(PLAIN)
    assert rules["parts"].items() <= asdict(PARTS).items()
    assert rules["structured gain"] == STRUCTURED.parts.gain
    assert rules["strength"].items() <= asdict(STRENGTH).items()
    assert rules == Rules().to_dict()


def test_every_family_of_sources_was_left_out(facts: dict[str, Any]) -> None:
    sources = (*NATURAL, *ARTIFICIAL)
    assert tuple(facts["documents"]) == sources
    assert facts["rules without"].keys() == set(map(family_of, sources))
    for way in facts["lists"].values():
        assert tuple(way) == sources


def test_other_sources_are_cut_as_well_as_asked_for(facts: dict[str, Any]) -> None:
    found = facts["lists"]["found, other sources"]
    mean = {name: np.mean([found[source][name] for source in SEVEN]) for name in ("pk", "wd", "f1")}
    assert mean["pk"] <= 0.335
    assert mean["wd"] <= 0.350
    assert mean["f1"] >= 0.32
    assert found["choi"]["pk"] <= 0.090
    assert found["choi"]["wd"] <= 0.097


@pytest.mark.data
def test_a_few_documents_of_each_source_will_do(data: Path, tmp_path: Path) -> None:
    run(Request(data, tmp_path, limit=2))
    facts = json.loads((tmp_path / "carry-over" / "facts.json").read_text(encoding="utf-8"))
    assert set(facts["documents"].values()) == {2}
    assert facts["rules"]["openings"]["a word that goes on"] < 0
    assert facts["rules"]["parts"]["gain"] > 0
    for way in facts["lists"].values():
        assert all(0 <= score["pk"] <= score["wd"] <= 1 for score in way.values())

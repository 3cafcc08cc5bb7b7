"""No test is left out for good: what `make test` deselects or skips, .ci/run runs."""

from __future__ import annotations

import re
import tomllib
from itertools import chain, combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
MARKERS = [re.split(r"[(:]", marker)[0] for marker in OPTIONS["markers"]]
RECIPES = dict(
    re.findall(r"^(test[\w-]*):.*\n\t(.*pytest.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
)
ALL = ["test-libraries", "test-browser"]  # they skip nothing: DOCBATS_TEST_ALL says so


def selects(target: str, marks: tuple[str, ...]) -> bool:
    """Whether a target of the Makefile runs a test with these marks."""
    expression = RECIPES[target].partition("-m pytest")[2].partition("-m '")[2].rstrip("'")
    return bool(eval(expression, {}, {marker: marker in marks for marker in MARKERS}))


def test_every_combination_of_marks_is_run() -> None:
    assert selects("test", ())
    found = chain.from_iterable(combinations(MARKERS, n) for n in range(1, len(MARKERS) + 1))
    assert not [marks for marks in found if not any(selects(target, marks) for target in ALL)]


@pytest.mark.parametrize("marker", MARKERS)
def test_make_test_runs_all_that_is_not_slow(marker: str) -> None:
    assert selects("test", (marker,)) == (marker != "slow")


def test_ci_runs_every_target_without_skipping() -> None:
    commands = (ROOT / ".ci" / "run").read_text()
    assert all(re.search(rf"\bmake {target}\s", commands) for target in ["test", *ALL])
    assert all("DOCBATS_TEST_ALL=1" in RECIPES[target] for target in ALL)

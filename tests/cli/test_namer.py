"""The option that names the function which names segments."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from .command import TEXT, output_of, run

if TYPE_CHECKING:
    from pathlib import Path

NAMES = """
from docbats import SegmentName

def number(request):
    return [SegmentName(f"Part {i}", "Said.") for i, _ in enumerate(request.segments, start=1)]

def fail(request):
    raise OSError("secret")
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file to name, beside the module that names it, which is in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.delitem(sys.modules, "own_names", raising=False)
    (tmp_path / "own_names.py").write_text(NAMES, encoding="utf-8")
    (tmp_path / "bats.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "bats.txt"


def test_the_function_is_found_in_the_working_directory(path: Path) -> None:
    shown = output_of(path, "-k", "2", "--namer", "own_names:number", "--summaries")
    assert "1  Part 1" in shown
    assert "Said." in shown
    values = json.loads(
        output_of(path, "-k", "2", "--namer", "own_names:number", "--format", "json")
    )
    assert [segment["title"] for segment in values["segments"]] == ["Part 1", "Part 2"]
    assert values["settings"]["namer"] == "own_names:number"


def test_a_function_that_fails_leaves_a_note(path: Path) -> None:
    shown = " ".join(output_of(path, "-k", "2", "--namer", "own_names:fail").split())
    assert "The namer failed (OSError at own_names.py:8)" in shown
    assert "secret" not in shown


@pytest.mark.parametrize(
    "options",
    [
        ["--namer", "own_names"],
        ["--namer", "own_names:no_such"],
        ["--namer", "no_such:number"],
        ["--namer-timeout", "-1"],
    ],
)
def test_wrong_options_are_refused(path: Path, options: list[str]) -> None:
    result = run(path, *options)
    assert result.exit_code == 2
    assert "namer" in result.stderr
    assert "got" in result.stderr

"""`docbats lab`, with the laboratory installed and without."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from click.testing import CliRunner

from docbats.cli.main import main
from docbats_lab.experiments import EXPERIMENTS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_command_is_found_by_its_entry_point() -> None:
    result = CliRunner().invoke(main, ["lab", "run"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == list(EXPERIMENTS)


def test_without_the_laboratory_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["docbats.cli.main"], "entry_points", lambda **_: ())
    result = CliRunner().invoke(main, ["lab", "run", "titles", "--limit", "2"])
    assert result.exit_code == 1
    assert "the laboratory is not installed" in result.output
    assert "pip install ./lab" in result.output


def test_an_unknown_experiment_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["lab", "run", "teas", "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "unknown experiment 'teas': choose from statistics, " in result.output


def test_a_run_needs_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCBATS_DATA", raising=False)
    result = CliRunner().invoke(main, ["lab", "run", "titles"])
    assert result.exit_code == 2
    assert "name their folder with --data or DOCBATS_DATA" in result.output

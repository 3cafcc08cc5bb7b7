from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

import docbats
from docbats.cli import main

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (
    "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
    "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water.\n"
)


def _run(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, prog_name="docbats")


@pytest.fixture
def bats(tmp_path: Path) -> Path:
    path = tmp_path / "bats.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_report_is_written_beside_the_usual_output(bats: Path, tmp_path: Path) -> None:
    report = tmp_path / "new" / "bats.html"
    result = _run(bats, "-k", "2", "--html", report)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == _run(bats, "-k", "2").stdout
    page = docbats.analyze(TEXT, k=2).to_html(str(bats))
    assert report.read_text(encoding="utf-8") == page
    assert [path.name for path in report.parent.iterdir()] == ["bats.html"]


def test_several_files_make_a_folder_of_reports(bats: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "bats.txt"
    other.parent.mkdir()
    other.write_text(TEXT.replace("ats", "oats"), encoding="utf-8")
    result = _run(bats, other, "-", "--html", tmp_path / "reports", stdin=TEXT)
    assert result.exit_code == 0
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert names == ["bats-2.html", "bats.html", "standard-input.html"]
    assert "Boats" in (tmp_path / "reports" / "bats-2.html").read_text(encoding="utf-8")


def test_one_file_may_go_into_a_folder(bats: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    assert _run(bats, "--html", folder).exit_code == 0
    assert (folder / "bats.html").is_file()


def test_several_files_do_not_fit_into_one(bats: Path, tmp_path: Path) -> None:
    result = _run(bats, bats, "--html", tmp_path / "all.html")
    assert result.exit_code == 2
    assert "names one file for 2 documents: name a folder" in result.stderr


@pytest.mark.parametrize("target", ["-", "bats.txt", "out.html"])
def test_nothing_is_overwritten_or_mixed(
    bats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = _run(bats, "-o", "out.html", "--html", target)
    assert result.exit_code == 2
    assert f"--html {target}" in result.stderr
    assert bats.read_text(encoding="utf-8") == TEXT


def test_place_that_cannot_be_written_is_reported(bats: Path) -> None:
    result = _run(bats, "--html", bats / "report.html")
    assert result.exit_code == 1
    assert "report.html: cannot be written:" in result.stderr


def test_file_that_cannot_be_analysed_does_not_stop_the_others(bats: Path, tmp_path: Path) -> None:
    result = _run(tmp_path / "absent.txt", bats, "--html", tmp_path / "reports")
    assert result.exit_code == 1
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["bats.html"]

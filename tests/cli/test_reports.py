from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.command import TEXT, run

import docbats

if TYPE_CHECKING:
    from pathlib import Path


def test_report_is_written_beside_the_usual_output(bats: Path, tmp_path: Path) -> None:
    report = tmp_path / "new" / "bats.html"
    result = run(bats, "-k", "2", "--html", report)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == run(bats, "-k", "2").stdout
    page = docbats.analyze(TEXT, k=2).to_html(str(bats))
    assert report.read_text(encoding="utf-8") == page
    assert [path.name for path in report.parent.iterdir()] == ["bats.html"]


def test_several_files_make_a_folder_of_reports(bats: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "bats.txt"
    other.parent.mkdir()
    other.write_text(TEXT.replace("ats", "oats"), encoding="utf-8")
    result = run(bats, other, "-", "--html", tmp_path / "reports", stdin=TEXT)
    assert result.exit_code == 0
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert names == ["bats-2.html", "bats.html", "standard-input.html"]
    assert "Boats" in (tmp_path / "reports" / "bats-2.html").read_text(encoding="utf-8")


def test_one_file_may_go_into_a_folder(bats: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    assert run(bats, "--html", folder).exit_code == 0
    assert (folder / "bats.html").is_file()


def test_several_files_do_not_fit_into_one(bats: Path, tmp_path: Path) -> None:
    result = run(bats, bats, "--html", tmp_path / "all.html")
    assert result.exit_code == 2
    assert "names one file for 2 documents: name a folder" in result.stderr


@pytest.mark.parametrize("target", ["-", "bats.txt", "out.html"])
def test_nothing_is_overwritten_or_mixed(
    bats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(bats, "--format", "text", "-o", "out.html", "--html", target)
    assert result.exit_code == 2
    assert f"--html {target}" in result.stderr
    assert bats.read_text(encoding="utf-8") == TEXT


def test_place_that_cannot_be_written_is_reported(bats: Path) -> None:
    result = run(bats, "--html", bats / "report.html")
    assert result.exit_code == 1
    assert "report.html: cannot be written:" in result.stderr


def test_file_that_cannot_be_analyzed_does_not_stop_the_others(bats: Path, tmp_path: Path) -> None:
    result = run(tmp_path / "absent.txt", bats, "--html", tmp_path / "reports")
    assert result.exit_code == 1
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["bats.html"]

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.command import TEXT, run

import docbats
from docbats.cli import analyze as reports

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType


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


def test_copies_do_not_overwrite_the_report(bats: Path, tmp_path: Path) -> None:
    target = tmp_path / "bats.html"
    result = run(bats, "--html", target, "--insert-headings", target)
    assert result.exit_code == 2
    assert f"--insert-headings {target} would overwrite an input or an output" in result.stderr
    assert not target.exists()


def test_place_that_cannot_be_written_is_reported(bats: Path) -> None:
    result = run(bats, "--html", bats / "report.html")
    assert result.exit_code == 1
    assert "report.html: cannot be written:" in result.stderr


def test_file_that_cannot_be_analyzed_does_not_stop_the_others(bats: Path, tmp_path: Path) -> None:
    result = run(tmp_path / "absent.txt", bats, "--html", tmp_path / "reports")
    assert result.exit_code == 1
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["bats.html"]


def test_the_same_file_given_twice_makes_one_report(
    bats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_)
    result = run(bats, bats, "-k", "2", "--html", tmp_path / "reports", "--open")
    assert result.exit_code == 0
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["bats.html"]
    assert opened == [(tmp_path / "reports" / "bats.html").as_uri()]


def test_no_two_reports_have_one_name(tmp_path: Path) -> None:
    files = ["a/x.md", "b/x-2.md", "c/x.md", "d/x.md", "e/x-2.md", "-", "f/standard-input.txt"]
    paths = reports.report_paths(tmp_path, files)
    assert [path.name for path in paths.values()] == [
        "x.html", "x-2.html", "x-3.html", "x-4.html", "x-2-2.html", "standard-input.html",
        "standard-input-2.html",
    ]  # fmt: skip


def test_names_are_found_without_going_through_all_of_them(tmp_path: Path) -> None:
    """Twice as many files of one name are twice as much work, not eight times."""

    def count_lines(n_files: int) -> int:
        count = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:
            nonlocal count
            if frame.f_code.co_filename != reports.__file__:
                return None
            count += event == "line"
            return trace

        files = [f"{number}/index.md" for number in range(n_files)]
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            assert len(set(reports.report_paths(tmp_path, files).values())) == n_files
        finally:
            sys.settrace(before)
        return count

    assert count_lines(200) < 2.5 * count_lines(100)

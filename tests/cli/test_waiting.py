"""What is shown at a terminal while a file is worked on, and the report that is opened."""

from __future__ import annotations

import io
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tests.cli.command import run

import docbats
from docbats.cli import files as waiting
from docbats.runtime import StageProgress, listen_to_stages

if TYPE_CHECKING:
    import pytest


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_stages_are_told_in_order(example: Path) -> None:
    told: list[StageProgress] = []
    with listen_to_stages(told.append):
        docbats.analyze(example.read_text(encoding="utf-8")).describe()
    assert told[0].stage == "Finding sentences"
    assert told[-1].stage == "Writing titles and summaries"
    shares = [progress.share for progress in told if progress.share is not None]
    assert shares == sorted(shares)
    docbats.analyze("Bats hunt. Tea cools.")
    assert told[-1].stage == "Writing titles and summaries"


def test_what_takes_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    with waiting.shown_while_waiting("a\x1b.pdf") as on_page:
        assert on_page is not None
        shown = waiting._Waiting("b.pdf")
        shown._timer.join()
        shown.tell_page(3, 9)
        shown.tell(StageProgress("Finding topics", 0.5))
        assert shown._text == "Analyzing b.pdf: finding topics (50%)"
        shown.end()
    assert "Reading" in terminal.getvalue()
    assert "\x1b.pdf" not in terminal.getvalue()


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting.shown_while_waiting("a.txt") as on_page:
        assert on_page is None
    assert capsys.readouterr().err == ""


def test_open_shows_the_report(bats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", open_)
    assert run(bats, "--open", "-k", "2").exit_code == 0
    assert run(bats, "--open", "--html", tmp_path / "r.html", "-k", "2").exit_code == 0
    paths = [Path(unquote(urlsplit(url).path)) for url in opened]
    assert paths[1] == tmp_path / "r.html"
    assert all("<article" in path.read_text(encoding="utf-8") for path in paths)
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    result = run(bats, "--open", "-k", "2")
    assert "no browser could be opened: the report is " in result.stderr


def test_printing_a_result_shows_the_outline() -> None:
    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    result = docbats.analyze(text, k=2)
    lines = str(result).splitlines()
    assert lines[0] == "4 sentences, 2 segments, 2 topics"
    assert [line.split(" ", 1)[1] for line in lines[1:3]] == [s.title for s in result.segments]
    assert str(docbats.analyze("Red. Blue.", k=1)).startswith("2 sentences, 1 segment")

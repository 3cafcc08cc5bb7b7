"""Segments of the user's own, and the sentence under each segment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.command import TEXT, output_of, run, write_file

import docbats

if TYPE_CHECKING:
    from pathlib import Path


def test_segments_begin_where_told(tmp_path: Path) -> None:
    path = write_file(tmp_path / "bats.txt", TEXT)
    offset = docbats.analyze(TEXT, k=2).segments[1].start
    values = json.loads(output_of(path, "--boundaries", f"0, {offset}", "--format", "json"))
    assert [segment["start"] for segment in values["segments"]] == [0, offset]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--boundaries", "1,x"], "must be whole numbers separated by commas"),
        (["--boundaries", ""], "must be whole numbers separated by commas"),
        (["--boundaries", "-5"], "must be whole numbers separated by commas"),
        (["--boundaries", "5", "-k", "2"], "give either boundaries"),
        (["--boundaries", "5", "--max-size", "9"], "leave out min_size and max_size"),
    ],
)
def test_wrong_use(tmp_path: Path, args: list[str], message: str) -> None:
    result = run(write_file(tmp_path / "bats.txt", TEXT), *args)
    assert result.exit_code == 2
    assert message in result.stderr


def test_boundaries_are_those_of_one_file(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / name, TEXT) for name in ("a.txt", "b.txt")]
    result = run(*paths, "--boundaries", "5")
    assert result.exit_code == 2
    assert "got 2 files" in result.stderr


def test_what_is_out_of_range_is_reported(tmp_path: Path) -> None:
    result = run(write_file(tmp_path / "bats.txt", TEXT), "--boundaries", "99999")
    assert result.exit_code == 1
    assert "where segments begin, got 99999" in result.stderr


def test_summaries_are_shown_if_asked_for(tmp_path: Path) -> None:
    said = "The harbour of the old town is dug out by heavy dredgers each spring. "
    text = TEXT + said * 2
    path = write_file(tmp_path / "bats.txt", text)
    summary = docbats.analyze(text, k=2).segments[1].summary
    assert summary == said.strip()
    shown = " ".join(output_of(path, "-k", "2", "--summaries").split())
    plain = " ".join(output_of(path, "-k", "2").split())
    assert shown.count(summary) == plain.count(summary) + 1

"""Files that vanish, change and appear during a run, and a clock that is set back."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from docbats.corpus import CorpusOptions, run
from docbats.corpus.documents import DocumentReader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docbats.corpus.documents import InputDocument

N_FILES = 12
TEXT = "Bats hunt moths by night. Moths hear the bats and dive. Tea needs hot water. Tea cools."


def make_input(folder: Path) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"{number:03}.txt" for number in range(N_FILES)]
    for path in paths:
        path.write_text(f"{TEXT} This is file {path.stem}.")
    return paths


def read_rows(folder: Path) -> list[dict[str, Any]]:
    parts = sorted(folder.glob("part-*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_text().splitlines()]


def test_what_happens_to_files_during_a_run_happens_to_their_rows_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = make_input(tmp_path / "in")
    read = DocumentReader.read

    def read_and_change(self: DocumentReader, sources: Any) -> Iterator[InputDocument]:
        for number, document in enumerate(read(self, sources)):
            if number == 0:
                change()
            yield document

    def change() -> None:
        paths[-1].unlink()
        paths[-2].unlink()
        paths[-2].mkdir()
        paths[-3].write_text("")
        paths[-4].write_bytes(b"\0\1\2")
        (tmp_path / "in" / "999.txt").write_text(TEXT)

    monkeypatch.setattr(DocumentReader, "read", read_and_change)
    summary = run(tmp_path / "in", tmp_path / "out", jobs=1)
    rows = read_rows(tmp_path / "out")
    assert [row["id"] for row in rows] == [path.name for path in paths]
    assert [row["place"] for row in rows] == list(range(N_FILES))
    errors = [row["error"] and row["error"]["kind"] for row in rows]
    assert errors[:-4] == [None] * (N_FILES - 4)
    assert errors[-4:] == ["bad-bytes", "cannot-be-analyzed", "unreadable", "unreadable"]
    assert summary.documents == N_FILES


def test_a_clock_that_is_set_back_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_input(tmp_path / "in")
    run(tmp_path / "in", tmp_path / "out", jobs=1)
    began = time.time()
    ticks = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: began - 3600 * next(ticks))
    summary = run(tmp_path / "in", tmp_path / "again", jobs=1)
    assert summary.seconds >= 0
    assert read_rows(tmp_path / "again") == read_rows(tmp_path / "out")


@pytest.mark.parametrize("variable", ["TMPDIR", "HOME"])
def test_neither_a_home_nor_a_temporary_folder_is_needed(
    tmp_path: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_input(tmp_path / "in")
    monkeypatch.setenv(variable, str(tmp_path / "nowhere"))
    summary = run(tmp_path / "in", tmp_path / "out", CorpusOptions(reports=True), jobs=1)
    assert summary.documents == N_FILES
    assert not summary.failures

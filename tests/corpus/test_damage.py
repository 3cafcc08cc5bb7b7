"""Damage is found and repaired, what cannot be read is a row, and failing writes lose nothing."""

from __future__ import annotations

import errno
import json
import os
import random
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.matrices import slow_except

from docbats.corpus import CorpusError, CorpusOptions, run
from docbats.errors import SettingsError

from .conftest import tree

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")
OPEN = Path.open
TEXT = "Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools."


@pytest.mark.parametrize("format_", slow_except({"parquet"}, FORMATS))
def test_a_flipped_bit_is_found_named_and_repaired(
    tmp_path: Path, lines: Path, faults: Any, format_: str
) -> None:
    out, options = tmp_path / "out", CorpusOptions(format=format_, part_size=6, reports=True)
    run(lines, out, options, engine=faults.HereEngine)
    before = tree(out)
    chance = random.Random(3)
    names = [name for name in before if name not in {"run.json", "summary.json"}]
    for name in chance.sample(names, 12):
        path = out / name
        data = bytearray(path.read_bytes())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        summary = run(lines, out, options, resume=True, engine=faults.HereEngine)
        # A flipped bit of a checksum shows as damage to the file that it is the checksum of.
        assert len(summary.repaired) == 1
        assert name.startswith("checksums/") or summary.repaired == (name,)
        assert tree(out) == before


@pytest.mark.parametrize("content", ["", '{"id": "d1', '{"a":' + "[" * 100_000])
def test_a_part_that_is_cut_off_is_repaired(
    tmp_path: Path, lines: Path, faults: Any, content: str
) -> None:
    out = tmp_path / "out"
    run(lines, out, engine=faults.HereEngine)
    before = tree(out)
    (out / "part-000000.jsonl").write_text(content)
    summary = run(lines, out, resume=True, engine=faults.HereEngine)
    assert summary.repaired == ("part-000000.jsonl",)
    assert tree(out) == before


@pytest.mark.parametrize("content", ["", '{"schema"', "[" * 100_000, "[]", "3"])
def test_a_damaged_request_is_called_damaged(
    tmp_path: Path, lines: Path, faults: Any, content: str
) -> None:
    run(lines, tmp_path / "out", engine=faults.HereEngine)
    (tmp_path / "out" / "run.json").write_text(content)
    with pytest.raises(CorpusError, match=r"run\.json: damaged .* name another folder"):
        run(lines, tmp_path / "out", resume=True, engine=faults.HereEngine)


def _rows(out: Path) -> list[str]:
    return (out / "part-000000.jsonl").read_text().splitlines()


def test_what_is_no_file_is_a_row(tmp_path: Path, faults: Any) -> None:
    folder = tmp_path / "in"
    (folder / "below").mkdir(parents=True)
    (folder / "a.txt").write_text(TEXT)
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "nowhere.csv").symlink_to("gone")
    (folder / "folder").symlink_to("below")
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(folder / "socket.txt"))
    (folder / "z.txt").write_text(TEXT)
    summary = run(folder, tmp_path / "out", engine=faults.HereEngine)
    rows = [json.loads(line) for line in _rows(tmp_path / "out")]
    errors = {row["id"]: row["error"]["message"] for row in rows if row["error"]}
    assert [row["id"] for row in rows if not row["error"]] == ["a.txt", "z.txt"]
    assert errors.keys() == {"loop.txt", "nowhere.csv", "folder", "pipe.txt", "socket.txt"}
    assert "leads nowhere" in errors["loop.txt"]
    assert "leads nowhere" in errors["nowhere.csv"]
    assert "link to a folder" in errors["folder"]
    assert "a pipe" in errors["pipe.txt"]
    assert summary.failures == {"unreadable": 5}
    by_pattern = run(f"{folder}/*.txt", tmp_path / "second", engine=faults.HereEngine)
    assert by_pattern.documents == 5
    assert by_pattern.failures == {"unreadable": 3}


def test_a_folder_that_cannot_be_listed_is_a_row(
    tmp_path: Path, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in" / "locked").mkdir(parents=True)
    (tmp_path / "in" / "z.txt").write_text(TEXT)
    scan = os.scandir

    def refusing(path: str) -> Any:
        if str(path).endswith("locked"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    summary = run(tmp_path / "in", tmp_path / "out", engine=faults.HereEngine)
    assert summary.documents == 2
    assert summary.failures == {"unreadable": 1}


def _fail_at(calls: int, error: BaseException, real: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that fails at one of its calls."""

    def failing(*args: Any, **options: Any) -> Any:
        nonlocal calls
        is_reading = real is OPEN and "wb" not in args
        calls -= not is_reading
        if calls == 0 and not is_reading:
            raise error
        return real(*args, **options)

    return failing


WRITES = {"fsync": os, "open": Path, "replace": Path, "mkdir": Path}


@pytest.mark.slow  # test_failing_writes fails at each of these calls, too, for two formats
@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("kind", ["disk", "memory"])
def test_a_failure_at_each_write_loses_nothing(
    tmp_path: Path, lines: Path, faults: Any, name: str, kind: str
) -> None:
    where: Any = WRITES[name]
    options = CorpusOptions(part_size=6)
    run(lines, tmp_path / "whole", options, engine=faults.HereEngine)
    whole = tree(tmp_path / "whole")
    error = OSError(errno.EIO, "Input/output error") if kind == "disk" else MemoryError()
    failures = 0
    for call in range(1, 100):
        out = tmp_path / f"out-{call}"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(where, name, _fail_at(call, error, getattr(where, name)))
            try:
                run(lines, out, options, engine=faults.HereEngine)
            except (CorpusError, MemoryError):
                failures += 1
            else:
                break
        assert tree(out).items() <= whole.items() if out.exists() else True
        run(lines, out, options, resume=True, engine=faults.HereEngine)
        assert tree(out) == whole
    assert failures > 2


def test_a_document_that_needs_too_much_memory_is_a_row(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")

    def analyze(analyzer: Any) -> Any:
        def exhausted(_: Any) -> Any:
            raise MemoryError

        object.__setattr__(analyzer, "_analyze", exhausted)
        return faults.HereEngine(analyzer)

    summary = run(tmp_path / "in.jsonl", tmp_path / "out", engine=analyze)
    assert summary.failures == {"out-of-memory": 1}
    assert "--max-memory" in summary.examples[0][1].message


@pytest.mark.parametrize("max_memory", [0, 10, 1.5, "many"])
def test_too_little_memory_is_refused(tmp_path: Path, lines: Path, max_memory: Any) -> None:
    with pytest.raises(SettingsError, match="max_memory must be a whole number of megabytes"):
        run(lines, tmp_path / "out", max_memory=max_memory)

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from docbats import Settings
from docbats.corpus import CorpusOptions, stream
from docbats.errors import SettingsError

from .conftest import COMMAND, text_of, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def running(*options: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*COMMAND, "-", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, **more,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def line_of(name: str, text: str) -> bytes:
    return json.dumps({"id": name, "text": text}).encode() + b"\n"


def write(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()


def read_row(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    row: dict[str, Any] = json.loads(process.stdout.readline())
    return row


def test_a_line_comes_out_before_the_next_goes_in() -> None:
    with running("-j", "1") as process:
        delays = []
        for number in range(5):
            began = time.monotonic()
            write(process, line_of(f"d{number}", text_of(number)))
            assert read_row(process)["id"] == f"d{number}"
            delays.append(time.monotonic() - began)
        write(process, b"nothing\n")
        assert read_row(process)["error"]["kind"] == "bad-record"
        write(process, line_of("d0", text_of(0)))  # once more: a feed may do so
        assert read_row(process)["error"] is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 3
        assert sorted(delays)[2] < 2


def test_whoever_writes_too_fast_has_to_wait() -> None:
    with running("-j", "1") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write(process, line_of("first", text_of(0)))
        read_row(process)  # it is warm
        descriptor = process.stdin.fileno()
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_NONBLOCK)
        data = line_of("x", text_of(1) * 40)
        taken = 0
        while select.select([], [descriptor], [], 3)[1]:
            try:
                taken += os.write(descriptor, data[taken % len(data) :])
            except BlockingIOError:
                continue
            assert taken < 3_000_000
        assert taken > 10 * len(data)


def test_whoever_stops_reading_ends_it_quietly(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [text_of(number) for number in range(80)])
    process = subprocess.Popen(
        [*COMMAND, str(path), "-j", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["id"] == "d0"
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr as errors:
        assert b"Traceback" not in errors.read()
    process.wait(60)


@pytest.mark.parametrize("ordered", [True, False])
def test_a_slow_document_holds_up_the_others_only_in_order(
    tmp_path: Path, faults: Any, ordered: bool
) -> None:
    texts = [text_of(number) for number in range(6)]
    texts[0] += " Zhang comes here."
    path = write_lines(tmp_path / "in.jsonl", texts)
    options = CorpusOptions(settings=Settings(tagger=faults.tagger))
    rows = [
        json.loads(answer.row)
        for answer in stream(path, options, jobs=2, timeout=3, ordered=ordered)
    ]
    ids = [row["id"] for row in rows]
    assert sorted(ids) == [f"d{number}" for number in range(6)]
    assert ids[0 if ordered else -1] == "d0"
    assert [row["id"] for row in rows if row["error"]] == ["d0"]


def test_many_failures_in_a_row_go_through(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "in.jsonl").write_text("nothing\n" * 500 + '{"text": "A bat. One bat."}\n')
    rows = list(stream(tmp_path / "in.jsonl", engine=faults.HereEngine))
    assert len(rows) == 501
    assert rows[-1].failure is None


def test_what_is_wrong_with_the_input_comes_up(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "in.csv").write_text("body\nOne.\n")
    with pytest.raises(SettingsError, match="--text-column"):
        list(stream(tmp_path / "in.csv", engine=faults.HereEngine))
    with pytest.raises(SettingsError, match="-o"):
        list(stream(tmp_path / "in.csv", CorpusOptions(format="parquet")))

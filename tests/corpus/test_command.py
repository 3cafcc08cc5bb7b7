"""``docbats corpus`` as users call it."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from docbats.cli import main

from .conftest import COMMAND, command, read_lines, text_of, tree, write_lines

if TYPE_CHECKING:
    from pathlib import Path


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    """Call the command here; only for calls that start no processes."""
    result = CliRunner().invoke(main, ["corpus", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_a_run_a_refusal_a_resume_and_a_report(tmp_path: Path, lines: Path) -> None:
    out = tmp_path / "out"
    done = command(lines, "-o", out, "--part-size", "7", "-j", "1", "-k", "2")
    assert (done.returncode, done.stdout) == (0, "")
    assert re.match(rf"17 documents in {out} \(3 parts\), .* a second\n$", done.stderr)
    assert len(read_lines(out)) == 17
    before = tree(out)
    code, _, errors = invoke(lines, "-o", out, "--part-size", "7", "-k", "2")
    assert code == 2
    assert "--resume" in errors
    code, _, errors = invoke(lines, "-o", out, "--part-size", "7", "-k", "2", "--resume")
    assert code == 0
    assert "17 of them were there before" in errors
    assert tree(out) == before
    code, output, _ = invoke("report", out)
    assert code == 0
    assert output == f"{out / 'report.html'}\n"


def test_standard_input_into_a_folder(tmp_path: Path, lines: Path) -> None:
    out = tmp_path / "out"
    asked = ["-", "-o", str(out), "-j", "1", "--part-size", "9"]
    assert command(*asked, input=lines.read_text()).returncode == 0
    (out / "part-000001.jsonl").unlink()
    assert command(*asked, "--resume", input=lines.read_text()).returncode == 0
    assert [row["id"] for row in read_lines(out)] == [f"d{number}" for number in range(17)]
    other = command(*asked, "--resume", input=lines.read_text().replace("Number 3", "Number 5"))
    assert other.returncode == 2
    assert "document 3 (d3)" in other.stderr


def test_failures_are_told_and_make_the_exit_code(tmp_path: Path) -> None:
    texts = [text_of(0), "", " ", *[""] * 6]
    path = write_lines(tmp_path / "in.jsonl", texts)
    done = command(path, "-o", tmp_path / "out", "-j", "1")
    assert done.returncode == 3
    assert "8 failed: 8 cannot-be-analyzed\n  d1: the document is empty" in done.stderr
    assert done.stderr.endswith("  ...\n")
    quiet = command(path, "-o", tmp_path / "quiet", "-j", "1", "--quiet")
    assert (quiet.returncode, quiet.stderr) == (3, "")
    streamed = command(path, "-j", "1")
    assert (streamed.returncode, len(streamed.stdout.splitlines())) == (3, 9)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere", "-o", "out"], 1, "no such file"),
        (["in.jsonl", "--resume"], 2, "name the folder with -o"),
        (["in.jsonl", "--format", "parquet"], 2, "name a folder by -o"),
        (["in.jsonl", "-o", "out", "-k", "0"], 2, "k must be"),
        (["in.jsonl", "-o", "out", "--encoding", "klingon"], 2, "unknown encoding"),
        (["in.csv", "-o", "out"], 2, "--text-column"),
        (["in.jsonl", "in.csv", "-", "-o", "out"], 2, "must be the only input"),
        (["report", "nowhere"], 1, "run.json"),
    ],
)
def test_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "in.jsonl", [text_of(0)])
    (tmp_path / "in.csv").write_text("body\nOne.\n")
    found, _, errors = invoke(*arguments)
    assert (found, said in errors) == (code, True), errors
    assert not (tmp_path / "out").exists()


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [text_of(number) * 20 for number in range(2000)])
    out = tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, str(path), "-o", str(out), "--part-size", "4", "-j", "1"],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while process.poll() is None and not list(out.glob("part-*")):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all of them
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("docbats: stopped; ")
    assert errors.endswith(f"-o {out} --part-size 4 -j 1 --resume\n")
    assert not list(out.glob(".*"))


def test_somebody_who_looks_sees_a_bar(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [text_of(number) * 20 for number in range(40)])
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, str(path), "-o", str(tmp_path / "out"), "-j", "1"], stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(60) == 0
    assert re.search(rb"\d+ documents, .* a second, .* left", shown)


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["report", "--help"], []])
def test_help(arguments: list[str]) -> None:
    code, output, errors = invoke(*arguments)
    assert code == (0 if arguments else 2)
    assert "Usage:" in output + errors


def test_importing_the_command_loads_nothing_heavy() -> None:
    code = "import sys, docbats.cli; print([m for m in sys.modules if m in {'pyarrow', 'sqlite3'}])"
    done = subprocess.run([COMMAND[0], "-c", code], capture_output=True, check=True)
    assert done.stdout == b"[]\n"

from __future__ import annotations

import errno
import os
import stat
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.command import COMMAND, FORMATS, TEXT, clean_env, output_of, run, write_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("format_", FORMATS)
def test_output_file_holds_what_would_be_printed(
    tmp_path: Path, bats: Path, boats: Path, format_: str
) -> None:
    out = tmp_path / "out"
    args: list[str | Path] = [bats, boats, "-k", "2", "--format", format_]
    assert output_of(*args, "-o", out) == ""
    assert out.read_bytes().decode() == output_of(*args)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bats.txt", "boats.txt", "out"]


@pytest.mark.parametrize(
    ("ending", "format_"),
    [(".json", "json"), (".JSONL", "jsonl"), (".md", "md"), (".csv", "csv"), (".log", "text")],
)
def test_the_ending_of_the_output_file_names_the_format(
    tmp_path: Path, bats: Path, ending: str, format_: str
) -> None:
    out = tmp_path / f"out{ending}"
    output_of(bats, "-k", "2", "-o", out)
    assert out.read_bytes().decode() == output_of(bats, "-k", "2", "--format", format_)


def test_a_report_is_not_written_by_the_ending(tmp_path: Path, bats: Path) -> None:
    out = tmp_path / "out.html"
    result = run(bats, "-o", out)
    assert result.exit_code == 2
    assert f"use --html {out} instead of -o {out}" in result.stderr
    assert not out.exists()


def test_output_file_replaces_an_older_one(tmp_path: Path, bats: Path) -> None:
    out = write_file(tmp_path / "out.md", "old" * 10_000)
    output_of(bats, "-k", "2", "--format", "md", "--output", out)
    assert out.read_text(encoding="utf-8").startswith("# ")


def test_failure_half_way_leaves_the_older_file(
    tmp_path: Path, bats: Path, boats: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["{}"])

    def full_disk(*_: Any, **__: Any) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise OSError(errno.ENOSPC, "No space left on device") from None

    monkeypatch.setattr("docbats.cli.analyze.json_text", full_disk)
    out = write_file(tmp_path / "out.jsonl", "old")
    result = run(bats, boats, "-k", "2", "--format", "jsonl", "-o", out)
    assert result.exit_code == 1
    assert f"docbats: {out}: cannot be written: No space left on device" in result.stderr
    assert out.read_text(encoding="utf-8") == "old"
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("format_", FORMATS)
def test_no_result_leaves_the_older_file(tmp_path: Path, format_: str) -> None:
    out = write_file(tmp_path / "out", "old")
    missing = tmp_path / "absent"
    assert run(missing, missing, "-k", "2", "--format", format_, "-o", out).exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert out.read_text(encoding="utf-8") == "old"


def test_output_in_a_missing_folder_is_reported(tmp_path: Path, bats: Path) -> None:
    result = run(bats, "-k", "2", "-o", tmp_path / "absent" / "out")
    assert result.exit_code == 1
    assert "out: cannot be written: No such file or directory" in result.stderr
    assert result.stdout == ""


def test_folder_as_output_is_wrong_use(tmp_path: Path, bats: Path) -> None:
    assert run(bats, "-k", "2", "-o", tmp_path).exit_code == 2


@pytest.mark.parametrize("detour", ["bats.txt", "./bats.txt", "folder/../bats.txt", "link.txt"])
def test_output_never_overwrites_an_input(
    tmp_path: Path, bats: Path, boats: Path, detour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.txt").symlink_to(bats)
    result = run(boats, bats, "-k", "2", "-o", detour)
    assert result.exit_code == 2
    assert "would overwrite an input: name another file" in result.stderr
    assert bats.read_text(encoding="utf-8") == TEXT


def test_output_never_overwrites_the_stop_words(tmp_path: Path, bats: Path) -> None:
    stop_words = write_file(tmp_path / "stop.txt", "bats\n")
    assert run(bats, "-k", "2", "--stop-words", stop_words, "-o", stop_words).exit_code == 2
    assert stop_words.read_text(encoding="utf-8") == "bats\n"


@pytest.mark.parametrize("option", ["-o", "--html", "--insert-headings"])
def test_output_follows_a_link(tmp_path: Path, bats: Path, option: str) -> None:
    out = write_file(tmp_path / "out", "old")
    link = tmp_path / "link"
    link.symlink_to(out)
    output_of(bats, "-k", "2", "--type", "markdown", option, link)
    assert link.is_symlink()
    assert "Bats" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["-o", "--html", "--insert-headings"])
def test_links_in_a_circle_are_no_reason_to_fail(tmp_path: Path, bats: Path, option: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    assert "link: " in run(link, bats, "-o", tmp_path / "out").stderr
    output_of(bats, "-k", "2", "--type", "markdown", option, link)
    assert "Bats" in link.read_text(encoding="utf-8")


def test_output_into_a_pipe_leaves_it_a_pipe(tmp_path: Path, bats: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen([*COMMAND, str(bats), "-k", "2", "-o", str(pipe)], env=clean_env())
    received = pipe.read_text(encoding="utf-8")
    assert process.wait() == 0
    assert received == output_of(bats, "-k", "2")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_reader_that_leaves_early_is_no_error_to_shout_about(tmp_path: Path) -> None:
    path = write_file(tmp_path / "long.txt", TEXT * 3000)
    args = [str(path), str(path), "-k", "2", "--format", "json", "--tagger", "none"]
    with subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_env()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"[\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [
        ("<&-", 1, "docbats: standard input: closed: name a file"),
        ("< {text} >&-", 0, ""),
        ("< {text} > /dev/full", 1, "docbats: standard output: cannot be written: No space left"),
    ],
)
def test_closed_and_full_streams(bats: Path, redirection: str, code: int, message: str) -> None:
    script = f'"$@" - -k 2 {redirection.format(text=bats)}'
    process = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND], capture_output=True, check=False, env=clean_env()
    )
    assert process.returncode == code
    assert process.stderr.decode().startswith(message)

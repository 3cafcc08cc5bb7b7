from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tests.cli.command import FORMATS, TEXT, output_of, run, run_process, write_file


@pytest.mark.parametrize("format_", FORMATS)
def test_bad_file_is_reported_and_the_others_are_analyzed(
    tmp_path: Path, bats: Path, boats: Path, format_: str
) -> None:
    missing = tmp_path / "absent.txt"
    result = run(bats, missing, boats, "-k", "2", "--format", format_)
    assert result.exit_code == 1
    assert result.stderr == f"docbats: {missing}: no such file\n"
    if format_ == "json":
        assert [value["source"] for value in json.loads(result.stdout)] == [str(bats), str(boats)]
    else:
        assert result.stdout == output_of(bats, boats, "-k", "2", "--format", format_)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the document is empty: give a text"),
        (b" \n\t ", "the document is empty: give a text"),
        (b"\x7fELF\0\0\0", "a binary file, not text .*: convert it"),
        (b"One sentence only.", "k must be at most .* which is 1, got 2: give a smaller k"),
        (b"Bats fly. Tea cools.", "no word, stop words aside, .*: give a longer text"),
    ],
)
def test_message_names_the_file_and_what_to_do(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = write_file(tmp_path / "bad.txt", content)
    result = run(path, "-k", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(rf"docbats: {re.escape(str(path))}: {message}.*\n", result.stderr)


def test_folder_is_reported(tmp_path: Path) -> None:
    result = run(tmp_path, "-k", "2")
    assert result.exit_code == 1
    assert "a folder, not a file: name the files in it" in result.stderr


def test_bad_standard_input_is_reported_by_name() -> None:
    result = run("-", "-k", "2", stdin=b"\xff\xfe\x00")
    assert result.exit_code == 1
    assert result.stderr.startswith("docbats: standard input: not utf-16 text")


def test_missing_spacy_pipeline_says_how_to_get_it(bats: Path) -> None:
    result = run(bats, "-k", "2", "--tagger", "spacy:xx_absent_pipeline")
    assert result.exit_code == 1
    assert "install" in result.stderr


@pytest.mark.parametrize("format_", FORMATS)
def test_name_that_is_no_unicode_is_fine(tmp_path: Path, format_: str) -> None:
    path = write_file(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")), TEXT)
    result = run(path, "-k", "2", "--format", format_)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "moths" in result.stdout_bytes.decode()


def test_bad_file_whose_name_is_no_unicode_is_reported(tmp_path: Path) -> None:
    process = run_process(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"), "-k", "2")
    assert process.returncode == 1
    assert process.stderr.decode().endswith(".txt: no such file\n")


@pytest.mark.parametrize("format_", FORMATS)
def test_lone_surrogates_come_out_as_utf8(tmp_path: Path, format_: str) -> None:
    path = write_file(tmp_path / "odd.txt", TEXT.replace("cup", r"c\ud800p"))
    args: list[str | Path] = [path, "-k", "2", "--format", format_]
    args += ["--encoding", "raw_unicode_escape"]
    printed = run(*args)
    assert printed.exit_code == 0
    assert "moths" in printed.stdout_bytes.decode()
    output_of(*args, "-o", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == printed.stdout_bytes

from __future__ import annotations

import csv
import errno
import io
import json
import os
import pty
import re
import stat
import subprocess
import sys
import threading
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

import docbats
from docbats.cli import main

COMMAND = [sys.executable, "-m", "docbats"]
BATS = "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
TEA = "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water.\n"
TEXT = BATS + TEA
FORMATS = ["text", "json", "jsonl", "csv", "md"]
HOSTILE = (
    "\x1b]0;title\x07Bats hunt \x1b[2Jmoths\x08. \u202eMoths hear bats\u2066. Bats\x00 "
    "\x9b31mdive. \x7fTea needs\r hot water. Hot tea\x85 cools. \u200fWater, tea\ufeff and "
    "\x0b\x0cbats."
)


def _run(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, prog_name="docbats")


def _ok(*args: str | Path, stdin: str | bytes | None = None) -> str:
    result = _run(*args, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def _process(
    *args: str | Path, stdin: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, args)], input=stdin, capture_output=True, env=_env(**env), check=False
    )


def _env(**changes: str) -> dict[str, str]:
    unwanted = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
    return {k: v for k, v in os.environ.items() if k not in unwanted} | changes


@pytest.fixture
def bats(tmp_path: Path) -> Path:
    return _file(tmp_path / "bats.txt", TEXT)


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    return _file(tmp_path / "boats.txt", TEXT.replace("ats", "oats").replace("ea", "ees"))


def _file(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# What is printed


def test_text_shows_segments_and_topics(bats: Path) -> None:
    lines = _ok(bats, "-k", "2").splitlines()
    assert "6 sentences, 2 segments, 2 topics" in " ".join(lines)
    assert "Segments" in lines
    assert "Topics" in lines
    assert any(re.match(r" 1 +\w+.* T\d$", line) for line in lines)
    assert any(re.match(r" +sentences 1-3: \w+", line) for line in lines)
    assert any(re.match(r" T1 +█+ +\d+%  [▁▂▃▄▅▆▇█]{2}  \w+", line) for line in lines)


def test_json_of_one_file_is_what_the_library_gives(bats: Path) -> None:
    values = json.loads(_ok(bats, "-k", "2", "--format", "json"))
    assert values == {
        "source": str(bats),
        **docbats.analyze(TEXT, k=2).to_dict(top_words=10),
    }


def test_json_of_several_files_is_an_array(bats: Path, boats: Path) -> None:
    values = json.loads(_ok(bats, boats, "-k", "2", "--format", "json"))
    assert [value["source"] for value in values] == [str(bats), str(boats)]


def test_jsonl_is_one_line_a_file(bats: Path, boats: Path) -> None:
    lines = _ok(bats, boats, "-k", "2", "--format", "jsonl").splitlines()
    sources = [json.loads(line)["source"] for line in lines]
    assert sources == [str(bats), str(boats)]


def test_csv_is_one_row_a_segment_under_one_head(bats: Path, boats: Path) -> None:
    output = _ok(bats, boats, "-k", "2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output, newline="")))
    assert [(row["source"], row["segment"]) for row in rows] == [
        (str(path), number) for path in (bats, boats) for number in "01"
    ]
    for row in rows:
        text = Path(row["source"]).read_text(encoding="utf-8")
        assert row["text"] == text[int(row["start"]) : int(row["end"])]


def test_markdown_has_a_heading_for_each_file(bats: Path, boats: Path) -> None:
    output = _ok(bats, boats, "-k", "2", "--format", "md")
    assert re.findall(r"^# .*?(\w+)\.txt$", output, re.MULTILINE) == ["bats", "boats"]
    assert output.count("\n## Segments\n") == output.count("\n## Topics\n") == 2


def test_text_names_each_file(bats: Path, boats: Path) -> None:
    output = re.sub(r"\s+", "", _ok(bats, boats, "-k", "2"))
    assert output.index(str(bats)) < output.index(str(boats))


@pytest.mark.parametrize("format_", FORMATS)
def test_dash_reads_standard_input(format_: str) -> None:
    output = _ok("-", "-k", "2", "--format", format_, stdin=TEXT)
    assert "standard input" in output
    assert "moths" in output


@pytest.mark.parametrize("format_", ["text", "json"])
def test_second_process_prints_the_same_bytes(bats: Path, format_: str) -> None:
    process = _process(bats, "-k", "2", "--format", format_)
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.decode() == _ok(bats, "-k", "2", "--format", format_)


@pytest.mark.parametrize(("given", "shown"), [("1", 1), ("3", 3), ("99", None)])
def test_top_words_limits_words_and_keywords(bats: Path, given: str, shown: int | None) -> None:
    values = json.loads(_ok(bats, "-k", "2", "--top-words", given, "--format", "json"))
    result = docbats.analyze(TEXT, k=2)
    for topic, full in zip(values["topics"], result.topics, strict=True):
        assert [word["word"] for word in topic["words"]] == [w for w, _ in full.words[:shown]]
    for segment, whole in zip(values["segments"], result.segments, strict=True):
        keywords = [word["word"] for word in segment["keywords"]]
        assert keywords == [word for word, _ in whole.keywords[:shown]]


def test_naming_the_analyze_command_changes_nothing(bats: Path) -> None:
    assert _ok("analyze", bats, "-k", "2") == _ok(bats, "-k", "2")


def test_options_may_come_first(bats: Path) -> None:
    assert _ok("-k", "2", "--format", "md", bats) == _ok(bats, "--format", "md", "-k", "2")


# How it is laid out


def test_piped_lines_keep_to_80_columns(example: Path) -> None:
    for k in ("1", "7", "30"):
        lines = _ok(example, "-k", k).splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert not any(line.endswith(" ") for line in lines)


def test_wide_characters_keep_to_80_columns(tmp_path: Path) -> None:
    path = _file(
        tmp_path / ("蝙蝠" * 30 + ".txt"), "蝙蝠在夜里飞行和捕食飞蛾。飞蛾在夜里飞行。" * 20
    )
    lines = _ok(path, "-k", "4").splitlines()
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("format_", ["text", "md"])
def test_pipe_gets_no_escape_codes(bats: Path, format_: str) -> None:
    process = _process(bats, "absent", "-k", "2", "--format", format_, TERM="xterm-256color")
    assert b"\x1b" not in process.stdout + process.stderr


@pytest.mark.parametrize("format_", ["text", "md"])
def test_nothing_a_document_hides_reaches_the_terminal(tmp_path: Path, format_: str) -> None:
    path = _file(tmp_path / "hostile\x1b[2J\u202e.txt", HOSTILE)
    output = _ok(path, "-k", "2", "--format", format_, "--encoding", "utf-8")
    assert "moths" in output
    assert [line for line in output.split("\n") if not line.isprintable()] == []


def test_nothing_a_file_name_hides_reaches_the_terminal(tmp_path: Path) -> None:
    result = _run(tmp_path / "no\x1b]0;title\x07\u202e.txt", "-k", "2")
    assert result.exit_code == 1
    assert all(line.isprintable() for line in result.stderr.split("\n"))


def _on_a_terminal(*args: str | Path, **env: str) -> str:
    """Run the command with a terminal as its standard output, and return what it shows there."""
    terminal, stdout = pty.openpty()
    shown = bytearray()

    def collect() -> None:
        try:
            while data := os.read(terminal, 4096):
                shown.extend(data)
        except OSError as error:  # Linux reports the other end's closing so
            assert error.errno == errno.EIO  # noqa: PT017

    reader = threading.Thread(target=collect)
    reader.start()
    subprocess.run(
        [*COMMAND, *map(str, args)], stdout=stdout, env=_env(TERM="xterm", **env), check=True
    )
    os.close(stdout)
    reader.join()
    os.close(terminal)
    return shown.decode()


def test_terminal_gets_colours(bats: Path) -> None:
    assert re.search(r"\x1b\[[0-9;]*3\dm", _on_a_terminal(bats, "-k", "2", COLUMNS="80"))


def test_no_color_takes_the_colours_away(bats: Path) -> None:
    shown = _on_a_terminal(bats, "-k", "2", COLUMNS="80", NO_COLOR="1")
    assert "Segments" in shown
    assert not re.search(r"\x1b\[[0-9;]*[34]\dm", shown)


def test_terminal_width_is_used_up_to_100_columns(bats: Path) -> None:
    for columns, widest in (("60", 60), ("300", 100)):
        shown = _on_a_terminal(bats, "-k", "2", COLUMNS=columns)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
        assert widest - 5 <= max(map(cell_len, lines)) <= widest


# Writing to a file


@pytest.mark.parametrize("format_", FORMATS)
def test_output_file_holds_what_would_be_printed(
    tmp_path: Path, bats: Path, boats: Path, format_: str
) -> None:
    out = tmp_path / "out"
    args: list[str | Path] = [bats, boats, "-k", "2", "--format", format_]
    assert _ok(*args, "-o", out) == ""
    assert out.read_bytes().decode() == _ok(*args)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bats.txt", "boats.txt", "out"]


def test_output_file_replaces_an_older_one(tmp_path: Path, bats: Path) -> None:
    out = _file(tmp_path / "out.md", "old" * 10_000)
    _ok(bats, "-k", "2", "--format", "md", "--output", out)
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

    monkeypatch.setattr("docbats.cli.output_formats.json_text", full_disk)
    out = _file(tmp_path / "out.jsonl", "old")
    result = _run(bats, boats, "-k", "2", "--format", "jsonl", "-o", out)
    assert result.exit_code == 1
    assert f"docbats: {out}: cannot be written: No space left on device" in result.stderr
    assert out.read_text(encoding="utf-8") == "old"
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("format_", FORMATS)
def test_no_result_leaves_the_older_file(tmp_path: Path, format_: str) -> None:
    out = _file(tmp_path / "out", "old")
    missing = tmp_path / "absent"
    assert _run(missing, missing, "-k", "2", "--format", format_, "-o", out).exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert out.read_text(encoding="utf-8") == "old"


def test_output_in_a_missing_folder_is_reported(tmp_path: Path, bats: Path) -> None:
    result = _run(bats, "-k", "2", "-o", tmp_path / "absent" / "out")
    assert result.exit_code == 1
    assert "out: cannot be written: No such file or directory" in result.stderr
    assert result.stdout == ""


def test_folder_as_output_is_wrong_use(tmp_path: Path, bats: Path) -> None:
    assert _run(bats, "-k", "2", "-o", tmp_path).exit_code == 2


@pytest.mark.parametrize("detour", ["bats.txt", "./bats.txt", "folder/../bats.txt", "link.txt"])
def test_output_never_overwrites_an_input(
    tmp_path: Path, bats: Path, boats: Path, detour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.txt").symlink_to(bats)
    result = _run(boats, bats, "-k", "2", "-o", detour)
    assert result.exit_code == 2
    assert "would overwrite an input: name another file" in result.stderr
    assert bats.read_text(encoding="utf-8") == TEXT


def test_output_never_overwrites_the_stop_words(tmp_path: Path, bats: Path) -> None:
    stop_words = _file(tmp_path / "stop.txt", "bats\n")
    assert _run(bats, "-k", "2", "--stop-words", stop_words, "-o", stop_words).exit_code == 2
    assert stop_words.read_text(encoding="utf-8") == "bats\n"


def test_output_follows_a_link(tmp_path: Path, bats: Path) -> None:
    out = _file(tmp_path / "out", "old")
    link = tmp_path / "link"
    link.symlink_to(out)
    _ok(bats, "-k", "2", "-o", link)
    assert link.is_symlink()
    assert "Segments" in out.read_text(encoding="utf-8")


def test_output_into_a_pipe_leaves_it_a_pipe(tmp_path: Path, bats: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen([*COMMAND, str(bats), "-k", "2", "-o", str(pipe)], env=_env())
    received = pipe.read_text(encoding="utf-8")
    assert process.wait() == 0
    assert received == _ok(bats, "-k", "2")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# Files that cannot be analysed


@pytest.mark.parametrize("format_", FORMATS)
def test_bad_file_is_reported_and_the_others_are_analysed(
    tmp_path: Path, bats: Path, boats: Path, format_: str
) -> None:
    missing = tmp_path / "absent.txt"
    result = _run(bats, missing, boats, "-k", "2", "--format", format_)
    assert result.exit_code == 1
    assert result.stderr == f"docbats: {missing}: no such file\n"
    if format_ == "json":
        assert [value["source"] for value in json.loads(result.stdout)] == [str(bats), str(boats)]
    else:
        assert result.stdout == _ok(bats, boats, "-k", "2", "--format", format_)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the document is empty: give a text"),
        (b" \n\t ", "the document is empty: give a text"),
        (b"\x7fELF\0\0\0", "a binary file, not text .*: convert it"),
        (b"caf\xe9 au lait", "not UTF-8 text at byte 3: name its encoding"),
        (b"One sentence only.", "k=2 segments .* 1 sentence: give k from 1 to 1"),
        (b"Bats fly. Tea cools.", "no word, stop words aside, .*: give a longer text"),
    ],
)
def test_message_names_the_file_and_what_to_do(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = _file(tmp_path / "bad.txt", content)
    result = _run(path, "-k", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(rf"docbats: {re.escape(str(path))}: {message}.*\n", result.stderr)


def test_folder_is_reported(tmp_path: Path) -> None:
    result = _run(tmp_path, "-k", "2")
    assert result.exit_code == 1
    assert "a folder, not a file: name the files in it" in result.stderr


def test_bad_standard_input_is_reported_by_name() -> None:
    result = _run("-", "-k", "2", stdin=b"\xff\xfe\x00")
    assert result.exit_code == 1
    assert result.stderr.startswith("docbats: standard input: not utf-16 text")


def test_missing_spacy_pipeline_says_how_to_get_it(bats: Path) -> None:
    result = _run(bats, "-k", "2", "--tagger", "spacy:xx_absent_pipeline")
    assert result.exit_code == 1
    assert "install" in result.stderr


@pytest.mark.parametrize("format_", FORMATS)
def test_name_that_is_no_unicode_is_fine(tmp_path: Path, format_: str) -> None:
    path = _file(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")), TEXT)
    result = _run(path, "-k", "2", "--format", format_)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "moths" in result.stdout_bytes.decode()


def test_bad_file_whose_name_is_no_unicode_is_reported(tmp_path: Path) -> None:
    process = _process(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"), "-k", "2")
    assert process.returncode == 1
    assert process.stderr.decode().endswith(".txt: no such file\n")


@pytest.mark.parametrize("format_", FORMATS)
def test_lone_surrogates_come_out_as_utf8(tmp_path: Path, format_: str) -> None:
    path = _file(tmp_path / "odd.txt", TEXT.replace("cup", r"c\ud800p"))
    args: list[str | Path] = [path, "-k", "2", "--format", format_]
    args += ["--encoding", "raw_unicode_escape"]
    printed = _run(*args)
    assert printed.exit_code == 0
    assert "moths" in printed.stdout_bytes.decode()
    _ok(*args, "-o", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == printed.stdout_bytes


# Options


@pytest.mark.parametrize(
    ("args", "name", "value"),
    [
        ("-k 3", "k", 3),
        ("--award 2.5", "award", 2.5),
        ("--lambda 0", "award", 0.0),
        ("--window 2", "window", 2),
        ("-w 0", "window", 0),
        ("--decay 0.25", "decay", 0.25),
        ("-d 1", "decay", 1.0),
        ("--tau-p 3", "tau_p", 3.0),
        ("--tau-o 0", "tau_o", 0.0),
        ("--laplacian plain", "laplacian", "plain"),
        ("--laplacian none", "laplacian", "none"),
        ("--min-sentences 1", "min_sentences", 1),
        ("--no-stem", "stem", False),
        ("--stem", "stem", True),
        ("--tagger docbats", "tagger", "docbats"),
        ("--tagger none", "tagger", None),
        ("--sentences lines", "sentences", "lines"),
        ("--restarts 3", "restarts", 3),
        ("--seed 42", "seed", 42),
        ("--n-topics 1", "n_topics", 1),
        ("--cut linkage", "cut", "linkage"),
        ("--ranking kmeans", "ranking", "kmeans"),
        ("--min-size 2", "min_size", 2),
        ("--max-size 4", "max_size", 4),
        ("--size-unit words", "size_unit", "words"),
        ("--overlap 1", "overlap", 1),
    ],
)
def test_option_reaches_the_settings_alone(
    tmp_path: Path, args: str, name: str, value: object
) -> None:
    path = _file(tmp_path / "lines.txt", TEXT.replace(". ", ".\n"))
    values = json.loads(_ok(path, "-k", "2", *args.split(), "--format", "json"))
    expected = docbats.Settings(k=2).to_dict() | {name: value}
    assert values["settings"] == expected


def test_preset_is_taken(bats: Path) -> None:
    values = json.loads(_ok(bats, "-k", "2", "--preset", "paper", "--format", "json"))
    assert values["settings"] == replace(docbats.PRESETS["paper"], k=2).to_dict()


def test_without_k_the_text_decides(bats: Path) -> None:
    values = json.loads(_ok(bats, "--format", "json"))
    assert values["choice"]["k"] == len(values["segments"])
    assert values["choice"]["reason"] in " ".join(_ok(bats).split())
    assert json.loads(_ok(bats, "-k", "auto", "--format", "json")) == values


def test_outline_is_shown(bats: Path) -> None:
    assert "Outline" in _ok(bats, "--outline").splitlines()
    assert "## Outline" in _ok(bats, "--outline", "--format", "md").splitlines()
    values = json.loads(_ok(bats, "--outline", "--format", "json"))
    assert [entry["title"] for entry in values["outline"]] == [
        segment["title"] for segment in values["segments"]
    ]


def test_every_setting_has_an_option() -> None:
    options = {param.name for param in _commands()["analyze"].params}
    in_the_library_only = {"class_weights", "embedding_unit", "embeddings", "vectors"}
    assert {field.name for field in fields(docbats.Settings)} - options == in_the_library_only


def test_sentences_lines_takes_each_line_as_one(tmp_path: Path) -> None:
    path = _file(tmp_path / "lines.txt", "bats hunt. moths hide\n\nmoths hear bats\r\nbats\n")
    values = json.loads(_ok(path, "-k", "1", "--sentences", "lines", "--format", "json"))
    assert values["document"]["sentences"] == 3


def test_stop_words_replace_the_english_ones(tmp_path: Path, bats: Path) -> None:
    stop_words = _file(tmp_path / "stop.txt", "Bats\nmoths  tea\n")
    values = json.loads(
        _ok(bats, "-k", "2", "--stop-words", stop_words, "--format", "json", "--top-words", "99")
    )
    words = {word["word"] for topic in values["topics"] for word in topic["words"]}
    assert values["settings"]["stop_words"] == ["bats", "moths", "tea"]
    assert "the" in words
    assert words.isdisjoint({"bats", "moths", "tea"})


def test_missing_stop_words_are_reported(tmp_path: Path, bats: Path) -> None:
    result = _run(bats, "-k", "2", "--stop-words", tmp_path / "absent")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "absent: no such file" in result.stderr


def test_encoding_is_used(tmp_path: Path) -> None:
    text = "Fledermäuse fliegen. Fledermäuse jagen."
    path = _file(tmp_path / "latin.txt", text.encode("latin-1"))
    values = json.loads(_ok(path, "-k", "1", "--encoding", "latin-1", "--format", "json"))
    assert values["segments"][0]["text"] == text
    assert values["topics"][0]["label"] == "Fledermäuse"


def test_unknown_encoding_is_reported(bats: Path) -> None:
    result = _run(bats, "-k", "2", "--encoding", "klingon")
    assert result.exit_code == 1
    assert "there is no encoding 'klingon': try utf-8" in result.stderr


# Wrong use


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("-k 0", 'k must be a whole number, at least 1, or "auto", got 0'),
        ("-k -3", ", got -3"),
        ("-k three", "'three' is not a valid integer"),
        ("-k 2.5", "'2.5' is not a valid integer"),
        ("-k 2 --decay 2", "decay must be a number between 0 and 1, got 2.0"),
        ("-k 2 --decay nan", "decay must be a number between 0 and 1, got nan"),
        ("-k 2 --award -1", "award must be a number between 0 and 1000000000, got -1.0"),
        ("-k 2 --award inf", "award must be a number between 0 and 1000000000, got inf"),
        ("-k 2 --window -1", "window must be a whole number, at least 0, got -1"),
        ("-k 2 --tau-p -1", "tau_p must be a number between 0 and 1000000000, or None"),
        ("-k 2 --min-sentences 0", "min_sentences must be a whole number, at least 1, got 0"),
        ("-k 2 --restarts 0", "restarts must be a whole number, at least 1, got 0"),
        ("-k 2 --seed -1", "seed must be a whole number, at least 0, got -1"),
        ("-k 2 --tagger nltk", "--tagger must be docbats, spacy:PIPELINE or none, got nltk"),
        ("-k 2 --top-words 0", "0 is not in the range"),
        ("-k 2 --format xml", "'xml' is not one of"),
        ("-k 2 --laplacian random", "'random' is not one of"),
        ("-k 2 --sentences words", "'words' is not one of"),
        ("-k 2 --preset best", "'best' is not"),
        ("-k 2 --bogus", "No such option"),
    ],
)
def test_wrong_use_is_exit_2_with_a_reason(bats: Path, args: str, message: str) -> None:
    result = _run(bats, *args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "for help" in result.stderr


def test_option_without_its_value_is_wrong_use(bats: Path) -> None:
    result = _run(bats, "-k")
    assert result.exit_code == 2
    assert "Option '-k' requires an argument" in result.stderr


def test_no_file_is_wrong_use() -> None:
    result = _run("-k", "2")
    assert result.exit_code == 2
    assert "Missing argument 'FILE...'" in result.stderr


@pytest.mark.parametrize(("args", "code"), [("-k 2", 0), ("absent.txt -k 2", 1), ("-k 0", 2)])
def test_exit_codes_of_a_real_process(bats: Path, args: str, code: int) -> None:
    assert _process(bats, *args.split()).returncode == code


# Help and completion


def _commands() -> dict[str, click.Command]:
    return dict(main.commands)


def test_every_option_and_command_has_a_help_text() -> None:
    lacking = [
        f"{name} {param.name}"
        for name, command in _commands().items()
        for param in command.params
        if isinstance(param, click.Option) and not param.help
    ]
    assert lacking == []
    assert [name for name, command in _commands().items() if not command.help] == []


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["analyze", "--help"], ["a.txt", "--help"]])
def test_help_lists_every_option_and_examples(args: list[str]) -> None:
    output = _ok(*args)
    params = _commands()["analyze"].params
    options = [opt for param in params for opt in (*param.opts, *param.secondary_opts)]
    assert [opt for opt in options if opt.startswith("-") and opt not in output] == []
    assert re.search(r"Examples:\n +docbats \S+\n", output)
    assert "Exit codes: 0" in output
    assert max(map(len, output.splitlines())) <= 80


def test_help_lists_the_commands() -> None:
    assert [name for name in _commands() if f"\n  {name} " not in _ok("--help")] == []


def test_no_argument_at_all_shows_the_help() -> None:
    result = _run()
    assert result.exit_code == 2
    assert "Examples:" in result.stdout + result.stderr


def test_examples_in_the_help_are_right_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join([TEXT, TEXT.replace("ats", "oats"), TEXT.replace("ea", "ees")] * 2)
    pattern = re.compile(r"^ +(?:.* \| )?docbats (\S*(?:txt|-)(?: .+)?)$", re.MULTILINE)
    lines = pattern.findall(_ok("--help"))
    assert len(lines) >= 5
    for line in lines:
        words = ["report.txt" if word == "*.txt" else word for word in line.split()]
        for name in ("report.txt", "book.txt"):
            _file(tmp_path / name, text.replace(". ", ".\n"))
        assert _run(*words, stdin=text).exit_code == 0


def test_version() -> None:
    assert _ok("--version") == f"docbats {docbats.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_calls_the_command(shell: str) -> None:
    script = _run("completion", shell).stdout
    assert f"_DOCBATS_COMPLETE={shell}_complete" in script
    assert "docbats" in script


def test_completion_for_an_unknown_shell_is_wrong_use() -> None:
    assert _run("completion", "tcsh").exit_code == 2


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("docbats --for", {"--format"}),
        ("docbats report.txt --lap", {"--laplacian"}),
        ("docbats analyze --tau", {"--tau-p", "--tau-o"}),
        ("docbats comp", {"completion"}),
        ("docbats --format js", {"json", "jsonl"}),
        ("docbats report.txt -k 3 --laplacian p", {"plain"}),
        ("docbats completion z", {"zsh"}),
    ],
)
def test_completion_offers_what_fits(words: str, offered: set[str]) -> None:
    env = {
        "_DOCBATS_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    result = CliRunner(env=env).invoke(main, prog_name="docbats")
    items = [line.split(",", 1) for line in result.stdout.splitlines()]
    assert {value for kind, value in items if kind == "plain"} == offered
    assert len({tuple(item) for item in items}) == len(items)


def test_completion_works_in_a_real_process() -> None:
    process = _process(
        _DOCBATS_COMPLETE="bash_complete", COMP_WORDS="docbats --for", COMP_CWORD="1"
    )
    assert b"plain,--format" in process.stdout.splitlines()


# The other end of the pipe


def test_reader_that_leaves_early_is_no_error_to_shout_about(tmp_path: Path) -> None:
    path = _file(tmp_path / "long.txt", TEXT * 3000)
    args = [str(path), str(path), "-k", "2", "--format", "json", "--tagger", "none"]
    with subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_env()
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
        ["sh", "-c", script, "sh", *COMMAND], capture_output=True, check=False, env=_env()
    )
    assert process.returncode == code
    assert process.stderr.decode().startswith(message)

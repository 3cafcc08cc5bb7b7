from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.cli.command import TEXT, output_of, run, run_process, write_file

import docbats

if TYPE_CHECKING:
    from pathlib import Path


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
    path = write_file(tmp_path / "lines.txt", TEXT.replace(". ", ".\n"))
    values = json.loads(output_of(path, "-k", "2", *args.split(), "--format", "json"))
    expected = docbats.Settings(k=2).to_dict() | {name: value}
    assert values["settings"] == expected


def test_preset_is_taken(bats: Path) -> None:
    values = json.loads(output_of(bats, "-k", "2", "--preset", "paper", "--format", "json"))
    assert values["settings"] == replace(docbats.PRESETS["paper"], k=2).to_dict()


def test_without_k_the_text_decides(bats: Path) -> None:
    values = json.loads(output_of(bats, "--format", "json"))
    assert values["choice"]["k"] == len(values["segments"])
    assert values["choice"]["reason"] in " ".join(output_of(bats).split())
    assert json.loads(output_of(bats, "-k", "auto", "--format", "json")) == values


def test_sentences_lines_takes_each_line_as_one(tmp_path: Path) -> None:
    path = write_file(tmp_path / "lines.txt", "bats hunt. moths hide\n\nmoths hear bats\r\nbats\n")
    values = json.loads(output_of(path, "-k", "1", "--sentences", "lines", "--format", "json"))
    assert values["document"]["sentences"] == 3


def test_stop_words_replace_the_english_ones(tmp_path: Path, bats: Path) -> None:
    stop_words = write_file(tmp_path / "stop.txt", "Bats\nmoths  tea\n")
    values = json.loads(
        output_of(
            bats, "-k", "2", "--stop-words", stop_words, "--format", "json", "--top-words", "99"
        )
    )
    words = {word["word"] for topic in values["topics"] for word in topic["words"]}
    assert values["settings"]["stop_words"] == ["bats", "moths", "tea"]
    assert "the" in words
    assert words.isdisjoint({"bats", "moths", "tea"})


def test_missing_stop_words_are_reported(tmp_path: Path, bats: Path) -> None:
    result = run(bats, "-k", "2", "--stop-words", tmp_path / "absent")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "absent: no such file" in result.stderr


def test_encoding_is_used(tmp_path: Path) -> None:
    text = "Fledermäuse fliegen. Fledermäuse jagen."
    path = write_file(tmp_path / "latin.txt", text.encode("latin-1"))
    values = json.loads(output_of(path, "-k", "1", "--encoding", "latin-1", "--format", "json"))
    assert values["segments"][0]["text"] == text
    assert values["topics"][0]["label"] == "Fledermäuse"


def test_unknown_encoding_is_reported(bats: Path) -> None:
    result = run(bats, "-k", "2", "--encoding", "klingon")
    assert result.exit_code == 1
    assert "there is no encoding 'klingon': try utf-8" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("-k 0", 'k must be a whole number, at least 1, or "auto", got 0'),
        ("-k -3", ", got -3"),
        ("-k three", "must be a whole number or auto, got three"),
        ("-k 2.5", "must be a whole number or auto, got 2.5"),
        ("-k 2 --decay 2", "decay must be a number between 0 and 1, got 2.0"),
        ("-k 2 --decay nan", "decay must be a number between 0 and 1, got nan"),
        ("-k 2 --award -1", "award must be a number between 0 and 1000000000, got -1.0"),
        ("-k 2 --award inf", "award must be a number between 0 and 1000000000, got inf"),
        ("-k 2 --window -1", "window must be a whole number, at least 0, got -1"),
        ("-k 2 --tau-p -1", "tau_p must be a number between 0 and 1000000000, or None"),
        ("-k 2 --min-sentences 0", "min_sentences must be a whole number, at least 1, got 0"),
        ("-k 2 --restarts 0", "restarts must be a whole number, between 1 and 10000, got 0"),
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
    result = run(bats, *args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "for help" in result.stderr


def test_option_without_its_value_is_wrong_use(bats: Path) -> None:
    result = run(bats, "-k")
    assert result.exit_code == 2
    assert "Option '-k' requires an argument" in result.stderr


def test_no_file_is_wrong_use() -> None:
    result = run("-k", "2")
    assert result.exit_code == 2
    assert "Missing argument 'FILE...'" in result.stderr


@pytest.mark.parametrize(("args", "code"), [("-k 2", 0), ("absent.txt -k 2", 1), ("-k 0", 2)])
def test_exit_codes_of_a_real_process(bats: Path, args: str, code: int) -> None:
    assert run_process(bats, *args.split()).returncode == code

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import docbats
from docbats.cli import main

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
REPORT = EXAMPLES / "annual-report.txt"
ARTICLE = EXAMPLES / "article.txt"
BOOK = "# Bats\n\nThey fly at night. They hear.\n\n## Food\n\nThey eat moths. They drink water.\n"


def _run(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["chunk", *map(str, args)], input=stdin)


def _lines(*args: str | Path, stdin: str | None = None) -> list[dict[str, object]]:
    result = _run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_line_for_each_chunk_as_the_library_cuts_them() -> None:
    lines = _lines(REPORT, ARTICLE, "--chunk-size", "120", "--size-unit", "words")
    for path in (REPORT, ARTICLE):
        text = path.read_text()
        own = [line for line in lines if line["source"] == str(path)]
        chunks = docbats.chunk(text, 120, size_unit="words")
        assert [line["text"] for line in own] == [chunk.text for chunk in chunks]
        assert [line["chunk"] for line in own] == list(range(len(own)))
        assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)


def test_headings_as_context(tmp_path: Path) -> None:
    path = tmp_path / "bats.md"
    path.write_text(BOOK)
    last = _lines(path, "--chunk-size", "50", "--context", "headings")[-1]
    assert last["heading_path"] == ["Bats", "Food"]
    assert last["context"] == "Bats"
    assert last["content"] == "Bats\n\n" + str(last["text"])


def test_standard_input_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "chunks.jsonl"
    assert _lines("-", "-o", out, "--titles", stdin=ARTICLE.read_text()) == []
    assert all(json.loads(line)["topics"] for line in out.read_text().splitlines())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--chunk-size", "5", "--chunk-overlap", "5"], "chunk_overlap must be smaller"),
        (["--chunk-size", "0"], "0 is not in the range x>=1"),
        (["--context", "summary"], "'summary' is not one of"),
    ],
)
def test_wrong_use(args: list[str], message: str) -> None:
    result = _run(ARTICLE, *args)
    assert result.exit_code == 2
    assert message in result.output


def test_a_tokenizer_that_is_not_there() -> None:
    result = _run(ARTICLE, "--tokenizer", "nowhere/tokenizer.json")
    assert result.exit_code == 1
    assert "there is no tokenizer at nowhere/tokenizer.json" in result.output
    assert "Traceback" not in result.output


def test_a_file_that_cannot_be_read_does_not_stop_the_others() -> None:
    result = _run("missing.txt", ARTICLE)
    assert result.exit_code == 1
    assert "missing.txt" in result.stderr
    assert result.stdout.count("\n") > 3

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import docbats
from docbats.cli import chunk as chunk_parquet
from docbats.cli import main
from docbats.corpus.formats import schemas
from docbats.integrations.tables import CHUNK_COLUMNS

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


def test_a_table_has_a_row_for_each_line(tmp_path: Path) -> None:
    out = tmp_path / "chunks.parquet"
    book = tmp_path / "bats.md"
    book.write_text(BOOK)
    blank = tmp_path / "blank.txt"
    blank.write_text(" ")
    args: list[str | Path] = [book, REPORT, blank, "--chunk-size", "60", "--context", "headings"]
    assert _run(*args, "-o", out).exit_code == 0
    table = pq.read_table(out)
    assert table.schema.names == ["source", *CHUNK_COLUMNS]
    lines = _lines(*args)
    rows = table.to_pylist()
    assert [row["text"] for row in rows] == [line["text"] for line in lines]
    for row, line in zip(rows, lines, strict=True):
        for name in ("source", "chunk", "start", "end", "size", "title"):
            assert row[name] == line[name]
        assert row["heading_path"] == line.get("heading_path", [])
        assert row["context"] == line.get("context")
        assert row["topics"] is None
    first = out.read_bytes()
    assert _run(*args, "-o", out).exit_code == 0
    assert out.read_bytes() == first


def test_a_table_of_nothing_has_its_columns(tmp_path: Path) -> None:
    out = tmp_path / "table"
    assert _run("-", "--format", "parquet", "-o", out, stdin=" \n").exit_code == 0
    assert pq.read_table(out).num_rows == 0
    assert pq.read_schema(out).names == ["source", *CHUNK_COLUMNS]
    before = out.read_bytes()
    result = _run("missing.txt", "--format", "parquet", "-o", out)
    assert result.exit_code == 1
    assert out.read_bytes() == before


def test_the_format_goes_before_the_name_of_the_file(tmp_path: Path) -> None:
    out = tmp_path / "lines.parquet"
    assert _run(ARTICLE, "--format", "jsonl", "-o", out).exit_code == 0
    assert json.loads(out.read_text().splitlines()[0])["chunk"] == 0


def test_a_table_is_written_group_by_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_parquet, "_MIN_GROUP_ROWS", 5)
    out = tmp_path / "chunks.parquet"
    assert _run(REPORT, ARTICLE, "-o", out, "--chunk-size", "300").exit_code == 0
    found = pq.ParquetFile(out)
    assert found.num_row_groups == 2
    texts = found.read()["text"].to_pylist()
    expected = [docbats.chunk(path.read_text(), 300) for path in (REPORT, ARTICLE)]
    assert texts == [chunk.text for chunks in expected for chunk in chunks]


def test_a_lone_surrogate_is_replaced_in_a_table(tmp_path: Path) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": "A \ud800 bat. A bat."}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(book))
    out = tmp_path / "chunks.parquet"
    assert _run(path, "-o", out).exit_code == 0
    (row,) = pq.read_table(out).to_pylist()
    assert row["text"].startswith("A \ufffd bat.")
    assert (row["first_cell"], row["last_cell"]) == (1, 1)


def test_a_table_needs_a_file_and_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _run(ARTICLE, "--format", "parquet")
    assert result.exit_code == 2
    assert "--format parquet writes a file: name it by -o" in result.output
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    schemas.cache_clear()
    result = _run(ARTICLE, "-o", tmp_path / "a.parquet")
    assert result.exit_code == 1
    assert result.stderr == 'docbats: Parquet files need pyarrow: pip install "docbats[corpus]"\n'

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from docbats import analyze
from docbats.corpus import CorpusOptions, run
from docbats.corpus.documents import InputDocument
from docbats.corpus.errors import Failure
from docbats.corpus.formats import FORMATS, get_format
from docbats.corpus.rows import failure_row, result_row

from .conftest import text_of, tree

PAGE = Path(__file__).parent.parent.parent / "docs" / "corpus.md"


def rows_of(texts: list[str]) -> list[dict[str, Any]]:
    documents = [InputDocument(f"d{i}", "in", text, place=i) for i, text in enumerate(texts)]
    rows = [result_row(r, analyze(str(r.content)), top_words=4, with_text=True) for r in documents]
    failed = InputDocument("lost", "in", None, place=len(texts))
    return [*rows, failure_row(failed, Failure("bad-bytes", "no text"))]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    format_ = get_format(name)
    rows = rows_of([text_of(1), text_of(2)])
    format_.write(tmp_path, 3, [format_.encode(row) for row in reversed(rows)])
    assert format_.finished(tmp_path) == {3}
    briefs = format_.read(tmp_path, 3)
    assert [brief.id for brief in briefs] == ["d0", "d1", "lost"]
    assert briefs[2].failure == Failure("bad-bytes", "no text")
    assert (briefs[0].k, briefs[0].sentences) == (rows[0]["k"], 6)
    assert briefs[0].characters == len(text_of(1))
    assert briefs[0].checksum == rows[0]["sha256"]
    topics = rows[0]["topics"]
    assert briefs[0].words == tuple(tuple(w["word"] for w in t["words"]) for t in topics)


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_part_says_so(tmp_path: Path, name: str) -> None:
    format_ = get_format(name)
    format_.write(tmp_path, 0, [format_.encode(row) for row in rows_of([text_of(1) * 30])])
    for path in tmp_path.rglob("part-*"):
        path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises((ValueError, OSError)):
        format_.read(tmp_path, 0)


@pytest.mark.parametrize("name", FORMATS)
def test_lone_surrogates_are_no_obstacle(tmp_path: Path, faults: Any, name: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "\\ud800", "text": "A \\udc00 bat. One bat. A bat sleeps."}\n')
    options = CorpusOptions(format=name)
    assert run(path, tmp_path / "out", options, engine=faults.HereEngine).failed == 0
    assert run(path, tmp_path / "out", options, resume=True).resumed == 1


def test_the_tables_hold_the_rows(tmp_path: Path, lines: Path, faults: Any) -> None:
    out = tmp_path / "out"
    run(lines, out, CorpusOptions(format="parquet", part_size=5), engine=faults.HereEngine)
    documents = pq.read_table(out / "documents").to_pylist()
    segments = pq.read_table(out / "segments").to_pylist()
    topics = pq.read_table(out / "topics").to_pylist()
    assert len(documents) == 17
    result = analyze(text_of(16)).to_dict(top_words=10)
    assert {**result["document"], "k": len(result["segments"])}.items() <= documents[16].items()
    last = [segment for segment in segments if segment["id"] == "d16"]
    for row, segment in zip(last, result["segments"], strict=True):
        for key in segment.keys() - {"sentences"}:
            assert row[key] == segment[key], key
        assert [row["first_sentence"], row["end_sentence"]] == segment["sentences"]
        assert row["text"] == text_of(16)[row["start"] : row["end"]]
    last = [topic for topic in topics if topic["id"] == "d16"]
    for row, topic in zip(last, result["topics"], strict=True):
        assert topic.items() <= row.items()


def test_parquet_bytes_do_not_tell_who_made_the_rows(
    tmp_path: Path, lines: Path, faults: Any
) -> None:
    options = CorpusOptions(format="parquet", part_size=9)
    run(lines, tmp_path / "two", options, jobs=2)
    run(lines, tmp_path / "here", options, engine=faults.HereEngine)
    assert tree(tmp_path / "two") == tree(tmp_path / "here")


@pytest.fixture
def tables(tmp_path: Path, lines: Path, faults: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in the folder ``out`` of the working directory, as in the docs."""
    run(
        lines,
        tmp_path / "out",
        CorpusOptions(format="parquet", part_size=5),
        engine=faults.HereEngine,
    )
    monkeypatch.chdir(tmp_path)


def block(start: str, language: str) -> str:
    """Return the block of the page that begins so."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return next(found for found in blocks if found.startswith(start))


@pytest.mark.integrations("duckdb", "duckdb")
@pytest.mark.usefixtures("tables")
def test_the_query_of_the_docs_in_duckdb() -> None:
    import duckdb

    rows = duckdb.connect().execute(block("SELECT", "sql")).fetchall()
    assert rows
    assert all(isinstance(word, str) and count >= 1 for word, count in rows)


@pytest.mark.integrations("polars", "docbats[polars]")
@pytest.mark.usefixtures("tables")
def test_the_lines_of_the_docs_in_polars() -> None:
    names: dict[str, Any] = {}
    exec(block("import polars", "python"), names)
    assert names["segments"].collect().height > 17


@pytest.mark.integrations("pandas", "docbats[pandas]")
@pytest.mark.usefixtures("tables")
@pytest.mark.filterwarnings("default")
def test_the_lines_of_the_docs_in_pandas() -> None:
    names: dict[str, Any] = {}
    exec(block("import pandas", "python"), names)
    assert len(names["documents"]) == 17


def test_the_format_of_the_docs_is_the_one_written(tmp_path: Path, faults: Any) -> None:
    """Every column and every key is explained."""
    page = PAGE.read_text()
    get_format("parquet").check()
    from docbats.corpus.formats import schemas as tables

    for schema in tables().values():
        for name in schema.names:
            assert f"`{name}`" in page, name
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"text": text_of(1)}) + "\n")
    run(path, tmp_path / "out", engine=faults.HereEngine)
    for key in json.loads((tmp_path / "out" / "part-000000.jsonl").read_text()):
        assert f"`{key}`" in page, key

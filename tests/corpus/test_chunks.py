"""Chunks of many documents."""

from __future__ import annotations

import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import docbats
from docbats import Document, MissingExtraError, SettingsError, corpus
from docbats.cli import main
from docbats.corpus import CorpusOptions, ResumeError
from docbats.corpus.formats import schemas
from docbats.integrations.tables import CHUNK_COLUMNS, chunk_rows

from .conftest import tree, write_lines

BOOK = "# Bats\n\nThey fly at night. They hear.\n\n## Food\n\nThey eat moths. They drink water.\n"
CAPTIONS = """\
WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ann>Bats hunt moths at night. Moths hear bats.

00:00:04.000 --> 00:00:09.000
<v Bob>Tea needs hot water. Hot tea cools down.
"""


def test_a_row_has_the_chunks_of_its_document(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.md").write_text(BOOK)
    (folder / "b.txt").write_text("Bats fly. " * 30)
    (folder / "c.txt").write_text(" ")
    arguments = ["corpus", str(folder), "-o", str(tmp_path / "out"), "--chunks", "-q", "-j", "1"]
    arguments += ["--chunk-size", "50", "--context", "headings"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    parts = sorted((tmp_path / "out").rglob("part-*.jsonl"))
    rows = [json.loads(line) for part in parts for line in part.read_text().splitlines()]
    assert [row["k"] for row in rows] == [len(row["chunks"]) for row in rows]
    found = {row["id"]: row["chunks"] for row in rows}
    expected = docbats.chunk(BOOK, 50, context="headings")
    (name,) = [name for name in found if name.endswith("a.md")]
    assert [each["text"] for each in found[name]] == [each.text for each in expected]
    assert found[name][-1]["content"] == expected[-1].content
    again = CliRunner().invoke(main, [*arguments, "--resume"])
    assert again.exit_code == 0, again.output


def test_as_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "x", "text": "Bats fly. " * 30}) + "\n")
    options = CorpusOptions(chunks={"chunk_size": 50}, with_text=False)
    (document,) = corpus.stream([str(path)], options, jobs=1)
    row = json.loads(document.row)
    assert len(row["chunks"]) > 5
    assert "text" not in row["chunks"][0]


def test_the_table_of_chunks_is_what_the_library_cuts(tmp_path: Path, faults: Any) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.md").write_text(BOOK)
    (folder / "b.vtt").write_text(CAPTIONS)
    (folder / "c.txt").write_text(" \n")
    (folder / "d.exe").write_bytes(b"MZ\x00")
    chunks: dict[str, Any] = {
        "chunk_size": 60,
        "chunk_overlap": 30,
        "context": "headings",
        "titles": True,
    }
    options = CorpusOptions(format="parquet", chunks=chunks)
    summary = corpus.run(folder, tmp_path / "out", options, engine=faults.HereEngine)
    assert (summary.documents, summary.failed) == (4, 1)
    documents = pq.read_table(tmp_path / "out" / "documents").to_pylist()
    assert [row["k"] for row in documents] == [2, 2, 0, None]
    assert [row["error_kind"] for row in documents] == [None, None, None, "bad-bytes"]
    table = pq.read_table(tmp_path / "out" / "chunks")
    assert table.schema.names == ["id", "place", *CHUNK_COLUMNS]
    rows = table.to_pylist()
    expected = []
    for place, name in enumerate(["a.md", "b.vtt"]):
        document = Document.read(folder / name)
        found = docbats.chunk(document, document_id=name, **chunks)
        expected += [{"id": name, "place": place, **row} for row in chunk_rows(found)]
        for chunk, row in zip(found, (row for row in rows if row["id"] == name), strict=True):
            assert row["text"] == document.text[row["start"] : row["end"]]
            parts = [row["context"], row["text"]] if row["context"] else [row["text"]]
            assert "\n\n".join(parts) == chunk.content
    assert rows == expected
    assert [row["speakers"] for row in rows[2:]] == [["Ann"], ["Bob"]]
    assert (rows[2]["begins"], rows[3]["ends"]) == (1.0, 9.0)
    assert any(row["start"] < row["own_start"] for row in rows)
    assert any(row["topics"] for row in rows)
    assert all(row["topics"] is not None for row in rows)


def test_sentences_and_language_of_the_chunks_hold_for_files(tmp_path: Path, faults: Any) -> None:
    path = tmp_path / "texts" / "a.md"
    path.parent.mkdir()
    path.write_text("# Bats\n\nOne bat\nflies. Two bats\nhear. They eat moths.\n")
    found = []
    each: list[dict[str, Any]] = [{"sentences": "lines"}, {"language": "de"}]
    for own in each:
        options = CorpusOptions(format="jsonl", chunks={"chunk_size": 20, **own})
        out = tmp_path / "-".join(own.values())
        corpus.run(path.parent, out, options, engine=faults.HereEngine)
        (part,) = out.rglob("part-*.jsonl")
        texts = [chunk["text"] for chunk in json.loads(part.read_text())["chunks"]]
        document = Document.read(path, **own)
        assert texts == [chunk.text for chunk in docbats.chunk(document, 20)]
        found.append(texts)
    assert found[0] != found[1]


def test_a_resumed_table_has_the_same_bytes(tmp_path: Path, lines: Path, faults: Any) -> None:
    options = CorpusOptions(format="parquet", part_size=5, chunks={"chunk_size": 40})
    run = partial(corpus.run, lines, options=options, engine=faults.HereEngine)
    run(tmp_path / "whole")
    out = tmp_path / "out"
    run(out)
    (out / "chunks" / "part-000001.parquet").write_bytes(b"damaged")
    (out / "documents" / "part-000002.parquet").unlink()
    summary = run(out, resume=True)
    assert summary.repaired == ("chunks/part-000001.parquet",)
    assert summary.resumed == 7
    assert tree(out) == tree(tmp_path / "whole")


def test_many_processes_write_the_bytes_of_one(tmp_path: Path, lines: Path, faults: Any) -> None:
    chunks = {"chunk_size": 12, "size_unit": "words", "chunk_overlap": 4}
    options = CorpusOptions(format="parquet", part_size=9, chunks=chunks)
    corpus.run(lines, tmp_path / "two", options, jobs=2)
    corpus.run(lines, tmp_path / "here", options, engine=faults.HereEngine)
    assert tree(tmp_path / "two") == tree(tmp_path / "here")


def test_a_table_without_texts_and_with_lone_surrogates(tmp_path: Path, faults: Any) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "\\ud800", "text": "A \\udc00 bat. One bat. A bat sleeps."}\n')
    for with_text, texts in ((True, ["A \ufffd bat. One bat. A bat sleeps."]), (False, [None])):
        out = tmp_path / str(with_text)
        options = CorpusOptions(format="parquet", chunks={}, with_text=with_text)
        assert corpus.run(path, out, options, engine=faults.HereEngine).failed == 0
        assert pq.read_table(out / "chunks")["text"].to_pylist() == texts
        assert corpus.run(path, out, options, resume=True).resumed == 1


@pytest.mark.integrations("duckdb", "duckdb")
def test_the_query_of_the_docs_gives_what_to_index(
    tmp_path: Path, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    path = write_lines(tmp_path / "in.jsonl", [BOOK])
    chunks: dict[str, Any] = {"chunk_size": 50, "context": "headings"}
    options = CorpusOptions(format="parquet", chunks=chunks)
    corpus.run(path, tmp_path / "chunks", options, engine=faults.HereEngine)
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parent.parent.parent / "docs" / "corpus.md").read_text()
    (query,) = re.findall(r"```sql\n(SELECT id, chunk.*?)```", page, re.DOTALL)
    found = duckdb.connect().execute(query).fetchall()
    assert [row[2] for row in found] == [each.content for each in docbats.chunk(BOOK, **chunks)]


def test_functions_are_named_in_what_the_run_was_asked_for(tmp_path: Path, faults: Any) -> None:
    path = write_lines(tmp_path / "in.jsonl", [BOOK])
    options = CorpusOptions(chunks={"size_unit": len, "tokenizer": None})
    corpus.run(path, tmp_path / "out", options, engine=faults.HereEngine)
    request = json.loads((tmp_path / "out" / "run.json").read_text())
    assert request["chunks"] == {"size_unit": "function:len", "tokenizer": None}
    assert "tokenizers" not in request["versions"]
    counted = CorpusOptions(chunks={"tokenizer": str.split}).to_dict()
    assert counted["chunks"] == {"tokenizer": "function:str.split"}
    assert "tokenizers" in counted["versions"]


@pytest.mark.integrations("tokenizers", "docbats[tokens]")
def test_a_tokenizer_that_has_changed_is_noticed(tmp_path: Path, faults: Any) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    path, tokens = write_lines(tmp_path / "in.jsonl", [BOOK]), tmp_path / "tokenizer.json"
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tokens))
    options = CorpusOptions(chunks={"chunk_size": 20, "tokenizer": str(tokens)})
    out = tmp_path / "out"
    corpus.run(path, out, options, engine=faults.HereEngine)
    assert corpus.run(path, out, options, resume=True).resumed == 1
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tokens))
    with pytest.raises(ResumeError, match=r"versions tokenizer\.json was \"[0-9a-f]{64}\" and is"):
        corpus.run(path, out, options, resume=True)


@pytest.mark.parametrize(
    ("chunks", "options", "message"),
    [
        ({}, {"reports": True}, "reports need an analysis"),
        ({"chunk_size": 0}, {}, "chunk_size must be a whole number"),
        ({"k": 3}, {}, "chunks have no option 'k': the options are chunk_size, "),
    ],
)
def test_wrong_options(chunks: dict[str, int], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        CorpusOptions(chunks=chunks, **options)


def test_without_pyarrow_nothing_is_begun(
    tmp_path: Path, lines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    schemas.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "docbats\[corpus\]"'):
        corpus.run(lines, tmp_path / "out", CorpusOptions(format="parquet", chunks={}))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--chunk-size=9", "--context=title", "--titles"])
def test_options_of_chunks_need_chunks(lines: Path, option: str) -> None:
    result = CliRunner().invoke(main, ["corpus", str(lines), option])
    assert result.exit_code == 2
    assert f"{option.partition('=')[0]} is for chunks: add --chunks" in result.output


def test_sizes_are_spelt_as_in_the_command_for_chunks(tmp_path: Path, lines: Path) -> None:
    """The same options mean the same chunks, and without --chunks the sizes of segments."""
    sizes = ["--min-size", "4", "--size-unit", "words"]
    result = CliRunner().invoke(
        main, ["corpus", str(lines), "--chunks", "--chunk-size", "9", "-j", "1", *sizes]
    )
    assert result.exit_code == 0, result.output
    row = json.loads(result.stdout.splitlines()[0])
    text = json.loads(lines.read_text().splitlines()[0])["text"]
    (tmp_path / "a.txt").write_text(text)
    arguments = ["chunk", str(tmp_path / "a.txt"), "--chunk-size", "9", *sizes]
    alone = [json.loads(line) for line in CliRunner().invoke(main, arguments).stdout.splitlines()]
    assert [(c["start"], c["size"]) for c in row["chunks"]] == [
        (c["start"], c["size"]) for c in alone
    ]
    plain = CliRunner().invoke(main, ["corpus", str(lines), "-j", "1", "--max-size", "9", *sizes])
    assert plain.exit_code == 0, plain.output
    for unit, more in (("sentences", ["--chunks"]), ("tokens", [])):
        wrong = CliRunner().invoke(main, ["corpus", str(lines), "--size-unit", unit, *more])
        assert wrong.exit_code == 2
        assert "size_unit must be one of" in wrong.output


def test_the_command_writes_tables(tmp_path: Path, lines: Path) -> None:
    out = tmp_path / "out"
    arguments = ["corpus", str(lines), "-o", str(out), "--chunks", "--format", "parquet", "-q"]
    arguments += ["-j", "1", "--chunk-size", "8", "--size-unit", "words", "--titles"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    rows = pq.read_table(out / "chunks").to_pylist()
    assert {row["id"] for row in rows} == {f"d{number}" for number in range(17)}
    assert max(row["size"] for row in rows) <= 8
    assert all(row["topics"] is not None for row in rows)
    assert CliRunner().invoke(main, ["corpus", "report", str(out)]).exit_code == 0

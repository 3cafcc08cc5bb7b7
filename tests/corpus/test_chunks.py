"""Chunks of many documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import docbats
from docbats import corpus
from docbats.cli import main
from docbats.corpus import CorpusOptions
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

BOOK = "# Bats\n\nThey fly at night. They hear.\n\n## Food\n\nThey eat moths. They drink water.\n"


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "parquet"}, "chunks are written as JSON lines"),
        ({"reports": True}, "reports need an analysis"),
    ],
)
def test_what_chunks_cannot_go_with(options: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        CorpusOptions(chunks={}, **options)  # type: ignore[arg-type]


def test_options_of_the_chunker_are_checked() -> None:
    with pytest.raises(SettingsError, match="chunk_size must be a whole number"):
        CorpusOptions(chunks={"chunk_size": 0})

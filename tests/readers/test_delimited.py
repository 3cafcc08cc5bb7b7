from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from pathlib import Path

CELLS = st.text("ab,;|\t\"'\n é", max_size=6)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "name,food\nPip,moths\nAnn,\"tea, hot\"\n"),
        ("a.csv", "name;food\nPip;moths\nAnn;tea, hot\n"),
        ("a.csv", "\ufeffname\tfood\nPip\tmoths\nAnn\ttea, hot\n"),
        ("a.csv", "sep=|\nname|food\nPip|moths\n\nAnn|tea, hot\n"),
        ("a.TSV", "name\tfood\nPip\tmoths\nAnn\ttea, hot\n"),
        ("a.csv", "name,food\r\nPip,moths\r\nAnn,\"tea,\n hot\"\r\n"),
    ],
)  # fmt: skip
def test_rows_are_lines_of_one_table(name: str, text: str) -> None:
    read = read_file(text.encode(), name=name)
    assert read.kind == "csv"
    assert read.text == "name\tfood\nPip\tmoths\nAnn\ttea, hot"
    assert [block.kind for block in read.blocks] == ["table"]
    assert list(read.document().sentences) == read.text.split("\n")


def test_a_file_without_columns_is_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Bats fly at night.\nThey hear the walls.\n")
    assert Document.read(path).text == path.read_text()
    path.write_text("")
    assert docbats.chunk(path) == [] if path.stat().st_size else True


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5))
def test_what_is_written_is_read(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=",").writerows([["one", "two", "three", "four"], *rows])
    text = read_file(f"sep=,\n{file.getvalue()}".encode(), name="a.csv").text
    lines = (" ".join("\t".join(" ".join(c.split()) for c in row).split(" ")) for row in rows)
    expected = [line.rstrip("\t") for line in lines if line.strip()]
    assert text.split("\n") == ["one\ttwo\tthree\tfour", *expected]


def test_chunks_have_whole_rows_below_their_header() -> None:
    text = "name,food\n" + "".join(f"bat {i},moths of kind {i}\n" for i in range(300))
    document = Document.read(text.encode(), name="bats.csv")
    chunks = docbats.chunk(document, 200)
    assert len(chunks) > 20
    for chunk in chunks:
        header, *rows = chunk.content.split("\n")
        assert header == "name\tfood"
        assert all(row.count("\t") == 1 and row.startswith("bat ") for row in rows)


def test_a_table_of_texts_can_be_analyzed() -> None:
    rows = [
        "Bats hunt moths at night",
        "Moths hear the bats",
        "Tea needs hot water",
        "Hot tea cools",
    ]
    text = "id,text\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows * 3))
    result = docbats.analyze(Document.read(text.encode(), name="a.csv"), k=2)
    assert len(result.segments) == 2
    assert result.topics[0].words

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sample_files import Files, PdfLine

import docbats
from docbats import (
    Chunker,
    Document,
    InputError,
    SettingsError,
    TooFewSentencesError,
    analyze,
)
from docbats.integrations.tables import (
    CHUNK_COLUMNS,
    SEGMENT_COLUMNS,
    chunk_rows,
    chunk_table,
    segment_rows,
    segment_table,
)

PAGE = Path(__file__).parent.parent.parent / "docs" / "frameworks.md"

words = st.text("ab .\n#|-é😀", min_size=1, max_size=30)
texts = st.lists(words, max_size=12).map("\n\n".join)


@given(texts, st.integers(5, 60), st.integers(0, 4), st.booleans())
def test_offsets_refer_to_the_text(text: str, size: int, overlap: int, strip: bool) -> None:
    table = chunk_table(chunk_size=size, chunk_overlap=overlap, strip=strip)
    values = table.values(["a", "b", "c"], [text, None, text])
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    assert [row for row in rows if row["id"] == "b"] == []
    first = [row for row in rows if row["id"] == "a"]
    assert [{**row, "id": "a"} for row in rows if row["id"] == "c"] == first
    for number, row in enumerate(first):
        assert row["chunk"] == number
        assert text[row["start"] : row["end"]] == row["text"]
        assert row["start"] <= row["own_start"] < row["end"]
        assert row["size"] <= size


def test_a_row_has_all_values_of_a_chunk(captions: Document, markdown: Document) -> None:
    options: dict[str, Any] = {"chunk_size": 60, "chunk_overlap": 20, "context": "headings"}
    for document in (captions, markdown):
        chunks = docbats.chunk(document, titles=True, **options)
        for number, (chunk, row) in enumerate(zip(chunks, chunk_rows(chunks), strict=True)):
            assert list(row) == list(CHUNK_COLUMNS)
            assert row["chunk"] == number
            for name in ("start", "end", "own_start", "size", "title", "document_title", "text"):
                assert row[name] == getattr(chunk, name)
            for name in ("heading_path", "speakers", "topics"):
                assert row[name] == list(getattr(chunk, name))
            assert row["context"] == (chunk.context or None)
            seconds = None if chunk.place is None else chunk.place.seconds
            assert (row["begins"], row["ends"]) == (seconds or (None, None))
    assert {row["topics"] for row in chunk_rows(docbats.chunk(captions, 60))} == {None}


def test_rows_know_pages_and_cells(files: Files) -> None:
    pages = [[PdfLine("Bats hunt moths. " * 3, 700)], [PdfLine("Tea needs water. " * 3, 700)]]
    pdf = files.pdf(pages)
    rows = chunk_rows(docbats.chunk(Document.read(pdf, name="a.pdf"), 60))
    assert [(row["first_page"], row["last_page"]) for row in rows] == [(1, 1), (2, 2)]
    assert rows[0]["first_cell"] is None


def test_errors_name_the_row_that_cannot_be_cut() -> None:
    table = chunk_table(chunk_size=9)
    with pytest.raises(InputError, match=r"row b: expected a string .* got int"):
        table.values(["a", "b"], ["Bats fly.", 1])
    with pytest.raises(InputError, match=r"row 0: expected a string .* got list"):
        table.values([0], [["Bats fly."]])


def test_only_options_of_a_chunker_are_allowed() -> None:
    with pytest.raises(SettingsError, match="chunks have no option 'preset': the options are "):
        chunk_table(preset="sharp")
    with pytest.raises(SettingsError, match="chunk_overlap must be smaller"):
        chunk_table(chunk_size=3, chunk_overlap=3)


@pytest.mark.parametrize("options", [{}, {"size_unit": "words"}, {"tokenizer": str.split}])
def test_a_chunker_can_be_sent_to_another_process(options: dict[str, Any]) -> None:
    chunker = Chunker(10, **options)
    sent = pickle.loads(pickle.dumps(chunker))
    assert sent == chunker
    assert sent("Bats fly. They hear.") == chunker("Bats fly. They hear.")


def test_every_column_is_explained() -> None:
    page = PAGE.read_text()
    assert [name for name in CHUNK_COLUMNS if f"`{name}`" not in page] == []


def test_errors_name_the_row_that_cannot_be_analyzed() -> None:
    texts = ["One. Two. Red one.", "One."]
    with pytest.raises(TooFewSentencesError, match="row b: "):
        segment_table("sharp", k=3, min_sentences=1).values(["a", "b"], texts)
    with pytest.raises(
        InputError, match=r"row 7: expected a string or a docbats\.Document, got int"
    ):
        segment_table("sharp").values([7], [1])


def test_blank_and_missing_texts_have_no_rows() -> None:
    columns = segment_table("sharp").values([1, 2], [None, " \n"])
    assert columns == {name: [] for name in ("id", *SEGMENT_COLUMNS)}


def test_rows_of_segments_know_headings_speakers_and_times(
    captions: Document, markdown: Document
) -> None:
    first, second = segment_rows(analyze(captions, k=2))
    assert list(first) == list(SEGMENT_COLUMNS)
    assert (first["speakers"], first["begins"], first["ends"]) == (["Ann"], 1.0, 4.0)
    assert (second["speakers"], second["begins"]) == (["Bob"], 4.0)
    assert segment_rows(analyze(markdown, k=2))[1]["heading_path"] == ["Tea"]
    assert segment_rows(analyze(markdown, k=2))[1]["first_page"] is None

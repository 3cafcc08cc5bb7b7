"""Frames of chunks: the same for every library."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import Document, InputError, SettingsError
from docbats.integrations.tables import CHUNK_COLUMNS, chunk_rows

if TYPE_CHECKING:
    from pathlib import Path

BOOK = "# Bats\n\nThey fly at night. They hear.\n\n## Food\n\nThey eat moths. They drink water.\n"
OPTIONS: dict[str, Any] = {
    "chunk_size": 12,
    "chunk_overlap": 4,
    "size_unit": "words",
    "context": "headings",
}


class Library:
    """Makes frames of a library, and reads them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module: Any = importlib.import_module(name)
        self.ours: Any = importlib.import_module(f"docbats.integrations.{name}")

    def frame(self, **columns: list[Any]) -> Any:
        match self.name:
            case "pyarrow":
                return self.module.table(columns)
            case "datasets":
                return self.module.Dataset.from_dict(columns)
            case _:
                return self.module.DataFrame(columns)

    def rows(self, frame: Any) -> list[dict[str, Any]]:
        match self.name:
            case "pandas":
                found = frame.astype(object).where(frame.notna(), None).to_dict("records")
            case "polars":
                found = frame.to_dicts()
            case "pyarrow":
                found = frame.to_pylist()
            case _:
                found = list(frame)
        return [dict(row) for row in found]

    def types(self, frame: Any) -> list[tuple[str, str]]:
        match self.name:
            case "pandas":
                return [(name, str(frame[name].dtype)) for name in frame.columns]
            case "polars":
                return [(name, str(type_)) for name, type_ in frame.schema.items()]
            case "pyarrow":
                return [(field.name, str(field.type)) for field in frame.schema]
            case _:
                return [(name, str(type_)) for name, type_ in frame.features.items()]


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.integrations(name, f"docbats[{name}]"))
        for name in ("pandas", "polars", "pyarrow", "datasets")
    ]
)
def library(request: pytest.FixtureRequest) -> Library:
    """Each library in turn."""
    if request.param == "datasets":
        from datasets.utils.logging import disable_progress_bar

        disable_progress_bar()
    return Library(request.param)


def expected(
    ids: list[Any], sources: list[str], *, are_given: bool = False
) -> list[dict[str, Any]]:
    return [
        {"id": id_, **row}
        for id_, source in zip(ids, sources, strict=True)
        for row in chunk_rows(
            docbats.chunk(source, document_id=id_ if are_given else None, **OPTIONS)
        )
    ]


def test_one_row_per_chunk_with_every_column(library: Library, example: Path) -> None:
    text = example.read_text()
    frame = library.frame(name=["a", "b", "c", "d"], body=[BOOK, text, " \n", None])
    found = library.ours.chunks(frame, "body", "name", **OPTIONS)
    rows = library.rows(found)
    assert rows == expected(["a", "b"], [BOOK, text], are_given=True)
    assert list(rows[0]) == ["id", *CHUNK_COLUMNS]
    for row in rows:
        source = BOOK if row["id"] == "a" else text
        assert source[row["start"] : row["end"]] == row["text"]


def test_ids_are_row_numbers(library: Library) -> None:
    found = library.ours.chunks(library.frame(text=[" ", BOOK]), **OPTIONS)
    assert library.rows(found) == expected([1], [BOOK])


def test_topics_on_request(library: Library, example: Path) -> None:
    frame = library.frame(text=[example.read_text()])
    found = library.rows(library.ours.chunks(frame, titles=True))
    assert all(row["topics"] and row["title"] for row in found)


def test_an_empty_frame_has_the_same_types(library: Library) -> None:
    full = library.ours.chunks(library.frame(text=[BOOK, None]), **OPTIONS)
    nothing = library.ours.chunks(library.frame(text=["", None]), **OPTIONS)
    assert library.rows(nothing) == []
    assert library.types(nothing) == library.types(full)
    plain = library.ours.chunks(library.frame(text=["Bats fly."]))
    assert library.types(plain) == library.types(full)


def test_wrong_use_is_refused(library: Library) -> None:
    chunks = library.ours.chunks
    with pytest.raises(InputError, match="no column 'body': the columns are text"):
        chunks(library.frame(text=["a"]), "body")
    with pytest.raises(SettingsError, match="chunks have no option 'k': the options are"):
        chunks(library.frame(text=["a"]), k=3)
    with pytest.raises(SettingsError, match="chunk_size must be a whole number"):
        chunks(library.frame(text=["a"]), chunk_size=0)
    with pytest.raises(InputError, match=r"got builtins\.list"):
        chunks(["a"])
    with pytest.raises(InputError, match="row 0: expected a string"):
        chunks(library.frame(text=[1]))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.integrations(name, f"docbats[{name}]"))
        for name in ("pandas", "polars")
    ],
)
def test_series_have_chunks(name: str) -> None:
    library = Library(name)
    found = library.module.Series([BOOK, None]).docbats.chunks(**OPTIONS)
    assert library.rows(found) == expected([0], [BOOK])


@pytest.mark.integrations("pandas", "docbats[pandas]")
def test_documents_and_the_index_of_pandas(captions: Document) -> None:
    import pandas as pd

    from docbats.integrations.pandas import chunks

    found = chunks(pd.Series([captions, None], index=["x", "y"]), chunk_size=40)
    assert found["id"].tolist() == ["x", "x"]
    assert found["speakers"].tolist() == [["Ann"], ["Bob"]]
    assert found["begins"].tolist() == [1.0, 4.0]
    nothing = chunks(pd.Series([None], index=["x"]))
    assert nothing["id"].dtype == pd.Series([], index=pd.Index([], dtype="str")).index.dtype


@pytest.mark.integrations("polars", "docbats[polars]")
def test_lazy_frames_and_expressions_of_polars(example: Path) -> None:
    import polars as pl

    from docbats.integrations.polars import chunks

    frame = pl.DataFrame({"name": list("abc"), "text": [BOOK, None, example.read_text()]})
    eager: Any = chunks(frame, id_column="name", **OPTIONS)
    lazy: Any = chunks(frame.lazy(), id_column="name", **OPTIONS)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    column: Any = pl.col("text")
    lists = frame.select("name", column.docbats.chunks(**OPTIONS)).filter(
        pl.col("text").list.len() > 0
    )
    # An expression does not know the ids of the documents, so it makes those of chunks of the text.
    found = lists.explode("text").unnest("text").drop("chunk_id")
    assert found.equals(eager.rename({"id": "name"}).drop("chunk_id"))


@pytest.mark.integrations("datasets", "docbats[datasets]")
def test_a_stream_takes_the_mapper() -> None:
    import datasets

    from docbats.integrations.datasets import ChunkMapper

    streamed = datasets.Dataset.from_dict({"name": ["a", "b"], "text": [BOOK, " "]})
    mapper = ChunkMapper(id_column="name", **OPTIONS)
    found = streamed.to_iterable_dataset().map(
        mapper,
        batched=True,
        remove_columns=["name", "text"],
        features=ChunkMapper.features("string"),
    )
    assert [dict(row) for row in found] == expected(["a"], [BOOK], are_given=True)
    with pytest.raises(InputError, match="pass batched=True"):
        mapper({"name": "a", "text": BOOK})  # type: ignore[dict-item]


@pytest.mark.integrations("datasets", "docbats[datasets]")
def test_datasets_reuses_its_cache() -> None:
    from datasets.fingerprint import Hasher

    from docbats.integrations.datasets import ChunkMapper

    used = ChunkMapper(**OPTIONS)
    used({"text": [BOOK]})
    assert Hasher.hash(used) == Hasher.hash(ChunkMapper(**OPTIONS))
    assert Hasher.hash(used) != Hasher.hash(ChunkMapper(**{**OPTIONS, "chunk_size": 13}))

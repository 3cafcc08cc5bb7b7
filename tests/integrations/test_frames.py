from __future__ import annotations

import doctest
import importlib
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError, analyze
from docbats.integrations.tables import SEGMENT_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

PANDAS = pytest.param("pandas", marks=pytest.mark.integrations("pandas", "docbats[pandas]"))
POLARS = pytest.param("polars", marks=pytest.mark.integrations("polars", "docbats[polars]"))
TEXT = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."


@pytest.fixture(params=[PANDAS, POLARS])
def library(request: pytest.FixtureRequest) -> ModuleType:
    """The library itself."""
    return importlib.import_module(request.param)


@pytest.fixture
def ours(library: ModuleType) -> Any:
    """Our module for it."""
    return importlib.import_module(f"docbats.integrations.{library.__name__}")


def rows(frame: Any) -> list[dict[str, Any]]:
    found = frame.to_dict("records") if hasattr(frame, "iterrows") else frame.to_dicts()
    return list(found)


def test_docstrings_tell_the_truth(ours: ModuleType) -> None:
    assert doctest.testmod(ours).failed == 0


def test_one_row_per_segment(library: Any, ours: Any, example: Path) -> None:
    text = example.read_text()
    frame = library.DataFrame({"name": ["a", "b"], "body": [text, "Tea cools. Tea steams."]})
    found = ours.segments(frame, "body", "name", k="auto")
    assert list(found.columns) == ["id", *SEGMENT_COLUMNS]
    first = [row for row in rows(found) if row["id"] == "a"]
    for row, segment in zip(first, analyze(text).segments, strict=True):
        assert text[row["start"] : row["end"]] == row["text"] == segment.text
        assert row["title"] == segment.title
    assert [row["segment"] for row in first] == list(range(len(first)))
    assert rows(found)[-1]["id"] == "b"


def test_settings_are_passed_on(library: Any, ours: Any, example: Path) -> None:
    series = library.Series([example.read_text()])
    for found in (
        ours.segments(series, max_size=300, size_unit="characters"),
        series.docbats.segments(max_size=300, size_unit="characters"),
    ):
        assert max(row["end"] - row["start"] for row in rows(found)) <= 300


def test_missing_and_blank_texts_have_no_rows(library: Any, ours: Any) -> None:
    frame = library.DataFrame({"text": [None, "", " ", "Tea cools. Tea steams."]})
    found = ours.segments(frame, k=1)
    assert [row["id"] for row in rows(found)] == [3]
    nothing = ours.segments(frame[:3], k=1)
    assert (len(nothing), list(nothing.columns)) == (0, ["id", *SEGMENT_COLUMNS])
    for name in ("id", "segment", "start", "end", "strength"):
        assert nothing[name].dtype == found[name].dtype


def test_wrong_use_is_refused(library: Any, ours: Any) -> None:
    with pytest.raises(InputError, match="no column 'body': the columns are text"):
        ours.segments(library.DataFrame({"text": ["a"]}), "body")
    with pytest.raises(InputError, match="a series has no columns"):
        ours.segments(library.Series(["a"]), "body")
    with pytest.raises(
        InputError, match=r"row 0: expected a string or a docbats\.Document, got int"
    ):
        ours.segments(library.Series([1]))
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        ours.segments(library.Series(["a"]), chunk_size=100)
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        library.Series(["a"]).docbats.segments(chunk_size=100)


@pytest.mark.integrations("pandas", "docbats[pandas]")
def test_the_index_of_pandas_is_the_id() -> None:
    import pandas as pd

    from docbats.integrations.pandas import segments

    found = segments(pd.Series(["Tea cools. Tea steams."], index=["x"]), k=2)
    assert found["id"].tolist() == ["x", "x"]


@pytest.mark.integrations("pandas", "docbats[pandas]")
def test_documents_of_docbats_are_texts_of_pandas(captions: Any) -> None:
    import pandas as pd

    from docbats.integrations.pandas import segments

    found = segments(pd.Series([captions, None]), k=2)
    assert found["speakers"].tolist() == [["Ann"], ["Bob"]]
    assert found["begins"].tolist() == [1.0, 4.0]


@pytest.mark.integrations("polars", "docbats[polars]")
def test_documents_of_docbats_are_texts_of_polars(captions: Any) -> None:
    import polars as pl

    from docbats.integrations.polars import segments

    found: Any = segments(pl.Series([captions], dtype=pl.Object), k=2)
    assert found["speakers"].to_list() == [["Ann"], ["Bob"]]


@pytest.mark.integrations("polars", "docbats[polars]")
def test_a_lazy_frame_returns_a_lazy_frame(example: Path) -> None:
    import polars as pl

    from docbats.integrations.polars import segments

    frame = pl.DataFrame({"name": list("abc"), "text": [example.read_text(), " ", None]})
    lazy: Any = segments(frame.lazy(), id_column="name", k=3)
    assert isinstance(lazy, pl.LazyFrame)
    eager: Any = segments(frame, id_column="name", k=3)
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    numbered: Any = segments(frame.lazy(), k=3)
    assert numbered.collect()["id"].to_list() == [0, 0, 0]
    with pytest.raises(InputError, match="no column 'body': the columns are name, text"):
        segments(frame.lazy(), "body")


@pytest.mark.integrations("polars", "docbats[polars]")
def test_segments_as_an_expression(example: Path) -> None:
    import polars as pl

    from docbats.integrations.polars import segments

    frame = pl.DataFrame({"text": [example.read_text(), " ", None]})
    column: Any = pl.col("text")
    found = frame.with_columns(parts=column.docbats.segments(k=3))
    assert found["parts"].list.len().to_list() == [3, 0, 0]
    eager: Any = segments(frame, k=3)
    rows = frame.select(column.docbats.segments(k=3)).filter(pl.col("text").list.len() > 0)
    assert rows.explode("text").unnest("text").equals(eager.drop("id"))
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        column.docbats.segments(chunk_size=3)


@pytest.mark.integrations("pyarrow", "docbats[pyarrow]")
def test_tables_of_arrow(example: Path) -> None:
    import pyarrow as pa

    from docbats.integrations import pyarrow

    text = example.read_text()
    table = pa.table({"name": ["a", "b", "c"], "body": [text, " ", None]})
    found = pyarrow.segments(table, "body", "name", k=3)
    assert found.column_names == ["id", *SEGMENT_COLUMNS]
    assert found["id"].to_pylist() == ["a"] * 3
    assert "".join(found["text"].to_pylist()) == text
    assert pyarrow.segments(table["body"], k=3)["id"].to_pylist() == [0] * 3
    assert pyarrow.segments(table.slice(1), "body", k=3).schema.names == ["id", *SEGMENT_COLUMNS]
    with pytest.raises(InputError, match="no column 'text': the columns are name, body"):
        pyarrow.segments(table)
    assert doctest.testmod(pyarrow).failed == 0


@pytest.mark.integrations("pyarrow", "docbats[pyarrow]")
def test_a_table_of_another_library_names_its_module(library: Any, ours: Any) -> None:
    import pyarrow as pa

    from docbats.integrations import pyarrow

    wrong = f"expected a {library.__name__}.DataFrame .*: use docbats.integrations.pyarrow"
    with pytest.raises(InputError, match=wrong):
        ours.segments(pa.table({"text": ["a"]}))
    with pytest.raises(InputError, match=f"use docbats.integrations.{library.__name__}"):
        pyarrow.segments(library.DataFrame({"text": ["a"]}))
    with pytest.raises(InputError, match=r"got builtins\.list$"):
        ours.segments(["a"])


@pytest.mark.integrations("pandas", "docbats[pandas]")
@pytest.mark.integrations("polars", "docbats[polars]")
@pytest.mark.integrations("pyarrow", "docbats[pyarrow]")
def test_a_result_is_a_frame_of_any_library(example: Path, captions: Any) -> None:
    result = analyze(example.read_text(), k=3)
    frames: list[Any] = [result.to_frame(), result.to_frame("polars"), result.to_frame("arrow")]
    assert [type(frame).__module__.partition(".")[0] for frame in frames] == [
        "pandas",
        "polars",
        "pyarrow",
    ]
    expected = [segment.text for segment in result.segments]
    for frame in frames:
        assert list(getattr(frame, "column_names", None) or frame.columns) == list(SEGMENT_COLUMNS)
        texts = frame["text"]
        assert (texts.to_pylist() if hasattr(texts, "to_pylist") else list(texts)) == expected
    assert analyze(captions, k=2).to_frame()["speakers"].tolist() == [["Ann"], ["Bob"]]
    with pytest.raises(SettingsError, match="library must be one of pandas, polars, arrow"):
        result.to_frame("excel")  # type: ignore[arg-type]


@pytest.mark.integrations("duckdb", "duckdb")
@pytest.mark.integrations("pyarrow", "docbats[pyarrow]")
def test_duckdb_reads_and_writes_the_tables_of_arrow() -> None:
    import duckdb

    from docbats.integrations.pyarrow import chunks, segments

    with duckdb.connect() as connection:
        relation: Any = connection.sql("SELECT 7 AS name, ? AS text", params=[TEXT])
        texts = relation.to_arrow_table()
        connection.register("parts", segments(texts, id_column="name", k=2))
        parts = connection.execute("SELECT id, start, text FROM parts").fetchall()
        assert parts == [(7, 0, TEXT[:34]), (7, 34, TEXT[34:])]
        connection.register("pieces", chunks(texts))
        pieces = connection.execute("SELECT id, len(heading_path), text FROM pieces").fetchall()
        assert pieces == [(0, 0, TEXT)]

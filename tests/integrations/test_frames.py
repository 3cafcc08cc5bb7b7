from __future__ import annotations

import doctest
import importlib
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

PANDAS = pytest.param("pandas", marks=pytest.mark.integrations("pandas", "docbats[pandas]"))
POLARS = pytest.param("polars", marks=pytest.mark.integrations("polars", "docbats[polars]"))
COLUMNS = ["id", "segment", "start", "end", "title", "topics", "strength", "text"]


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


def test_a_row_a_segment(library: Any, ours: Any, example: Path) -> None:
    text = example.read_text()
    frame = library.DataFrame({"name": ["a", "b"], "body": [text, "Tea cools. Tea steams."]})
    found = ours.segments(frame, "body", "name", k="auto")
    assert list(found.columns) == COLUMNS
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
    assert (len(nothing), list(nothing.columns)) == (0, COLUMNS)
    for name in ("id", "segment", "start", "end", "strength"):
        assert nothing[name].dtype == found[name].dtype


def test_wrong_use_is_refused(library: Any, ours: Any) -> None:
    with pytest.raises(InputError, match="no column 'body': the columns are text"):
        ours.segments(library.DataFrame({"text": ["a"]}), "body")
    with pytest.raises(InputError, match="a series has no columns"):
        ours.segments(library.Series(["a"]), "body")
    with pytest.raises(InputError, match="row 0: expected a string, got int"):
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

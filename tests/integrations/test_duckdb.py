from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import InputError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.integrations("duckdb", "docbats[duckdb]"),
    pytest.mark.integrations("pyarrow", "docbats[pyarrow]"),
]


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import duckdb

    assert doctest.testmod(duckdb).failed == 0


@pytest.mark.parametrize("own", [False, True])
def test_relations_become_relations(tmp_path: Path, example: Path, own: bool) -> None:
    import duckdb

    from docbats.integrations.duckdb import chunks, segments

    connection: Any = duckdb.connect() if own else None
    (tmp_path / "a.txt").write_text(example.read_text())
    (tmp_path / "blank.txt").write_text(" ")
    texts = (connection or duckdb).sql(
        f"SELECT content AS \"the text\", filename AS name FROM read_text('{tmp_path}/*.txt')"
    )
    found = chunks(texts, "the text", "name", chunk_size=400, connection=connection)
    assert len(found.fetchall()) == len(docbats.chunk(example.read_text(), 400))
    assert found.filter("size > 400").fetchall() == []
    joined = found.join(texts, "id = name")  # of the same connection
    assert len(joined.fetchall()) == len(found.fetchall())
    parts = segments(texts, "the text", connection=connection, k=3)
    assert parts.select("id, segment").fetchall() == [(0, 0), (0, 1), (0, 2)]


def test_wrong_use_is_refused() -> None:
    import duckdb

    from docbats.integrations.duckdb import chunks

    texts: Any = duckdb.sql("SELECT 'Bats' AS a")
    with pytest.raises(InputError, match="there is no column 'text': the columns are a"):
        chunks(texts)
    with pytest.raises(InputError, match=r"expected a .*DuckDBPyRelation, got builtins\.list"):
        chunks(["Bats"])  # type: ignore[arg-type]

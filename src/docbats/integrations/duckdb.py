"""DuckDB: from a relation with a column of texts to a relation of segments or of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.errors import require_extra
from docbats.integrations.tables import check_columns, check_type

with require_extra("DuckDB", "duckdb"):
    import duckdb

    from docbats.integrations import pyarrow as arrow

if TYPE_CHECKING:
    from typing import Unpack

    import pyarrow as pa

    from docbats.options import ChunkOptionsWithSize, SettingOptionsWithK

__all__ = ["chunks", "segments"]


def segments(
    data: duckdb.DuckDBPyRelation,
    column: str = "text",
    id_column: str | None = None,
    *,
    connection: duckdb.DuckDBPyConnection | None = None,
    **settings: Unpack[SettingOptionsWithK],
) -> duckdb.DuckDBPyRelation:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Without an `id_column`, ids are row numbers from 0. The rows of `data` are held in memory. Pass
    the `connection` of `data` unless it is DuckDB's own. The other arguments are as for
    :func:`docbats.integrations.pandas.segments`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> texts = duckdb.values([text]).select("col0 AS text")
    >>> segments(texts, k=2).select("start").fetchall()
    [(0,), (34,)]
    """
    found = arrow.segments(_table(data, column, id_column), column, id_column, **settings)
    return (connection or duckdb).from_arrow(found)


def chunks(
    data: duckdb.DuckDBPyRelation,
    column: str = "text",
    id_column: str | None = None,
    *,
    connection: duckdb.DuckDBPyConnection | None = None,
    **options: Unpack[ChunkOptionsWithSize],
) -> duckdb.DuckDBPyRelation:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    The arguments are as for :func:`segments`, but with options of :class:`docbats.Chunker`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> texts = duckdb.values([text]).select("col0 AS text")
    >>> chunks(texts, chunk_size=40).select("start").fetchall()
    [(0,), (34,)]
    """
    found = arrow.chunks(_table(data, column, id_column), column, id_column, **options)
    return (connection or duckdb).from_arrow(found)


def _table(data: duckdb.DuckDBPyRelation, column: str, id_column: str | None) -> pa.Table:
    """Return the columns of texts and of ids."""
    check_type(data, duckdb.DuckDBPyRelation)
    check_columns(data.columns, id_column, column)
    names = dict.fromkeys([column, id_column or column])
    return data.project(", ".join(map(_quoted, names))).to_arrow_table()


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'

"""Arrow: from a column of texts to a table of segments or of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.chunks.chunker import DEFAULT_SIZE
from docbats.errors import require_extra
from docbats.integrations.tables import check_type, chunk_table, find_texts_and_ids, segment_table

with require_extra("pyarrow", "pyarrow"):
    import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.integrations.tables import TextTable

__all__ = ["chunks", "make_frame", "make_schema", "segments"]

_OF_KIND = {
    "int": pa.int64(),
    "float": pa.float64(),
    "str": pa.string(),
    "strs": pa.list_(pa.string()),
}


def segments(
    data: pa.Table | pa.Array | pa.ChunkedArray,
    column: str | None = None,
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> pa.Table:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Offsets count characters, as Python does.

    Parameters
    ----------
    data
        An array of texts, or a table.
    column
        Name of the column that holds the texts, if `data` is a table; ``"text"`` by default.
    id_column
        Name of the column that holds their ids; the row number, from 0, by default. To add other
        columns of the texts, join by `id`.
    k, preset, **settings
        As for :func:`docbats.analyze`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(pa.table({"text": [text]}), k=2).column("start").to_pylist()
    [0, 34]
    """
    return _table(data, column, id_column, segment_table(preset, k=k, **settings))


def chunks(
    data: pa.Table | pa.Array | pa.ChunkedArray,
    column: str | None = None,
    id_column: str | None = None,
    *,
    chunk_size: int = DEFAULT_SIZE,
    **options: Any,
) -> pa.Table:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    Parameters
    ----------
    data, column, id_column
        As for :func:`segments`.
    chunk_size
        The largest size of a chunk.
    **options
        Any other attribute of :class:`docbats.Chunker`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(pa.table({"text": [text]}), chunk_size=40).column("start").to_pylist()
    [0, 34]
    """
    return _table(data, column, id_column, chunk_table(chunk_size=chunk_size, **options))


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pa.Table:
    """Make a table of values whose columns hold what `columns` says."""
    return pa.table({name: values[name] for name in columns}, make_schema(columns))


def make_schema(columns: Mapping[str, str]) -> pa.Schema:
    """Return the types of columns."""
    return pa.schema([(name, _OF_KIND[kind.rstrip("?")]) for name, kind in columns.items()])


def _table(
    data: pa.Table | pa.Array | pa.ChunkedArray,
    column: str | None,
    id_column: str | None,
    table: TextTable,
) -> pa.Table:
    check_type(data, "pyarrow", pa.Table, pa.Array, pa.ChunkedArray)
    is_table = isinstance(data, pa.Table)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_table)
    if ids is None:
        ids = pa.array(range(len(texts)), pa.int64())
    values = table.values(ids.to_pylist(), texts.to_pylist())
    found = make_frame(values, table.columns)
    return found.add_column(0, "id", pa.array(values["id"], ids.type))

"""Arrow: from a column of texts to a table of segments or of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import require_extra
from docbats.integrations.tables import chunk_table, find_texts_and_ids, segment_table

with require_extra("pyarrow", "pyarrow"):
    import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from docbats.integrations.tables import TextTable
    from docbats.options import ChunkOptionsWithSize, SettingOptionsWithK

__all__ = ["chunks", "make_frame", "make_schema", "segments"]

_TYPES = {
    "int": pa.int64(),
    "float": pa.float64(),
    "str": pa.string(),
    "strs": pa.list_(pa.string()),
}


def segments(
    data: pa.Table | pa.Array | pa.ChunkedArray,
    column: str | None = None,
    id_column: str | None = None,
    **settings: Unpack[SettingOptionsWithK],
) -> pa.Table:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    `data` is a table or an array of texts; without an `id_column`, ids are row numbers from 0. The
    other arguments are as for :func:`docbats.integrations.pandas.segments`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(pa.table({"text": [text]}), k=2).column("start").to_pylist()
    [0, 34]
    """
    return _table(data, column, id_column, segment_table(**settings))


def chunks(
    data: pa.Table | pa.Array | pa.ChunkedArray,
    column: str | None = None,
    id_column: str | None = None,
    **options: Unpack[ChunkOptionsWithSize],
) -> pa.Table:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    The arguments are as for :func:`segments`, but with options of :class:`docbats.Chunker`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(pa.table({"text": [text]}), chunk_size=40).column("start").to_pylist()
    [0, 34]
    """
    return _table(data, column, id_column, chunk_table(**options))


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pa.Table:
    """Return a table of values with columns of these types."""
    return pa.table({name: values[name] for name in columns}, make_schema(columns))


def make_schema(columns: Mapping[str, str]) -> pa.Schema:
    """Return the Arrow schema of columns."""
    return pa.schema([(name, _TYPES[type_.rstrip("?")]) for name, type_ in columns.items()])


def _table(data: Any, column: str | None, id_column: str | None, table: TextTable) -> pa.Table:
    types = (pa.Table, pa.Array, pa.ChunkedArray)
    texts, ids = find_texts_and_ids(data, column, id_column, *types)
    if ids is None:
        ids = pa.array(range(len(texts)), pa.int64())
    values = table.values(ids.to_pylist(), texts.to_pylist(), are_given=id_column is not None)
    found = make_frame(values, table.columns)
    return found.add_column(0, "id", pa.array(values["id"], ids.type))

"""Arrow: from a column of texts to a table of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.integrations.require_extra import require_extra
from docbats.integrations.segment_table import (
    COLUMNS,
    check_type,
    find_texts_and_ids,
    segment_columns,
)

with require_extra("pyarrow", "pyarrow"):
    import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["make_frame", "segments"]

_OF_KIND = {
    "int": pa.int64(),
    "int?": pa.int64(),
    "float?": pa.float64(),
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
    check_type(data, "pyarrow", pa.Table, pa.Array, pa.ChunkedArray)
    is_table = isinstance(data, pa.Table)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_table)
    if ids is None:
        ids = pa.array(range(len(texts)), pa.int64())
    columns = segment_columns(ids.to_pylist(), texts.to_pylist(), preset, k=k, **settings)
    found = make_frame(columns)
    return found.add_column(0, "id", pa.array(columns["id"], ids.type))


def make_frame(columns: Mapping[str, list[Any]]) -> pa.Table:
    """Make a table of columns of segments."""
    types = {name: _OF_KIND[kind] for name, kind in COLUMNS.items()}
    arrays = {name: pa.array(columns[name], type_) for name, type_ in types.items()}
    return pa.table(arrays)

"""polars: from a column of texts to a frame of segments or chunks, eager, lazy or expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from docbats.errors import require_extra
from docbats.integrations.tables import (
    check_columns,
    chunk_table,
    find_texts_and_ids,
    segment_table,
)

with require_extra("polars", "polars"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from docbats.integrations.tables import TextTable
    from docbats.options import ChunkOptionsWithSize, SettingOptionsWithK

__all__ = ["DocbatsExprNamespace", "DocbatsNamespace", "chunks", "make_frame", "segments"]

_TYPES: dict[str, Any] = {
    "int": pl.Int64,
    "float": pl.Float64,
    "str": pl.String,
    "strs": pl.List(pl.String),
}
_ROWS = "docbats_rows"  # the column of lists in a lazy frame, before it is exploded


def segments(
    data: pl.DataFrame | pl.LazyFrame | pl.Series,
    column: str | None = None,
    id_column: str | None = None,
    **settings: Unpack[SettingOptionsWithK],
) -> pl.DataFrame | pl.LazyFrame:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    `data` is a frame or a series of texts; a lazy frame returns a lazy frame. Without an
    `id_column`, ids are row numbers from 0. The other arguments are as for
    :func:`docbats.integrations.pandas.segments`. Offsets count characters, as ``str.slice`` does.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(pl.Series([text]), k=2).select("id", "segment", "start", "end").rows()
    [(0, 0, 0, 34), (0, 1, 34, 69)]
    """
    return _frame(data, column, id_column, segment_table(**settings))


def chunks(
    data: pl.DataFrame | pl.LazyFrame | pl.Series,
    column: str | None = None,
    id_column: str | None = None,
    **options: Unpack[ChunkOptionsWithSize],
) -> pl.DataFrame | pl.LazyFrame:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    The arguments are as for :func:`segments`, but with options of :class:`docbats.Chunker`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(pl.Series([text]), chunk_size=40).select("id", "chunk", "start", "end").rows()
    [(0, 0, 0, 33), (0, 1, 34, 69)]
    """
    return _frame(data, column, id_column, chunk_table(**options))


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pl.DataFrame:
    """Return a frame of values with columns of these types."""
    return pl.DataFrame(values, schema=_schema(columns))


def _schema(columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: _TYPES[type_.rstrip("?")] for name, type_ in columns.items()}


def _frame(
    data: Any, column: str | None, id_column: str | None, table: TextTable
) -> pl.DataFrame | pl.LazyFrame:
    if isinstance(data, pl.LazyFrame):
        return _lazy_frame(data, column or "text", id_column, table)
    types = (pl.DataFrame, pl.LazyFrame, pl.Series)
    texts, ids = find_texts_and_ids(data, column, id_column, *types)
    if ids is None:
        ids = pl.Series(range(len(texts)), dtype=pl.Int64)
    values = table.values(ids.to_list(), texts.to_list(), are_given=id_column is not None)
    return pl.DataFrame(values, schema={"id": ids.dtype, **_schema(table.columns)})


def _lazy_frame(
    data: pl.LazyFrame, column: str, id_column: str | None, table: TextTable
) -> pl.LazyFrame:
    check_columns(data.collect_schema().names(), id_column, column)
    ids = pl.int_range(pl.len(), dtype=pl.Int64) if id_column is None else pl.col(id_column)
    given = None if id_column is None else pl.col(id_column)
    return (
        data.select(ids.alias("id"), _row_lists(pl.col(column), table, given).alias(_ROWS))
        .filter(pl.col(_ROWS).list.len() > 0)
        .explode(_ROWS)
        .unnest(_ROWS)
    )


def _row_lists(texts: pl.Expr, table: TextTable, ids: pl.Expr | None = None) -> pl.Expr:
    """Return an expression for the list of rows of each text, as structs."""
    type_ = pl.List(pl.Struct(_schema(table.columns)))

    def find(series: pl.Series) -> pl.Series:
        pairs = series.struct.unnest().rows()
        lists = [
            table.rows(text, f"row {i}", None if id_ is None else str(id_))
            for i, (text, id_) in enumerate(pairs)
        ]
        return pl.Series(series.name, lists, dtype=type_)

    given = pl.lit(None) if ids is None else ids
    pairs = pl.struct(texts, given.alias("docbats_id"))
    return pairs.map_batches(find, return_dtype=type_, is_elementwise=True)


@pl.api.register_series_namespace("docbats")
class DocbatsNamespace:
    """``series.docbats.segments()`` and ``.chunks()``, once this module is imported."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(self, **settings: Unpack[SettingOptionsWithK]) -> pl.DataFrame:
        """Return a row for each segment of each text, as :func:`segments` does."""
        return cast("pl.DataFrame", segments(self._series, **settings))

    def chunks(self, **options: Unpack[ChunkOptionsWithSize]) -> pl.DataFrame:
        """Return a row for each chunk of each text, as :func:`chunks` does."""
        return cast("pl.DataFrame", chunks(self._series, **options))


@pl.api.register_expr_namespace("docbats")
class DocbatsExprNamespace:
    """``pl.col("text").docbats.segments()`` and ``.chunks()``, once this module is imported.

    Both return a list of structs for each text: explode and unnest it.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def segments(self, **settings: Unpack[SettingOptionsWithK]) -> pl.Expr:
        """Return the list of segments of each text."""
        return _row_lists(self._expr, segment_table(**settings))

    def chunks(self, **options: Unpack[ChunkOptionsWithSize]) -> pl.Expr:
        """Return the list of chunks of each text."""
        return _row_lists(self._expr, chunk_table(**options))

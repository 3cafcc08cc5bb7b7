"""polars: from a column of texts to a frame of segments or chunks, eager, lazy, or expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from docbats.chunks.chunker import DEFAULT_SIZE
from docbats.errors import require_extra
from docbats.integrations.tables import (
    check_column,
    check_type,
    chunk_table,
    find_texts_and_ids,
    segment_table,
)

with require_extra("polars", "polars"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.integrations.tables import TextTable

__all__ = ["DocbatsExprNamespace", "DocbatsNamespace", "chunks", "make_frame", "segments"]

_OF_KIND: dict[str, Any] = {
    "int": pl.Int64,
    "float": pl.Float64,
    "str": pl.String,
    "strs": pl.List(pl.String),
}
_HELD = "docbats_rows"  # the name of the column of lists while a lazy frame is made


def segments(
    data: pl.DataFrame | pl.LazyFrame | pl.Series,
    column: str | None = None,
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> pl.DataFrame | pl.LazyFrame:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Offsets count characters, as Python and polars' ``str.slice`` do.

    Parameters
    ----------
    data
        A series of texts, or a frame; of a lazy frame, a lazy frame is made.
    column
        Name of the column that holds the texts, if `data` is a frame; ``"text"`` by default.
    id_column
        Name of the column that holds their ids; the row number, from 0, by default. To add other
        columns of the texts, join by `id`.
    k, preset, **settings
        As for :func:`docbats.analyze`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(pl.Series([text]), k=2).select("id", "segment", "start", "end").rows()
    [(0, 0, 0, 34), (0, 1, 34, 69)]
    """
    return _table_frame(data, column, id_column, segment_table(preset, k=k, **settings))


def chunks(
    data: pl.DataFrame | pl.LazyFrame | pl.Series,
    column: str | None = None,
    id_column: str | None = None,
    *,
    chunk_size: int = DEFAULT_SIZE,
    **options: Any,
) -> pl.DataFrame | pl.LazyFrame:
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
    >>> chunks(pl.Series([text]), chunk_size=40).select("id", "chunk", "start", "end").rows()
    [(0, 0, 0, 33), (0, 1, 34, 69)]
    """
    table = chunk_table(chunk_size=chunk_size, **options)
    return _table_frame(data, column, id_column, table)


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pl.DataFrame:
    """Make a frame of values whose columns hold what `columns` says."""
    return pl.DataFrame(values, schema=_types(columns))


def _types(columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: _OF_KIND[kind.rstrip("?")] for name, kind in columns.items()}


def _table_frame(
    data: pl.DataFrame | pl.LazyFrame | pl.Series,
    column: str | None,
    id_column: str | None,
    table: TextTable,
) -> pl.DataFrame | pl.LazyFrame:
    check_type(data, "polars", pl.DataFrame, pl.LazyFrame, pl.Series)
    if isinstance(data, pl.LazyFrame):
        return _lazy_frame(data, column or "text", id_column, table)
    is_frame = isinstance(data, pl.DataFrame)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_frame)
    if ids is None:
        ids = pl.Series(range(len(texts)), dtype=pl.Int64)
    values = table.values(ids.to_list(), texts.to_list())
    return pl.DataFrame(values, schema={"id": ids.dtype, **_types(table.columns)})


def _lazy_frame(
    data: pl.LazyFrame, column: str, id_column: str | None, table: TextTable
) -> pl.LazyFrame:
    names = data.collect_schema().names()
    for name in filter(None, (id_column, column)):
        check_column(name, names)
    ids = pl.int_range(pl.len(), dtype=pl.Int64) if id_column is None else pl.col(id_column)
    return (
        data.select(ids.alias("id"), _row_lists(pl.col(column), table).alias(_HELD))
        .filter(pl.col(_HELD).list.len() > 0)
        .explode(_HELD)
        .unnest(_HELD)
    )


def _row_lists(texts: pl.Expr, table: TextTable) -> pl.Expr:
    """Return an expression with the list of the rows of each text, as structs."""
    type_ = pl.List(pl.Struct(_types(table.columns)))

    def find(series: pl.Series) -> pl.Series:
        lists = [table.rows(text, f"row {i}") for i, text in enumerate(series.to_list())]
        return pl.Series(series.name, lists, dtype=type_)

    return texts.map_batches(find, return_dtype=type_, is_elementwise=True)


@pl.api.register_series_namespace("docbats")
class DocbatsNamespace:
    """``series.docbats.segments()`` and ``.chunks()``, once this module is imported."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.DataFrame:
        """Return a row for each segment of each text."""
        found = segments(self._series, k=k, preset=preset, **settings)
        return cast("pl.DataFrame", found)

    def chunks(self, *, chunk_size: int = DEFAULT_SIZE, **options: Any) -> pl.DataFrame:
        """Return a row for each chunk of each text."""
        found = chunks(self._series, chunk_size=chunk_size, **options)
        return cast("pl.DataFrame", found)


@pl.api.register_expr_namespace("docbats")
class DocbatsExprNamespace:
    """``pl.col("text").docbats.segments()`` and ``.chunks()``, once this module is imported."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.Expr:
        """Return the list of the segments of each text, as structs; explode and unnest it."""
        return _row_lists(self._expr, segment_table(preset, k=k, **settings))

    def chunks(self, *, chunk_size: int = DEFAULT_SIZE, **options: Any) -> pl.Expr:
        """Return the list of the chunks of each text, as structs; explode and unnest it."""
        return _row_lists(self._expr, chunk_table(chunk_size=chunk_size, **options))

"""polars: from a column of texts to a frame of segments, at once, lazily or as an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from docbats.integrations.require_extra import require_extra
from docbats.integrations.run_bats import make_bats, run_on_text
from docbats.integrations.segment_table import (
    COLUMNS,
    check_type,
    find_texts_and_ids,
    segment_columns,
    segment_rows,
)

with require_extra("polars", "polars"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.pipeline import BATS

__all__ = ["DocbatsExprNamespace", "DocbatsNamespace", "make_frame", "segments"]

_OF_KIND: dict[str, Any] = {
    "int": pl.Int64,
    "int?": pl.Int64,
    "float?": pl.Float64,
    "str": pl.String,
    "strs": pl.List(pl.String),
}
_TYPES: dict[str, Any] = {name: _OF_KIND[kind] for name, kind in COLUMNS.items()}
_SEGMENTS = pl.List(pl.Struct(_TYPES))
_HELD = "docbats_segments"  # the name of the column of lists while a lazy frame is made


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
    check_type(data, "polars", pl.DataFrame, pl.LazyFrame, pl.Series)
    if isinstance(data, pl.LazyFrame):
        return _lazy_segments(data, column, id_column, make_bats(preset, k=k, **settings))
    is_frame = isinstance(data, pl.DataFrame)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_frame)
    if ids is None:
        ids = pl.Series(range(len(texts)), dtype=pl.Int64)
    columns = segment_columns(ids.to_list(), texts.to_list(), preset, k=k, **settings)
    return pl.DataFrame(columns, schema={"id": ids.dtype, **_TYPES})


def make_frame(columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    """Make a frame of columns of segments."""
    return pl.DataFrame(columns, schema=_TYPES)


def _lazy_segments(
    data: pl.LazyFrame, column: str | None, id_column: str | None, bats: BATS
) -> pl.LazyFrame:
    names = dict.fromkeys(data.collect_schema().names())
    find_texts_and_ids(_Names(names), column, id_column, is_frame=True)
    ids = pl.int_range(pl.len(), dtype=pl.Int64) if id_column is None else pl.col(id_column)
    return (
        data.select(ids.alias("id"), _segment_lists(pl.col(column or "text"), bats).alias(_HELD))
        .filter(pl.col(_HELD).list.len() > 0)
        .explode(_HELD)
        .unnest(_HELD)
    )


class _Names(dict[str, None]):
    """The names of the columns of a frame that is not there yet."""

    @property
    def columns(self) -> list[str]:
        return list(self)


def _segment_lists(texts: pl.Expr, bats: BATS) -> pl.Expr:
    """Return an expression with the list of segments of each text, as structs."""

    def find(series: pl.Series) -> pl.Series:
        lists = []
        for number, text in enumerate(series.to_list()):
            result = None if text is None else run_on_text(bats, text, f"row {number}")
            lists.append([] if result is None else segment_rows(result))
        return pl.Series(series.name, lists, dtype=_SEGMENTS)

    return texts.map_batches(find, return_dtype=_SEGMENTS, is_elementwise=True)


@pl.api.register_series_namespace("docbats")
class DocbatsNamespace:
    """``series.docbats.segments()``, once this module is imported."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.DataFrame:
        """Return a row for each segment of each text."""
        found = segments(self._series, k=k, preset=preset, **settings)
        return cast("pl.DataFrame", found)


@pl.api.register_expr_namespace("docbats")
class DocbatsExprNamespace:
    """``pl.col("text").docbats.segments()``, once this module is imported."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.Expr:
        """Return the list of the segments of each text, as structs; explode and unnest it."""
        return _segment_lists(self._expr, make_bats(preset, k=k, **settings))

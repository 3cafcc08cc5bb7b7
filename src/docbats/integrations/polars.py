"""polars: from a column of texts to a frame of segments."""

from __future__ import annotations

from typing import Any, Literal

from docbats.integrations.require_extra import require_extra
from docbats.integrations.segment_table import find_texts_and_ids, segment_columns

with require_extra("polars", "polars"):
    import polars as pl

__all__ = ["DocbatsNamespace", "segments"]

_TYPES: dict[str, Any] = {
    "segment": pl.Int64,
    "start": pl.Int64,
    "end": pl.Int64,
    "title": pl.String,
    "topics": pl.List(pl.String),
    "strength": pl.Float64,
    "text": pl.String,
}


def segments(
    data: pl.DataFrame | pl.Series,
    column: str | None = None,
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> pl.DataFrame:
    """Return a row for each segment of each text: id, offsets, title, topics, strength and text.

    Offsets count characters, as Python and polars' ``str.slice`` do.

    Parameters
    ----------
    data
        A series of texts, or a frame.
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
    is_frame = isinstance(data, pl.DataFrame)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_frame)
    if ids is None:
        ids = pl.Series(range(len(texts)), dtype=pl.Int64)
    columns = segment_columns(ids.to_list(), texts.to_list(), preset, k=k, **settings)
    return pl.DataFrame(columns, schema={"id": ids.dtype, **_TYPES})


@pl.api.register_series_namespace("docbats")
class DocbatsNamespace:
    """``series.docbats.segments()``, once this module is imported."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.DataFrame:
        """Return a row for each segment of each text."""
        return segments(self._series, k=k, preset=preset, **settings)

"""polars: from a column of texts to a frame of segments."""

from __future__ import annotations

from typing import Any, Literal

from docbats.errors import InputError
from docbats.integrations.extra import importing
from docbats.integrations.rows import segment_columns

with importing("polars", "polars"):
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
    """Give a row for each segment of each text: id, place, title, topics, strength and text.

    Offsets count characters, as Python does; polars' ``str.slice`` counts the same.

    Parameters
    ----------
    data
        A series of texts, or a frame.
    column
        Which column of a frame holds the texts; ``"text"`` if not said.
    id_column
        Which column of a frame names them; the number of the row, from 0, if not said. To join
        what else is known of a text, join by `id`.
    k, preset, **settings
        As for :func:`docbats.analyze`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(pl.Series([text]), k=2).select("id", "segment", "start", "end").rows()
    [(0, 0, 0, 34), (0, 1, 34, 69)]
    """
    if isinstance(data, pl.DataFrame):
        texts = _column(data, column or "text")
        ids = None if id_column is None else _column(data, id_column)
    elif column is None and id_column is None:
        texts, ids = data, None
    else:
        msg = "a series has no columns: leave column and id_column out, or give a frame"
        raise InputError(msg)
    if ids is None:
        ids = pl.Series(range(len(texts)), dtype=pl.Int64)
    found = segment_columns(ids.to_list(), texts.to_list(), k, preset, **settings)
    return pl.DataFrame(found, schema={"id": ids.dtype, **_TYPES})


def _column(data: pl.DataFrame, name: str) -> pl.Series:
    if name not in data.columns:
        msg = f"there is no column {name!r}: the columns are {', '.join(data.columns)}"
        raise InputError(msg)
    return data[name]


@pl.api.register_series_namespace("docbats")
class DocbatsNamespace:
    """``series.docbats.segments()``, once this module is imported."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pl.DataFrame:
        """Give a row for each segment of each text."""
        return segments(self._series, k=k, preset=preset, **settings)

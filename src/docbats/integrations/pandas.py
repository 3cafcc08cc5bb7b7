"""pandas: from a column of texts to a frame of segments."""

from __future__ import annotations

from typing import Any, Literal

from docbats.errors import InputError
from docbats.integrations.extra import importing
from docbats.integrations.rows import segment_columns

with importing("pandas", "pandas"):
    import pandas as pd

__all__ = ["DocbatsAccessor", "segments"]


def segments(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None = None,
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> pd.DataFrame:
    """Give a row for each segment of each text: id, place, title, topics, strength and text.

    Parameters
    ----------
    data
        A series of texts, or a frame.
    column
        Which column of a frame holds the texts; ``"text"`` if not said.
    id_column
        Which column of a frame names them; its index if not said. To join what else is known of a
        text, merge by `id`.
    k, preset, **settings
        As for :func:`docbats.analyze`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> frame = segments(pd.Series([text], index=["a"]), k=2)
    >>> print(frame[["id", "segment", "start", "end"]].to_string(index=False))
    id  segment  start  end
     a        0      0   34
     a        1     34   69
    """
    if isinstance(data, pd.DataFrame):
        texts = _column(data, column or "text")
        ids = data.index if id_column is None else _column(data, id_column)
    elif column is None and id_column is None:
        texts, ids = data, data.index
    else:
        msg = "a series has no columns: leave column and id_column out, or give a frame"
        raise InputError(msg)
    found = segment_columns(
        ids.tolist(), (None if pd.isna(text) else text for text in texts), k, preset, **settings
    )
    types = {"segment": "int64", "start": "int64", "end": "int64", "strength": "float64"}
    frame = pd.DataFrame(found).astype(types)
    return frame if len(frame) else frame.astype({"id": ids.dtype, "title": "str", "text": "str"})


def _column(data: pd.DataFrame, name: str) -> pd.Series[Any]:
    if name not in data.columns:
        msg = f"there is no column {name!r}: the columns are {', '.join(map(str, data.columns))}"
        raise InputError(msg)
    return data[name]


@pd.api.extensions.register_series_accessor("docbats")
class DocbatsAccessor:
    """``series.docbats.segments()``, once this module is imported."""

    def __init__(self, series: pd.Series[Any]) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pd.DataFrame:
        """Give a row for each segment of each text."""
        return segments(self._series, k=k, preset=preset, **settings)

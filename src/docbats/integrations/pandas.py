"""pandas: from a column of texts to a frame of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.document import Document
from docbats.integrations.require_extra import require_extra
from docbats.integrations.segment_table import (
    COLUMNS,
    check_type,
    find_texts_and_ids,
    segment_columns,
)

with require_extra("pandas", "pandas"):
    import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DocbatsAccessor", "make_frame", "segments"]

_TYPES = {"int": "int64", "int?": "Int64", "float?": "float64"}


def segments(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None = None,
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> pd.DataFrame:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Parameters
    ----------
    data
        A series of texts or of documents of docbats, or a frame.
    column
        Name of the column that holds the texts, if `data` is a frame; ``"text"`` by default.
    id_column
        Name of the column that holds their ids; the index by default. To add other columns of the
        texts, merge by `id`.
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
    check_type(data, "pandas", pd.DataFrame, pd.Series)
    is_frame = isinstance(data, pd.DataFrame)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_frame)
    if ids is None:
        ids = data.index
    present = (None if not isinstance(text, Document) and pd.isna(text) else text for text in texts)
    frame = make_frame(segment_columns(ids.tolist(), present, preset, k=k, **settings))
    return frame if len(frame) else frame.astype({"id": ids.dtype})


def make_frame(columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    """Make a frame of columns of segments."""
    frame = pd.DataFrame(columns)
    types = {name: _TYPES[COLUMNS[name]] for name in COLUMNS if COLUMNS[name] in _TYPES}
    frame = frame.astype(types)
    return frame if len(frame) else frame.astype({"title": "str", "text": "str"})


@pd.api.extensions.register_series_accessor("docbats")
class DocbatsAccessor:
    """``series.docbats.segments()``, once this module is imported."""

    def __init__(self, series: pd.Series[Any]) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pd.DataFrame:
        """Return a row for each segment of each text."""
        return segments(self._series, k=k, preset=preset, **settings)

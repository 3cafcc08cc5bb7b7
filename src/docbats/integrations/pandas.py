"""pandas: from a column of texts to a frame of segments or of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.errors import require_extra
from docbats.integrations.tables import chunk_table, find_texts_and_ids, segment_table

with require_extra("pandas", "pandas"):
    import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from docbats.integrations.tables import TextTable
    from docbats.options import ChunkOptionsWithSize, SettingOptionsWithK

__all__ = ["DocbatsAccessor", "chunks", "make_frame", "segments"]

_TEXT = pd.Series(["text"]).dtype  # object in older versions, where a missing text is None
_TYPES = {"int": "int64", "int?": "Int64", "float?": "float64", "str": _TEXT, "str?": _TEXT}


def segments(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None = None,
    id_column: str | None = None,
    **settings: Unpack[SettingOptionsWithK],
) -> pd.DataFrame:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Parameters
    ----------
    data
        A frame with a column of texts, or a series of texts or of :class:`docbats.Document`.
    column
        The column of the texts, if `data` is a frame; ``"text"`` by default.
    id_column
        The column of their ids; the index by default. To add other columns of the texts, merge by
        `id`.
    **settings
        As for :func:`docbats.analyze`, such as `k`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> frame = segments(pd.Series([text], index=["a"]), k=2)
    >>> print(frame[["id", "segment", "start", "end"]].to_string(index=False))
    id  segment  start  end
     a        0      0   34
     a        1     34   69
    """
    return _frame(data, column, id_column, segment_table(**settings))


def chunks(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None = None,
    id_column: str | None = None,
    **options: Unpack[ChunkOptionsWithSize],
) -> pd.DataFrame:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    The arguments are as for :func:`segments`, but with options of :class:`docbats.Chunker`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(pd.Series([text], index=["a"]), chunk_size=40)["start"].tolist()
    [0, 34]
    """
    return _frame(data, column, id_column, chunk_table(**options))


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame of values with columns of these types."""
    return pd.DataFrame(values).astype(
        {name: _TYPES.get(type_, object) for name, type_ in columns.items()}
    )


def _frame(data: Any, column: str | None, id_column: str | None, table: TextTable) -> pd.DataFrame:
    texts, ids = find_texts_and_ids(data, column, id_column, pd.DataFrame, pd.Series)
    if ids is None:
        ids = data.index
    present = (None if not isinstance(text, Document) and pd.isna(text) else text for text in texts)
    frame = make_frame(
        table.values(ids.tolist(), present, are_given=id_column is not None), table.columns
    )
    return frame if len(frame) else frame.astype({"id": ids.dtype})


@pd.api.extensions.register_series_accessor("docbats")
class DocbatsAccessor:
    """``series.docbats.segments()`` and ``.chunks()``, once this module is imported."""

    def __init__(self, series: pd.Series[Any]) -> None:
        self._series = series

    def segments(self, **settings: Unpack[SettingOptionsWithK]) -> pd.DataFrame:
        """Return a row for each segment of each text, as :func:`segments` does."""
        return segments(self._series, **settings)

    def chunks(self, **options: Unpack[ChunkOptionsWithSize]) -> pd.DataFrame:
        """Return a row for each chunk of each text, as :func:`chunks` does."""
        return chunks(self._series, **options)

"""pandas: from a column of texts to a frame of segments or of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.chunks.chunker import DEFAULT_SIZE
from docbats.document import Document
from docbats.errors import require_extra
from docbats.integrations.tables import check_type, chunk_table, find_texts_and_ids, segment_table

with require_extra("pandas", "pandas"):
    import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.integrations.tables import TextTable

__all__ = ["DocbatsAccessor", "chunks", "make_frame", "segments"]

_TEXT = pd.Series(["text"]).dtype  # object in older versions, where a missing text is None
_OF_KIND = {
    "int": "int64",
    "int?": "Int64",
    "float?": "float64",
    "str": _TEXT,
    "str?": _TEXT,
    "strs": object,
    "strs?": object,
}


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
    table = segment_table(preset, k=k, **settings)
    return _table_frame(data, column, id_column, table)


def chunks(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None = None,
    id_column: str | None = None,
    *,
    chunk_size: int = DEFAULT_SIZE,
    **options: Any,
) -> pd.DataFrame:
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
    >>> frame = chunks(pd.Series([text], index=["a"]), chunk_size=40)
    >>> print(frame[["id", "chunk", "start", "end"]].to_string(index=False))
    id  chunk  start  end
     a      0      0   33
     a      1     34   69
    """
    table = chunk_table(chunk_size=chunk_size, **options)
    return _table_frame(data, column, id_column, table)


def make_frame(values: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Make a frame of values whose columns hold what `columns` says."""
    return pd.DataFrame(values).astype({name: _OF_KIND[kind] for name, kind in columns.items()})


def _table_frame(
    data: pd.DataFrame | pd.Series[Any],
    column: str | None,
    id_column: str | None,
    table: TextTable,
) -> pd.DataFrame:
    check_type(data, "pandas", pd.DataFrame, pd.Series)
    is_frame = isinstance(data, pd.DataFrame)
    texts, ids = find_texts_and_ids(data, column, id_column, is_frame=is_frame)
    if ids is None:
        ids = data.index
    present = (None if not isinstance(text, Document) and pd.isna(text) else text for text in texts)
    frame = make_frame(table.values(ids.tolist(), present), table.columns)
    return frame if len(frame) else frame.astype({"id": ids.dtype})


@pd.api.extensions.register_series_accessor("docbats")
class DocbatsAccessor:
    """``series.docbats.segments()`` and ``.chunks()``, once this module is imported."""

    def __init__(self, series: pd.Series[Any]) -> None:
        self._series = series

    def segments(
        self, *, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
    ) -> pd.DataFrame:
        """Return a row for each segment of each text."""
        return segments(self._series, k=k, preset=preset, **settings)

    def chunks(self, *, chunk_size: int = DEFAULT_SIZE, **options: Any) -> pd.DataFrame:
        """Return a row for each chunk of each text."""
        return chunks(self._series, chunk_size=chunk_size, **options)

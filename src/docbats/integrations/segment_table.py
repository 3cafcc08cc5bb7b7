"""A column of texts as a table of their segments, for pandas and polars alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.integrations.run_bats import make_bats, run_on_string
from docbats.integrations.segment_chunks import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["COLUMNS", "find_texts_and_ids", "segment_columns"]

COLUMNS = ("id", "segment", "start", "end", "title", "topics", "strength", "text")


def find_texts_and_ids(
    data: Any, column: str | None, id_column: str | None, *, is_frame: bool
) -> tuple[Any, Any | None]:
    """Return the series of the texts and that of their ids, None where no column names them."""
    if is_frame:
        ids = None if id_column is None else _find_column(data, id_column)
        return _find_column(data, column or "text"), ids
    if column is None and id_column is None:
        return data, None
    msg = "a series has no columns: leave out column and id_column, or pass a frame"
    raise InputError(msg)


def segment_columns(
    ids: Iterable[Any], texts: Iterable[str | None], preset: str, **settings: Any
) -> dict[str, list[Any]]:
    """Analyze the texts, and return `COLUMNS` with one value for each segment.

    A text that is None or blank has no segments.
    """
    bats = make_bats(preset, **settings)
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for id_, text in zip(ids, texts, strict=True):
        result = None if text is None else run_on_string(bats, text, f"row {id_}")
        if result is None:
            continue
        for number, segment in enumerate(result.segments):
            row = {
                "id": id_,
                "segment": number,
                "start": segment.start,
                "end": segment.end,
                "title": segment.title,
                "topics": list(strongest_topics(result, segment)),
                "strength": segment.strength,
                "text": segment.text,
            }
            for name in COLUMNS:
                columns[name].append(row[name])
    return columns


def _find_column(frame: Any, name: str) -> Any:
    if name not in frame.columns:
        names = ", ".join(map(str, frame.columns))
        msg = f"there is no column {name!r}: the columns are {names}"
        raise InputError(msg)
    return frame[name]

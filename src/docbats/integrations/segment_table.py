"""Texts as a table of their segments, for all libraries of tables alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.integrations.run_bats import make_bats, run_on_text
from docbats.integrations.segment_chunks import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.result import Result

__all__ = [
    "COLUMNS",
    "check_type",
    "find_texts_and_ids",
    "segment_columns",
    "segment_rows",
]

COLUMNS: dict[str, str] = {
    "segment": "int",
    "start": "int",
    "end": "int",
    "title": "str",
    "heading_path": "strs",
    "speakers": "strs",
    "first_page": "int?",
    "last_page": "int?",
    "begins": "float?",
    "ends": "float?",
    "topics": "strs",
    "strength": "float?",
    "text": "str",
}
"""The columns of a table of segments and what they hold; a question mark allows for nothing."""


def segment_rows(result: Result) -> list[dict[str, Any]]:
    """Return a row for each segment, with a value for each of `COLUMNS`."""
    rows = []
    for number, segment in enumerate(result.segments):
        pages = None if segment.place is None else segment.place.pages
        seconds = None if segment.place is None else segment.place.seconds
        first_page, last_page = pages or (None, None)
        begins, ends = seconds or (None, None)
        rows.append(
            {
                "segment": number,
                "start": segment.start,
                "end": segment.end,
                "title": segment.title,
                "heading_path": list(segment.heading_path),
                "speakers": list(segment.speakers),
                "first_page": first_page,
                "last_page": last_page,
                "begins": begins,
                "ends": ends,
                "topics": list(strongest_topics(result, segment)),
                "strength": segment.strength,
                "text": segment.text,
            }
        )
    return rows


def segment_columns(
    ids: Iterable[Any], texts: Iterable[Any], preset: str, **settings: Any
) -> dict[str, list[Any]]:
    """Analyze the texts, and return `id` and `COLUMNS` with one value for each segment.

    A text that is None or blank has no segments.
    """
    bats = make_bats(preset, **settings)
    columns: dict[str, list[Any]] = {name: [] for name in ("id", *COLUMNS)}
    for id_, text in zip(ids, texts, strict=True):
        result = None if text is None else run_on_text(bats, text, f"row {id_}")
        for row in [] if result is None else segment_rows(result):
            columns["id"].append(id_)
            for name in COLUMNS:
                columns[name].append(row[name])
    return columns


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


def check_type(data: object, library: str, *types: type[Any]) -> None:
    """Refuse what is none of these types of a library, and name the module for what it is."""
    if isinstance(data, types):
        return
    expected = " or a ".join(f"{library}.{each.__name__}" for each in types)
    own = type(data).__module__.partition(".")[0]
    advice = (
        f": use docbats.integrations.{own}"
        if own in {"pandas", "polars", "pyarrow", "datasets"} and own != library
        else ""
    )
    msg = f"expected a {expected}, got {own}.{type(data).__name__}{advice}"
    raise InputError(msg)


def _find_column(frame: Any, name: str) -> Any:
    names = getattr(frame, "column_names", None) or list(frame.columns)
    if name not in names:
        msg = f"there is no column {name!r}: the columns are {', '.join(map(str, names))}"
        raise InputError(msg)
    return frame[name]

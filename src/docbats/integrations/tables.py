"""Tables of segments and of chunks: the same rows and columns for every library of tables."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.chunks.segment_chunks import chunk_of_segment
from docbats.errors import InputError, SettingsError
from docbats.integrations.splitting import call_on_text, make_bats, run_unless_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from docbats.chunks import Chunk
    from docbats.document import Document
    from docbats.result import Result

    Row = dict[str, Any]

_COLUMNS = {
    "segment": "int",
    "chunk": "int",
    "chunk_id": "str",
    "start": "int",
    "end": "int",
    "own_start": "int",
    "size": "int",
    "title": "str?",
    "document_title": "str?",
    "heading_path": "strs",
    "speakers": "strs",
    "first_page": "int?",
    "last_page": "int?",
    "first_cell": "int?",
    "last_cell": "int?",
    "begins": "float?",
    "ends": "float?",
    "topics": "strs?",
    "strength": "float?",
    "context": "str?",
    "table_header": "str?",
    "text": "str",
}
_ONLY_OF_SEGMENTS = {"segment", "strength"}
_ONLY_OF_CHUNKS = {
    *(
        "chunk",
        "chunk_id",
        "own_start",
        "size",
        "document_title",
        "first_cell",
        "last_cell",
        "context",
    )
}
CHUNK_COLUMNS = {name: _COLUMNS[name] for name in _COLUMNS if name not in _ONLY_OF_SEGMENTS}
"""The columns of a table of chunks, as :class:`TextTable` describes them."""
SEGMENT_COLUMNS = {name: _COLUMNS[name] for name in _COLUMNS if name not in _ONLY_OF_CHUNKS}
"""The columns of a table of segments."""
_PLACE_COLUMNS = {
    "pages": ("first_page", "last_page"),
    "cells": ("first_cell", "last_cell"),
    "seconds": ("begins", "ends"),
}


@dataclass(frozen=True)
class TextTable:
    """Turns texts into the columns of a table.

    The types of `columns` are ``int``, ``float``, ``str`` or ``strs``, a list of strings; with a
    question mark, None is allowed. `find` returns the rows of a text, with a value for each column;
    ids of chunks are made of the id that it gets, or of the text.
    """

    columns: Mapping[str, str]
    find: Callable[[str | Document, str | None], list[Row]]

    def rows(self, text: object, name: str, id_: str | None = None) -> list[Row]:
        """Return the rows of one of many texts, none if it is None; errors begin with `name`."""
        if text is None:
            return []
        return call_on_text(lambda source: self.find(source, id_), text, name)

    def values(
        self, ids: Iterable[Any], texts: Iterable[Any], *, are_given: bool = False
    ) -> dict[str, list[Any]]:
        """Return `id` and all columns, with a value for each row of the texts.

        `are_given` says that ids are those of documents, not numbers of rows.
        """
        values: dict[str, list[Any]] = {name: [] for name in ("id", *self.columns)}
        for id_, text in zip(ids, texts, strict=True):
            for row in self.rows(text, f"row {id_}", str(id_) if are_given else None):
                values["id"].append(id_)
                for name in self.columns:
                    values[name].append(row[name])
        return values


def segment_table(preset: str = "sharp", **settings: Any) -> TextTable:
    """Return a table of segments with these settings of the analysis."""
    bats = make_bats(preset, **settings)

    def find(text: str | Document, _: str | None) -> list[Row]:
        result = run_unless_blank(bats, text)
        return [] if result is None else segment_rows(result)

    return TextTable(SEGMENT_COLUMNS, find)


def chunk_table(**options: Any) -> TextTable:
    """Return a table of chunks with these options of a chunker."""
    chunker = make_chunker(options)
    return TextTable(CHUNK_COLUMNS, lambda text, id_: chunk_rows(chunker(text, id_)))


def segment_rows(result: Result) -> list[Row]:
    """Return a row for each segment, with a value for each of `SEGMENT_COLUMNS`."""
    rows = []
    for number, segment in enumerate(result.segments):
        chunk = chunk_of_segment(result, segment, overlap=False)
        values = {**chunk.values(), "segment": number, "text": chunk.text}
        rows.append(_row(values, SEGMENT_COLUMNS))
    return rows


def chunk_rows(chunks: Iterable[Chunk]) -> list[Row]:
    """Return a row for each chunk of one text."""
    return [
        chunk_row(number, {"id": chunk.id, **chunk.values(), "text": chunk.text})
        for number, chunk in enumerate(chunks)
    ]


def chunk_row(number: int, values: Mapping[str, Any]) -> Row:
    """Return the row of a chunk, with a value for each of `CHUNK_COLUMNS`.

    `values` is the id, the result of :meth:`Chunk.values`, and the text, if it is wanted.
    """
    own_start = values.get("own_start", values["start"])
    own = {"chunk": number, "chunk_id": values["id"], "own_start": own_start}
    return _row({**values, **own}, CHUNK_COLUMNS)


def _row(values: Mapping[str, Any], columns: Mapping[str, str]) -> Row:
    """Return a value for each column: if it is not known, None or an empty list."""
    known = {**values, **place_columns(values)}
    return {
        name: known.get(name, [] if type_ == "strs" else None) for name, type_ in columns.items()
    }


def place_columns(place: Mapping[str, Any]) -> Row:
    """Return both columns of each pair of values of a place, None if they are not known."""
    columns: Row = {}
    for name, pair in _PLACE_COLUMNS.items():
        columns |= dict(zip(pair, place.get(name, (None, None)), strict=True))
    return columns


def find_texts_and_ids(
    data: Any, column: str | None, id_column: str | None, frame_type: Any, *other_types: Any
) -> tuple[Any, Any | None]:
    """Return the column of texts and the column of ids, None without an `id_column`."""
    check_type(data, frame_type, *other_types)
    if isinstance(data, frame_type):
        column = column or "text"
        check_columns(getattr(data, "column_names", None) or data.columns, id_column, column)
        return data[column], None if id_column is None else data[id_column]
    if column is None and id_column is None:
        return data, None
    msg = "a series has no columns: leave out column and id_column, or pass a frame"
    raise InputError(msg)


def check_type(data: object, *types: type[Any]) -> None:
    """Raise InputError unless `data` is of one of these types; suggest the module for it."""
    if isinstance(data, types):
        return
    library = types[0].__module__.partition(".")[0]
    expected = " or a ".join(f"{library}.{each.__name__}" for each in types)
    own = type(data).__module__.partition(".")[0]
    has_module = own in {"pandas", "polars", "pyarrow", "datasets"} - {library}
    advice = f": use docbats.integrations.{own}" if has_module else ""
    msg = f"expected a {expected}, got {own}.{type(data).__name__}{advice}"
    raise InputError(msg)


def check_columns(names: Iterable[Any], *wanted: str | None) -> None:
    """Raise InputError if one of these columns is not among the `names`; None is skipped."""
    names = list(names)
    for name in wanted:
        if name is not None and name not in names:
            msg = f"there is no column {name!r}: the columns are {', '.join(map(str, names))}"
            raise InputError(msg)


_MODULES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}


def to_frame(result: Result, library: str) -> Any:
    """Return a row for each segment, in a table of the library of this name."""
    if library not in _MODULES:
        msg = f"library must be one of {', '.join(_MODULES)}, got {library!r}"
        raise SettingsError(msg)
    module = import_module(f"docbats.integrations.{_MODULES[library]}")
    rows = segment_rows(result)
    values = {name: [row[name] for row in rows] for name in SEGMENT_COLUMNS}
    return module.make_frame(values, SEGMENT_COLUMNS)

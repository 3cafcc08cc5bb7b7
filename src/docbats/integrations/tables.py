"""Tables of segments and of chunks, for all libraries of tables alike."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.errors import InputError, SettingsError
from docbats.integrations.splitting import call_on_text, make_bats, run_unless_blank
from docbats.topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from docbats.chunks import Chunk
    from docbats.document import Document
    from docbats.result import Result

    Row = dict[str, Any]


CHUNK_COLUMNS: dict[str, str] = {
    "chunk": "int",
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
    "context": "str?",
    "text": "str",
}
"""The columns of a table of chunks, as :class:`TextTable` has them."""


def chunk_row(number: int, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a chunk, with a value for each of `CHUNK_COLUMNS`.

    `known` is what :meth:`Chunk.values` returns, and its text, if that is wanted.
    """
    nothing = (None, None)
    first_page, last_page = known.get("pages", nothing)
    first_cell, last_cell = known.get("cells", nothing)
    begins, ends = known.get("seconds", nothing)
    return {
        "chunk": number,
        "start": known["start"],
        "end": known["end"],
        "own_start": known.get("own_start", known["start"]),
        "size": known["size"],
        "title": known["title"],
        "document_title": known.get("document_title"),
        "heading_path": known.get("heading_path", []),
        "speakers": known.get("speakers", []),
        "first_page": first_page,
        "last_page": last_page,
        "first_cell": first_cell,
        "last_cell": last_cell,
        "begins": begins,
        "ends": ends,
        "topics": known.get("topics"),
        "context": known.get("context"),
        "text": known.get("text"),
    }


def chunk_rows(chunks: Iterable[Chunk]) -> list[dict[str, Any]]:
    """Return a row for each chunk of one text."""
    return [
        chunk_row(number, {**chunk.values(), "text": chunk.text})
        for number, chunk in enumerate(chunks)
    ]


def chunk_table(**options: Any) -> TextTable:
    """Return what makes a table of chunks, by the options of a chunker."""
    chunker = make_chunker(options)

    def find(text: str | Document) -> list[dict[str, Any]]:
        return chunk_rows(chunker(text))

    return TextTable(CHUNK_COLUMNS, find)


SEGMENT_COLUMNS: dict[str, str] = {
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
"""The columns of a table of segments, as :class:`TextTable` has them."""


def segment_rows(result: Result) -> list[dict[str, Any]]:
    """Return a row for each segment, with a value for each of `SEGMENT_COLUMNS`."""
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


def segment_table(preset: str, **settings: Any) -> TextTable:
    """Return what makes a table of segments, by settings of the analysis."""
    bats = make_bats(preset, **settings)

    def find(text: str | Document) -> list[dict[str, Any]]:
        result = run_unless_blank(bats, text)
        return [] if result is None else segment_rows(result)

    return TextTable(SEGMENT_COLUMNS, find)


@dataclass(frozen=True)
class TextTable:
    """How texts become a table.

    Attributes
    ----------
    columns
        The names of the columns and what they hold: ``int``, ``float``, ``str`` or a list of these,
        ``strs``; a question mark allows for nothing.
    find
        Returns the rows of a text, with a value for each column; a blank text has none.
    """

    columns: Mapping[str, str]
    find: Callable[[str | Document], list[Row]]

    def rows(self, text: object, name: str) -> list[Row]:
        """Return the rows of one of many texts, none where it is None; errors begin with `name`."""
        return [] if text is None else call_on_text(self.find, text, name)

    def values(self, ids: Iterable[Any], texts: Iterable[Any]) -> dict[str, list[Any]]:
        """Return `id` and all columns, with a value for each row of the texts."""
        values: dict[str, list[Any]] = {name: [] for name in ("id", *self.columns)}
        for id_, text in zip(ids, texts, strict=True):
            for row in self.rows(text, f"row {id_}"):
                values["id"].append(id_)
                for name in self.columns:
                    values[name].append(row[name])
        return values


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


def check_column(name: str, names: Iterable[Any]) -> None:
    """Refuse a column that is not there."""
    names = list(names)
    if name not in names:
        msg = f"there is no column {name!r}: the columns are {', '.join(map(str, names))}"
        raise InputError(msg)


def _find_column(frame: Any, name: str) -> Any:
    check_column(name, getattr(frame, "column_names", None) or frame.columns)
    return frame[name]


_MODULES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}


def to_frame(result: Result, library: str) -> Any:
    """Return a row for each segment, in a frame of the library of this name."""
    if library not in _MODULES:
        msg = f"library must be one of {', '.join(_MODULES)}, got {library!r}"
        raise SettingsError(msg)
    module = import_module(f"docbats.integrations.{_MODULES[library]}")
    rows = segment_rows(result)
    values = {name: [row[name] for row in rows] for name in SEGMENT_COLUMNS}
    return module.make_frame(values, SEGMENT_COLUMNS)

"""Texts as a table of their parts, segments or chunks, for all libraries of tables alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.integrations.run_bats import call_on_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from docbats.document import Document

    Row = dict[str, Any]

__all__ = ["TextTable", "check_column", "check_type", "find_texts_and_ids"]


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

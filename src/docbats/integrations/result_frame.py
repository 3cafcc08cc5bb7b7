"""The segments of a result as a frame of pandas or polars, or as a table of Arrow."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docbats.errors import SettingsError
from docbats.integrations.segment_table import SEGMENT_COLUMNS, segment_rows

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["to_frame"]

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

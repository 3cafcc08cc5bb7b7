"""How rows are written: one module a format."""

from __future__ import annotations

from docbats.corpus.output.formats.format import Format
from docbats.corpus.output.formats.jsonl import JsonLines
from docbats.corpus.output.formats.parquet import Parquet
from docbats.errors import SettingsError

__all__ = ["FORMATS", "Format", "get_format"]

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def get_format(name: str) -> Format:
    """Return the format of a name.

    >>> get_format("jsonl.gz").name
    'jsonl.gz'
    """
    if name not in FORMATS:
        msg = f"format must be one of {', '.join(FORMATS)}, got {name!r}"
        raise SettingsError(msg)
    return Parquet() if name == "parquet" else JsonLines(name)

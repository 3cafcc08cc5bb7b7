"""How rows are written: one file a format."""

from __future__ import annotations

from docbats.corpus.formats.format import Format
from docbats.corpus.formats.jsonl import JsonLines
from docbats.corpus.formats.parquet import Parquet
from docbats.errors import SettingsError

__all__ = ["FORMATS", "Format", "format_of"]

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def format_of(name: str) -> Format:
    """Give the format of a name.

    >>> format_of("jsonl.gz").name
    'jsonl.gz'
    """
    if name not in FORMATS:
        msg = f"format={name!r} makes no sense: give one of {', '.join(FORMATS)}"
        raise SettingsError(msg)
    return Parquet() if name == "parquet" else JsonLines(name)

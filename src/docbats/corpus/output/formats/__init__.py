"""How rows are written: one module a format."""

from __future__ import annotations

from docbats.corpus.output.formats.format import Format
from docbats.corpus.output.formats.jsonl import JsonLines
from docbats.corpus.output.formats.parquet import CHUNK_TABLES, RESULT_TABLES, Parquet
from docbats.errors import SettingsError

__all__ = ["FORMATS", "Format", "get_format"]

FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def get_format(name: str, *, chunks: bool = False) -> Format:
    """Return the format of a name, for results, or for chunks.

    >>> get_format("jsonl.gz").name
    'jsonl.gz'
    """
    if name not in FORMATS:
        msg = f"format must be one of {', '.join(FORMATS)}, got {name!r}"
        raise SettingsError(msg)
    if name == "parquet":
        return Parquet(CHUNK_TABLES if chunks else RESULT_TABLES)
    return JsonLines(name)

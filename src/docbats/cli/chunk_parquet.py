"""Chunks of files as one Parquet table, written as they come."""

from __future__ import annotations

import io
from itertools import chain
from typing import TYPE_CHECKING, Any

from docbats.corpus.output.formats.parquet import replace_surrogates_within
from docbats.corpus.output.formats.parquet_tables import schemas
from docbats.integrations.chunk_table import CHUNK_COLUMNS, chunk_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.chunks import Chunk

__all__ = ["check_parquet", "chunks_to_parquet"]

_MIN_GROUP_ROWS = 10_000  # of a row group; with more, more memory is held


def check_parquet() -> None:
    """Raise MissingExtraError if pyarrow is not installed."""
    schemas()


def chunks_to_parquet(results: Iterator[tuple[str, Iterable[Chunk]]]) -> Iterator[bytes]:
    """Yield the bytes of a table with a row for each chunk of each file, by its name.

    Where there is no file, there is no table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from docbats.integrations.pyarrow import make_schema

    first = next(results, None)
    if first is None:
        return
    schema = make_schema({"source": "str", **CHUNK_COLUMNS})
    held = _HeldBytes()
    with pq.ParquetWriter(held, schema, compression="zstd") as writer:
        for rows in _row_groups(chain([first], results)):
            try:
                table = pa.Table.from_pylist(rows, schema)
            except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
                table = pa.Table.from_pylist(replace_surrogates_within(rows), schema)
            writer.write_table(table)
            yield held.take()
    yield held.take()


def _row_groups(results: Iterable[tuple[str, Iterable[Chunk]]]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for name, chunks in results:
        rows += [{"source": name, **row} for row in chunk_rows(chunks)]
        if len(rows) >= _MIN_GROUP_ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


class _HeldBytes(io.RawIOBase):
    """A file that holds what is written to it until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._size

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

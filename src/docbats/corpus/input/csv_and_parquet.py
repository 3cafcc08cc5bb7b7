"""The rows of CSV and Parquet files, one by one."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from docbats.corpus.input.decompress import BrokenFileError
from docbats.corpus.storage import is_url
from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.corpus.input.decompress import DecompressedFile

__all__ = ["csv_rows", "parquet_file", "parquet_rows"]

_ROWS_AT_A_TIME = 64  # of a Parquet file; with more, more memory is held


def csv_rows(
    file: DecompressedFile, name: str, encoding: str | None, max_size: int
) -> Iterator[list[str]]:
    """Yield the rows of a CSV file, or of one with tabs; the first has the names of the columns.

    Bytes that are not text stay as lone surrogates, so that they spoil no other row.
    """
    text = io.TextIOWrapper(
        cast("IO[bytes]", file), encoding or "utf-8-sig", "surrogateescape", newline=""
    )
    csv.field_size_limit(max(csv.field_size_limit(), max_size))
    is_tsv = ".tsv" in PurePath(name.lower()).suffixes
    try:
        yield from csv.reader(_lines(text, max_size), "excel-tab" if is_tsv else "excel")
    except (csv.Error, UnicodeError) as error:
        raise BrokenFileError(str(error)) from None


def parquet_file(path: str) -> Any:
    """Open a Parquet file without reading it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        msg = 'Parquet files need pyarrow: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    try:
        return pq.ParquetFile(_local_or_remote(path), pre_buffer=False, buffer_size=1 << 20)
    except (pa.ArrowException, OSError) as error:
        raise BrokenFileError(_first_line(error)) from None


def parquet_rows(file: Any, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that is open."""
    import pyarrow as pa

    try:
        for batch in file.iter_batches(_ROWS_AT_A_TIME, columns=columns, use_threads=False):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise BrokenFileError(_first_line(error)) from None


def _local_or_remote(path: str) -> Any:
    if not is_url(path):
        return path
    from docbats.corpus.input.remote_file import RemoteFile

    return RemoteFile(path)


def _lines(text: TextIO, max_size: int) -> Iterator[str]:
    while line := text.readline(max_size):
        if len(line) == max_size:
            msg = f"a line of {max_size:,} characters or more"
            raise BrokenFileError(msg)
        yield line


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]

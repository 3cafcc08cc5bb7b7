"""Parquet: tables of documents and of their segments and topics, or of documents and their chunks.

Each table is in as many files as there are parts. ``id`` and ``place`` are in all, so that they can
be joined.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from docbats.corpus.errors import Failure
from docbats.corpus.input.input_document import replace_surrogates
from docbats.corpus.output.document_rows import RowSummary
from docbats.corpus.output.formats.format import part_name, part_numbers
from docbats.corpus.output.formats.parquet_tables import (
    CHUNK_TABLES,
    RESULT_TABLES,
    schemas,
    table_rows,
)
from docbats.corpus.output.output_files import make_folder, write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["CHUNK_TABLES", "RESULT_TABLES", "Parquet", "replace_surrogates_within", "schemas"]


@dataclass(frozen=True)
class Parquet:
    """``documents/part-000000.parquet``, the same for the other tables, and so on."""

    tables: tuple[str, ...] = RESULT_TABLES
    name: str = "parquet"

    def check(self) -> None:
        """Raise MissingExtraError if pyarrow is not installed."""
        schemas()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Turn a row into one batch of rows a table."""
        try:
            return self._encode(row)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
            return self._encode(replace_surrogates_within(row))

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Put the batches of each table together and write them."""
        import pyarrow as pa

        batches: dict[str, list[Any]] = {name: [] for name in self.tables}
        for row in rows:
            for name, data in zip(self.tables, pickle.loads(row), strict=True):
                batches[name].append(pa.ipc.read_record_batch(data, schemas()[name]))
        files = {}
        for name in self.tables:
            make_folder(folder / name)
            # One chunk a column: how the rows came must not show in the file.
            table = pa.Table.from_batches(batches[name], schemas()[name]).combine_chunks()
            files[folder / name / part_name(part, self.name)] = _writer(table)
        write_files(files)

    def file_names(self, part: int) -> tuple[str, ...]:
        """Return the names of the files of a part, one for each table."""
        return tuple(f"{table}/{part_name(part, self.name)}" for table in self.tables)

    def finished(self, folder: Path) -> set[int]:
        """Return the numbers of the parts that all tables have."""
        return set.intersection(*(part_numbers(folder / name, self.name) for name in self.tables))

    def read(self, folder: Path, part: int) -> list[RowSummary]:
        """Read the documents and the words of their topics."""
        import pyarrow.parquet as pq

        name = part_name(part, self.name)
        columns = ["id", "place", "sha256", "error_kind", "error", "characters", "sentences"]
        with (folder / "documents" / name).open("rb") as file:
            documents = pq.read_table(file, columns=[*columns, "k"])
        words = self._read_words(folder, name)
        found = [_summary_of(row, tuple(words[row["place"]])) for row in documents.to_pylist()]
        return sorted(found, key=lambda row: row.place)

    def _encode(self, row: dict[str, Any]) -> bytes:
        import pyarrow as pa

        rows = table_rows(row, self.tables)
        return pickle.dumps([
            pa.RecordBatch.from_pylist(rows[name], schemas()[name]).serialize().to_pybytes()
            for name in self.tables
        ])  # fmt: skip

    def _read_words(self, folder: Path, name: str) -> dict[int, list[tuple[str, ...]]]:
        """Return the words of the topics of each document, by its place."""
        import pyarrow.parquet as pq

        words: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        if "topics" in self.tables:
            with (folder / "topics" / name).open("rb") as file:
                topics = pq.read_table(file, columns=["place", "words"])
            for topic in topics.to_pylist():
                words[topic["place"]].append(tuple(word["word"] for word in topic["words"]))
        return words


def _writer(table: Any) -> Callable[[BinaryIO], object]:
    """Return what writes a table to a file, in one piece: pyarrow itself would write hundreds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def write(file: BinaryIO) -> object:
        stream = pa.BufferOutputStream()
        pq.write_table(table, stream, compression="zstd")
        return file.write(stream.getvalue())

    return write


def replace_surrogates_within(value: Any) -> Any:
    """Replace lone surrogates, wherever they are."""
    match value:
        case str():
            return replace_surrogates(value)
        case list():
            return list(map(replace_surrogates_within, value))
        case dict():
            return {name: replace_surrogates_within(item) for name, item in value.items()}
        case _:
            return value


def _summary_of(row: dict[str, Any], words: tuple[tuple[str, ...], ...]) -> RowSummary:
    kind = row["error_kind"]
    return RowSummary(
        id=row["id"],
        place=row["place"],
        checksum=row["sha256"],
        failure=None if kind is None else Failure(kind, row["error"]),
        characters=row["characters"] or 0,
        sentences=row["sentences"] or 0,
        k=row["k"] or 0,
        words=words,
    )

"""How rows are written: JSON lines and Parquet."""

from __future__ import annotations

import gzip
import json
import pickle
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

from docbats.corpus.documents import replace_surrogates_within
from docbats.corpus.errors import Failure
from docbats.corpus.rows import RowSummary
from docbats.corpus.storage import (
    BrokenFileError,
    DecompressedFile,
    iter_lines,
    make_folder,
    write_file,
    write_files,
    zstd_module,
)
from docbats.errors import MissingExtraError, SettingsError
from docbats.integrations.tables import CHUNK_COLUMNS, chunk_row, place_columns
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

_PART_PREFIX, _PART_DIGITS = "part-", 6
_SENTENCES = ("first_sentence", "end_sentence")


def part_name(part: int, suffix: str) -> str:
    """Return the file name of a part.

    >>> part_name(7, "jsonl")
    'part-000007.jsonl'
    """
    return f"{_PART_PREFIX}{part:0{_PART_DIGITS}}.{suffix}"


def part_numbers(folder: Path, suffix: str) -> set[int]:
    """Return the numbers of the parts whose files exist."""
    numbers = set()
    for path in folder.glob(f"{_PART_PREFIX}*.{suffix}"):
        number = path.name.removeprefix(_PART_PREFIX).removesuffix(f".{suffix}")
        if number.isascii() and number.isdecimal():
            numbers.add(int(number))
    return numbers


RESULT_TABLES = ("segments", "topics", "documents")
CHUNK_TABLES = ("chunks", "documents")
"""The last one is written last: a part is finished if it exists."""


@cache
def schemas() -> dict[str, Any]:
    """Return the columns of each table and their types."""
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        msg = 'Parquet files need pyarrow: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    from docbats.integrations.pyarrow import make_schema

    words = pa.list_(pa.struct([("word", pa.string()), ("score", pa.float64())]))
    key = [("id", pa.string()), ("place", pa.int64())]
    return {
        "documents": pa.schema([
            *key,
            ("source", pa.string()),
            ("sha256", pa.string()),
            ("error_kind", pa.string()),
            ("error", pa.string()),
            ("k", pa.int32()),
            ("characters", pa.int64()),
            ("sentences", pa.int32()),
            ("kept_words", pa.int32()),
            ("language", pa.string()),
            ("reason", pa.string()),
            ("notes", pa.list_(pa.string())),
        ]),
        "segments": pa.schema([
            *key,
            ("segment", pa.int32()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            *((name, pa.int32()) for name in _SENTENCES),
            ("title", pa.string()),
            ("title_source", pa.string()),
            ("title_confidence", pa.float64()),
            ("subtitle", pa.string()),
            ("heading_path", pa.list_(pa.string())),
            ("speakers", pa.list_(pa.string())),
            ("summary", pa.string()),
            ("topic", pa.int32()),
            ("topic_weights", pa.list_(pa.float64())),
            ("keywords", words),
            ("strength", pa.float64()),
            ("overlap_start", pa.int64()),
            ("text", pa.string()),
            ("first_page", pa.int32()),
            ("last_page", pa.int32()),
            ("first_cell", pa.int32()),
            ("last_cell", pa.int32()),
            ("begins", pa.float64()),
            ("ends", pa.float64()),
        ]),
        "topics": pa.schema([
            *key,
            ("topic", pa.int32()),
            ("label", pa.string()),
            ("weight", pa.float64()),
            ("words", words),
        ]),
        "chunks": pa.schema([*key, *make_schema(CHUNK_COLUMNS)]),
    }  # fmt: skip


def table_rows(row: dict[str, Any], tables: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a document in each of these tables; in the last it has one."""
    key = {"id": row["id"], "place": row["place"]}
    error, choice = row["error"] or {}, row["choice"] or {}
    document = {
        **(row["document"] or {}),
        **row,
        "error_kind": error.get("kind"),
        "error": error.get("message"),
        "reason": choice.get("reason"),
    }
    rows = {"documents": [document]}
    if "chunks" in tables:
        chunks = enumerate(row.get("chunks", ()))  # a document that failed has none
        rows["chunks"] = [{**key, **chunk_row(number, chunk)} for number, chunk in chunks]
    else:
        segments, topics = enumerate(row["segments"]), enumerate(row["topics"])
        rows["segments"] = [
            {
                **segment,
                **dict(zip(_SENTENCES, segment["sentences"], strict=True)),
                **place_columns(segment.get("place", {})),
                **key,
                "segment": number,
            }
            for number, segment in segments
        ]
        rows["topics"] = [{**topic, **key, "topic": number} for number, topic in topics]
    return rows


@dataclass(frozen=True)
class JsonLines:
    """``part-000000.jsonl``, and so on; the name of the format is the suffix of the files."""

    name: str = "jsonl"

    def check(self) -> None:
        """Raise MissingExtraError if the compression is not installed."""
        if self.name.endswith(".zst"):
            zstd_module()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Return the line of a row; called in the process of the analysis."""
        return (json_text(row) + "\n").encode()

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Write the lines of a part, which appears complete or not at all."""

        def write(file: BinaryIO) -> None:
            if self.name == "jsonl":
                file.writelines(rows)
            elif self.name.endswith(".gz"):
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                    packed.writelines(rows)
            else:
                with zstd_module().ZstdFile(file, "wb") as packed:
                    packed.writelines(rows)

        write_file(folder / part_name(part, self.name), write)

    def file_names(self, part: int) -> tuple[str, ...]:
        """Return the name of the file of a part."""
        return (part_name(part, self.name),)

    def finished(self, folder: Path) -> set[int]:
        """Return the numbers of the files that exist."""
        return part_numbers(folder, self.name)

    def read(self, folder: Path, part: int) -> list[RowSummary]:
        """Read a part, in the order of the input; ValueError or OSError if it is damaged."""
        try:
            with DecompressedFile(str(folder / part_name(part, self.name))) as file:
                found = [
                    _summary_of(json.loads(line or b"")) for line in iter_lines(file, sys.maxsize)
                ]
        except (KeyError, TypeError, RecursionError, BrokenFileError) as error:
            raise ValueError(str(error)) from None
        return sorted(found, key=lambda row: row.place)


def _summary_of(row: dict[str, Any]) -> RowSummary:
    document = row["document"] or {"characters": 0, "sentences": 0}
    failure = None if row["error"] is None else Failure(**row["error"])
    return _summary({**document, **row}, failure, map(_words, row["topics"]))


def _summary(
    row: dict[str, Any], failure: Failure | None, words: Iterable[tuple[str, ...]]
) -> RowSummary:
    return RowSummary(
        id=row["id"],
        place=row["place"],
        checksum=row["sha256"],
        failure=failure,
        characters=row["characters"] or 0,
        sentences=row["sentences"] or 0,  # not counted for chunks
        k=row["k"] or 0,
        words=tuple(words),
    )


def _words(topic: dict[str, Any]) -> tuple[str, ...]:
    return tuple(word["word"] for word in topic["words"])


@dataclass(frozen=True)
class Parquet:
    """``documents/part-000000.parquet``, the same for the other tables, and so on."""

    tables: tuple[str, ...] = RESULT_TABLES
    name: str = "parquet"

    def check(self) -> None:
        """Raise MissingExtraError if pyarrow is not installed."""
        schemas()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Turn a row into a record batch for each table."""
        try:
            return self._encode(row)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot encode
            return self._encode(replace_surrogates_within(row))

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Concatenate the batches of each table and write them."""
        import pyarrow as pa

        batches: dict[str, list[Any]] = {name: [] for name in self.tables}
        for row in rows:
            for name, data in zip(self.tables, pickle.loads(row), strict=True):
                batches[name].append(pa.ipc.read_record_batch(data, schemas()[name]))
        files = {}
        for name in self.tables:
            make_folder(folder / name)
            # One chunk per column: the file must not depend on how the rows arrived.
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

        def read(table: str, *columns: str) -> list[dict[str, Any]]:
            with (folder / table / part_name(part, self.name)).open("rb") as file:
                rows: list[dict[str, Any]] = pq.read_table(file, columns=list(columns)).to_pylist()
            return rows

        columns = ("id", "place", "sha256", "error_kind", "error", "characters", "sentences", "k")
        documents = read("documents", *columns)
        words: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        for topic in read("topics", "place", "words") if "topics" in self.tables else ():
            words[topic["place"]].append(_words(topic))
        found = []
        for row in documents:
            kind = row["error_kind"]
            failure = None if kind is None else Failure(kind, row["error"])
            found.append(_summary(row, failure, words[row["place"]]))
        return sorted(found, key=lambda row: row.place)

    def _encode(self, row: dict[str, Any]) -> bytes:
        import pyarrow as pa

        rows = table_rows(row, self.tables)
        return pickle.dumps([
            pa.RecordBatch.from_pylist(rows[name], schemas()[name]).serialize().to_pybytes()
            for name in self.tables
        ])  # fmt: skip


def _writer(table: Any) -> Callable[[BinaryIO], object]:
    """Return a function that writes a table in one piece: pyarrow would write hundreds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def write(file: BinaryIO) -> object:
        stream = pa.BufferOutputStream()
        pq.write_table(table, stream, compression="zstd")
        return file.write(stream.getvalue())

    return write


Format = JsonLines | Parquet
"""Writes rows to files, part by part, and reads them back; it can be pickled."""
FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def get_format(name: str, *, chunks: bool = False) -> Format:
    """Return the format with this name, for results or for chunks.

    >>> get_format("jsonl.gz").name
    'jsonl.gz'
    """
    if name not in FORMATS:
        msg = f"format must be one of {', '.join(FORMATS)}, got {name!r}"
        raise SettingsError(msg)
    if name == "parquet":
        return Parquet(CHUNK_TABLES if chunks else RESULT_TABLES)
    return JsonLines(name)

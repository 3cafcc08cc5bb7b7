"""Parquet: a table of documents, one of segments and one of topics, each in as many files as parts.

``id`` and ``place`` are in all three, so that they can be joined.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import Failure
from docbats.corpus.input.input_document import replace_surrogates
from docbats.corpus.output.document_rows import RowSummary
from docbats.corpus.output.formats.format import part_name, part_numbers
from docbats.corpus.output.output_files import make_folder, write_files
from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["TABLES", "Parquet", "schemas"]

TABLES = ("segments", "topics", "documents")
"""The last one is written last: a part is finished where it is there."""

_PLACE_COLUMNS = {
    "pages": ("first_page", "last_page"),
    "cells": ("first_cell", "last_cell"),
    "seconds": ("begins", "ends"),
}


@dataclass(frozen=True)
class Parquet:
    """``documents/part-000000.parquet``, the same for ``segments`` and ``topics``, and so on."""

    name: str = "parquet"

    def check(self) -> None:
        """Raise MissingExtraError if pyarrow is not installed."""
        schemas()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Turn a row into one batch of rows a table."""
        try:
            return _encode(row)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
            return _encode(_replace_surrogates(row))

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Put the batches of each table together and write them."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        batches: dict[str, list[Any]] = {name: [] for name in TABLES}
        for row in rows:
            for name, data in zip(TABLES, pickle.loads(row), strict=True):
                batches[name].append(pa.ipc.read_record_batch(data, schemas()[name]))
        files = {}
        for name in TABLES:
            make_folder(folder / name)
            # One chunk a column: how the rows came must not show in the file.
            table = pa.Table.from_batches(batches[name], schemas()[name]).combine_chunks()
            files[folder / name / part_name(part, self.name)] = _writer(pq, table)
        write_files(files)

    def file_names(self, part: int) -> tuple[str, ...]:
        """Return the names of the files of a part, one for each table."""
        return tuple(f"{table}/{part_name(part, self.name)}" for table in TABLES)

    def finished(self, folder: Path) -> set[int]:
        """Return the numbers of the parts that all three tables have."""
        return set.intersection(*(part_numbers(folder / name, self.name) for name in TABLES))

    def read(self, folder: Path, part: int) -> list[RowSummary]:
        """Read the documents and the words of their topics."""
        import pyarrow.parquet as pq

        name = part_name(part, self.name)
        columns = ["id", "place", "sha256", "error_kind", "error", "characters", "sentences"]
        with (folder / "documents" / name).open("rb") as file:
            documents = pq.read_table(file, columns=[*columns, "k"])
        with (folder / "topics" / name).open("rb") as file:
            topics = pq.read_table(file, columns=["place", "words"])
        words: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        for topic in topics.to_pylist():
            words[topic["place"]].append(tuple(word["word"] for word in topic["words"]))
        found = [_summary_of(row, tuple(words[row["place"]])) for row in documents.to_pylist()]
        return sorted(found, key=lambda row: row.place)


@cache
def schemas() -> dict[str, Any]:
    """Return the columns of each table and their types."""
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        msg = 'Parquet files need pyarrow: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
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
            ("first_sentence", pa.int32()),
            ("end_sentence", pa.int32()),
            ("title", pa.string()),
            ("title_source", pa.string()),
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
            ("under", pa.list_(pa.string())),
            ("headings", pa.list_(pa.string())),
        ]),
        "topics": pa.schema([
            *key,
            ("topic", pa.int32()),
            ("label", pa.string()),
            ("weight", pa.float64()),
            ("words", words),
        ]),
    }  # fmt: skip


def _encode(row: dict[str, Any]) -> bytes:
    import pyarrow as pa

    key = {"id": row["id"], "place": row["place"]}
    error = row["error"] or {"kind": None, "message": None}
    choice = row["choice"] or {"reason": None}
    document = {
        **key,
        **(row["document"] or {}),
        "source": row["source"],
        "sha256": row["sha256"],
        "error_kind": error["kind"],
        "error": error["message"],
        "k": row["k"],
        "reason": choice["reason"],
        "notes": row["notes"],
    }
    segments = [
        {
            **segment,
            **_place_columns(segment.get("place", {})),
            **key,
            "segment": number,
            "first_sentence": segment["sentences"][0],
            "end_sentence": segment["sentences"][1],
        }
        for number, segment in enumerate(row["segments"])
    ]
    topics = [{**topic, **key, "topic": number} for number, topic in enumerate(row["topics"])]
    tables = {"documents": [document], "segments": segments, "topics": topics}
    return pickle.dumps([
        pa.RecordBatch.from_pylist(tables[name], schemas()[name]).serialize().to_pybytes()
        for name in TABLES
    ])  # fmt: skip


def _place_columns(place: dict[str, Any]) -> dict[str, Any]:
    """Return where a segment is in its file, a column for each end of a range."""
    columns = {name: place.get(name) for name in ("under", "headings")}
    for pair, names in _PLACE_COLUMNS.items():
        columns |= dict(zip(names, place.get(pair, (None, None)), strict=True))
    return columns


def _writer(pq: Any, table: Any) -> Any:
    return lambda file: pq.write_table(table, file, compression="zstd")


def _replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, wherever they are."""
    match value:
        case str():
            return replace_surrogates(value)
        case list():
            return list(map(_replace_surrogates, value))
        case dict():
            return {name: _replace_surrogates(item) for name, item in value.items()}
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

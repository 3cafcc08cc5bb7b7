"""The tables of Parquet files: their columns, and the rows of one document in each."""

from __future__ import annotations

from functools import cache
from typing import Any

from docbats.errors import MissingExtraError
from docbats.integrations.chunk_table import CHUNK_COLUMNS, chunk_row

__all__ = ["CHUNK_TABLES", "RESULT_TABLES", "schemas", "table_rows"]

RESULT_TABLES = ("segments", "topics", "documents")
CHUNK_TABLES = ("chunks", "documents")
"""The last one is written last: a part is finished where it is there."""

_PLACE_COLUMNS = {
    "pages": ("first_page", "last_page"),
    "cells": ("first_cell", "last_cell"),
    "seconds": ("begins", "ends"),
}


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
        "chunks": pa.schema([*key, *make_schema(CHUNK_COLUMNS)]),
    }  # fmt: skip


def table_rows(row: dict[str, Any], tables: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that a document has in each of these tables; in the last it has one."""
    key = {"id": row["id"], "place": row["place"]}
    rows = {"documents": [{**key, **_document_columns(row)}]}
    if "chunks" in tables:
        chunks = enumerate(row.get("chunks", ()))  # a document that failed has none
        rows["chunks"] = [{**key, **chunk_row(number, chunk)} for number, chunk in chunks]
    else:
        segments, topics = enumerate(row["segments"]), enumerate(row["topics"])
        rows["segments"] = [
            {**segment, **_segment_columns(segment), **key, "segment": number}
            for number, segment in segments
        ]
        rows["topics"] = [{**topic, **key, "topic": number} for number, topic in topics]
    return rows


def _document_columns(row: dict[str, Any]) -> dict[str, Any]:
    error = row["error"] or {"kind": None, "message": None}
    choice = row["choice"] or {"reason": None}
    return {
        **(row["document"] or {}),
        "source": row["source"],
        "sha256": row["sha256"],
        "error_kind": error["kind"],
        "error": error["message"],
        "k": row["k"],
        "reason": choice["reason"],
        "notes": row["notes"],
    }


def _segment_columns(segment: dict[str, Any]) -> dict[str, Any]:
    """Return which sentences a segment has and where it is in its file, a column for each end."""
    place = segment.get("place", {})
    first_sentence, end_sentence = segment["sentences"]
    columns = {name: place.get(name) for name in ("under", "headings")}
    columns |= {"first_sentence": first_sentence, "end_sentence": end_sentence}
    for pair, names in _PLACE_COLUMNS.items():
        columns |= dict(zip(names, place.get(pair, (None, None)), strict=True))
    return columns

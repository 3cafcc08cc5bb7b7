"""Segments as rows of a CSV file, and segments or chunks as lines of JSON."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from docbats.chunks.segment_chunks import chunk_of_segment
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.chunks import Chunk
    from docbats.result import Result

_COLUMNS = (
    "source", "segment", "start", "end", "first_sentence", "end_sentence", "title", "headings",
    "speakers", "topic", "topic_label", "text",
)  # fmt: skip
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")


def to_csv(results: Iterable[tuple[str, Result]]) -> str:
    """Return a row for each segment of each named result; offsets count from 0, ends excluded.

    The topic columns name the segment's strongest topic. Text that a spreadsheet would treat as a
    formula, because it begins with ``=``, ``+``, ``-``, ``@`` or a control character, is preceded
    by an apostrophe.
    """
    buffer = io.StringIO()
    # All strings in quotes: Python 3.11 does not quote a lone \r, where readers would end the row.
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(_COLUMNS)
    for source, result in results:
        for number, segment in enumerate(result.segments):
            topic = segment.topic
            row = [
                source,
                number,
                segment.start,
                segment.end,
                *segment.sentences,
                segment.title,
                " > ".join(segment.heading_path),
                ", ".join(segment.speakers),
                "" if topic is None else topic,
                "" if topic is None else result.topics[topic].label,
                segment.text,
            ]
            writer.writerow(map(_not_a_formula, row))
    return buffer.getvalue()


def _not_a_formula(value: str | int) -> str | int:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value


def to_chunk_lines(source: str, result: Result) -> str:
    """Return a line for each segment, with its overlap."""
    chunks = (chunk_of_segment(result, segment) for segment in result.segments)
    return chunks_to_lines(source, chunks)


def chunks_to_lines(source: str, chunks: Iterable[Chunk]) -> str:
    """Return a line for each chunk, with its source and its values."""
    values = ({"source": source, **row} for row in chunks_to_values(chunks))
    return "".join(f"{json_text(row)}\n" for row in values)


def chunks_to_values(chunks: Iterable[Chunk]) -> Iterator[dict[str, Any]]:
    """Yield the number, the id, the metadata and the text of each chunk, as JSON-ready values.

    A chunk with a context or the header of a table also has its content to index.
    """
    for number, chunk in enumerate(chunks):
        values = {"chunk": number, **chunk.to_dict()}
        del values["document_id"]  # which the source tells
        yield values

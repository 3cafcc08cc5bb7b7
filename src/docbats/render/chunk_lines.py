"""Chunks as JSON lines, one per chunk, for search engines and vector stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.chunks.segment_chunks import chunk_of_segment
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.chunks import Chunk
    from docbats.result import Result


def to_chunk_lines(source: str, result: Result) -> str:
    """Return a line for each segment, with its overlap."""
    chunks = (chunk_of_segment(result, segment) for segment in result.segments)
    return chunks_to_lines(source, chunks)


def chunks_to_lines(source: str, chunks: Iterable[Chunk]) -> str:
    """Return a line for each chunk: its source, number, metadata and text.

    A chunk with a context also has its content to index: the context and the text.
    """
    lines = []
    for number, chunk in enumerate(chunks):
        values = {"source": source, "chunk": number, **chunk.values(), "text": chunk.text}
        if chunk.context:
            values["content"] = chunk.content
        lines.append(json_text(values) + "\n")
    return "".join(lines)

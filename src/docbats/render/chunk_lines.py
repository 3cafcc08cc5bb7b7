"""Chunks as JSON lines, a chunk on each: what a search engine or a vector store takes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.integrations.splitting import chunk_of_segment
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.chunks import Chunk
    from docbats.result import Result


def to_chunk_lines(source: str, result: Result) -> str:
    """Return a line for each segment, with its overlap, its metadata and its text."""
    lines = []
    for number, segment in enumerate(result.segments):
        chunk = chunk_of_segment(result, segment, segment.overlap_start, strip=False)
        values = {"source": source, "chunk": number, **chunk.values(), "text": chunk.text}
        lines.append(json_text(values) + "\n")
    return "".join(lines)


def chunks_to_lines(source: str, chunks: Iterable[Chunk]) -> str:
    """Return a line for each chunk: its source, its number, its metadata and its text.

    With a context there is what to index, too: the context and the text.
    """
    lines = []
    for number, chunk in enumerate(chunks):
        values = {"source": source, "chunk": number, **chunk.values(), "text": chunk.text}
        if chunk.context:
            values["content"] = chunk.content
        lines.append(json_text(values) + "\n")
    return "".join(lines)

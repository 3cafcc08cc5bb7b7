"""Segments as JSON lines, a chunk on each: what a search engine or a vector store takes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.integrations.segment_chunks import chunk_of_segment
from docbats.result import json_text

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["to_chunk_lines"]


def to_chunk_lines(source: str, result: Result) -> str:
    """Return a line for each segment, with its overlap, its metadata and its text."""
    lines = []
    for number, segment in enumerate(result.segments):
        chunk = chunk_of_segment(result, segment, segment.overlap_start, strip=False)
        values = {"source": source, "chunk": number, **chunk.values(), "text": chunk.text}
        lines.append(json_text(values) + "\n")
    return "".join(lines)

"""Segments by topic as chunks, and the outline as a tree of chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.chunks.chunk import Chunk, ChunkNode
from docbats.describe import describe_segments
from docbats.topics import strongest_topics

if TYPE_CHECKING:
    from docbats.parts import Entry, Segment
    from docbats.result import Result


def chunk_of_segment(
    result: Result, segment: Segment, *, overlap: bool = True, strip: bool = False
) -> Chunk:
    """Return a segment as a chunk, by default with its overlap.

    With `strip`, white space around the text is left out, and nothing may be left of it.
    """
    text = result.document.text
    start, end = segment.overlap_start if overlap else segment.start, segment.end
    if strip:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = max(start, end - len(piece) + len(piece.rstrip()))
    return Chunk(
        text=text[start:end],
        start=start,
        end=end,
        own_start=min(max(start, segment.start), end),
        size=end - start,
        title=segment.title,
        heading_path=segment.heading_path,
        speakers=segment.speakers,
        place=segment.place,
        topics=strongest_topics(result, segment),
        is_segment=True,
        strength=segment.strength,
        document_id=result.document.identity,
    )


def segment_chunks(result: Result, *, strip: bool) -> list[Chunk]:
    """Return the segments of a result as chunks, without the empty ones."""
    chunks = [chunk_of_segment(result, segment, strip=strip) for segment in result.segments]
    return [chunk for chunk in chunks if chunk.text]


def outline_chunks(result: Result, *, strip: bool) -> list[ChunkNode]:
    """Return the entries of the outline as chunks, without the empty ones.

    Leaves keep to the limits on sizes and begin with their overlap.
    """
    segments = _describe_entries(result)
    nodes: list[ChunkNode] = []

    def add(entry: Entry, parent: int | None, level: int) -> list[int]:
        """Add an entry and those below it; return its index, or nothing if it is empty."""
        segment = replace(segments[id(entry)], title=entry.title)
        chunk = chunk_of_segment(result, segment, overlap=not entry.children, strip=strip)
        if not chunk.text:
            return []
        index = len(nodes)
        nodes.append(ChunkNode(chunk, level, parent, ()))
        children = [i for child in entry.children for i in add(child, index, level + 1)]
        nodes[index] = ChunkNode(chunk, level, parent, tuple(children))
        return [index]

    for entry in result.outline:
        add(entry, None, 0)
    return nodes


def _describe_entries(result: Result) -> dict[int, Segment]:
    """Return each entry of the outline as a segment, by the id of the entry.

    Each level is a cut of the whole text: entries without children are part of all deeper ones.
    """
    segments: dict[int, Segment] = {}
    level: list[Entry] = list(result.outline)
    while any(id(entry) not in segments for entry in level):
        starts = np.array([entry.sentences[0] for entry in level], np.int64)
        described = describe_segments(result.analysis, starts)
        for entry, segment in zip(level, described, strict=True):
            segments.setdefault(id(entry), segment)
        level = [below for entry in level for below in entry.children or (entry,)]
    return segments

"""The outline as chunks: small ones to search, and the parts that they belong to, to read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.describe import describe_segments
from docbats.integrations.run_bats import run_unless_blank
from docbats.integrations.segment_chunks import chunk_of_segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.document import Document
    from docbats.integrations.segment_chunks import Chunk
    from docbats.parts import Entry, Segment
    from docbats.pipeline import BATS
    from docbats.result import Result

__all__ = ["ChunkNode", "make_chunk_tree"]


@dataclass(frozen=True)
class ChunkNode:
    """A part of the outline as a chunk.

    Attributes
    ----------
    level
        How deep it is nested; 0 for the parts that are in no other.
    parent
        The index of the part that it belongs to; None at level 0.
    children
        The indices of its own parts, which tile it; none where it is not divided.
    """

    chunk: Chunk
    level: int
    parent: int | None
    children: tuple[int, ...]


def make_chunk_tree(bats: BATS, source: str | Document, *, strip: bool) -> list[ChunkNode]:
    """Return the parts of the outline, each before its own parts; a blank text has none.

    What is not divided further keeps to the limits on sizes, and begins with its overlap.
    """
    result = run_unless_blank(bats, source)
    return [] if result is None else _TreeMaker(result, strip=strip).nodes


class _TreeMaker:
    """Turns the outline of a result into nodes."""

    def __init__(self, result: Result, *, strip: bool) -> None:
        self._result = result
        self._strip = strip
        self._described = _describe_levels(result)
        self.nodes: list[ChunkNode] = []
        for entry in result.outline:
            self._add(entry, None, 0)

    def _add(self, entry: Entry, parent: int | None, level: int) -> int | None:
        """Add an entry and those below it; return its index, None if it is blank."""
        segment = self._described[id(entry)]
        start = entry.start if entry.children else segment.overlap_start
        chunk = chunk_of_segment(self._result, segment, start, strip=self._strip, title=entry.title)
        if not chunk.text:
            return None
        own = len(self.nodes)
        self.nodes.append(ChunkNode(chunk, level, parent, ()))
        found = [self._add(child, own, level + 1) for child in entry.children]
        children = tuple(child for child in found if child is not None)
        self.nodes[own] = replace(self.nodes[own], children=children)
        return own


def _describe_levels(result: Result) -> dict[int, Segment]:
    """Describe each entry of the outline as a segment, by the id of the entry.

    Each level is a cut of the whole text: what is not divided stays from one to the next.
    """
    described: dict[int, Segment] = {}
    level: list[Entry] = list(result.outline)
    while any(id(entry) not in described for entry in level):
        for entry, segment in zip(level, _describe(result, level), strict=True):
            described.setdefault(id(entry), segment)
        level = [below for entry in level for below in entry.children or (entry,)]
    return described


def _describe(result: Result, entries: Sequence[Entry]) -> tuple[Segment, ...]:
    """Describe entries that tile the text as segments."""
    starts = np.array([entry.sentences[0] for entry in entries], np.int64)
    return describe_segments(result.analysis, starts, result._topic_words)

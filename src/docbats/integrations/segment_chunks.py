"""Segments as chunks: pieces of text with their offsets, title, topics and strength."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.integrations.run_bats import run_unless_blank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.parts import Segment
    from docbats.pipeline import BATS
    from docbats.result import Result

__all__ = ["Chunk", "make_chunks", "strongest_topics"]

MAX_TOPICS = 3  # of each chunk; with more, topics that hardly occur in it would be listed


@dataclass(frozen=True)
class Chunk:
    """A piece of a text, ``text[start:end]``.

    Attributes
    ----------
    start, end
        Half-open character offsets; with an overlap, `start` lies before the segment's own.
    title
        A short name, from the segment's own words.
    topics
        The labels of its strongest topics, three at most, strongest first.
    strength
        How sharp the boundary before it is, from 0 to 1; None for the first chunk.
    """

    text: str
    start: int
    end: int
    title: str
    topics: tuple[str, ...]
    strength: float | None

    def metadata(self, prefix: str, source: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return a copy of the `source` document's metadata, with title, topics and strength.

        `prefix` goes before these three names, so that they need not replace those of the document.
        """
        own = {"title": self.title, "topics": list(self.topics), "strength": self.strength}
        return {**deepcopy(dict(source or {})), **{prefix + name: own[name] for name in own}}


def make_chunks(bats: BATS, text: str, *, strip: bool) -> list[Chunk]:
    """Split a text into chunks; a blank text has none.

    With `strip`, chunks neither begin nor end with white space, and blank ones are left out.
    """
    result = run_unless_blank(bats, text)
    if result is None:
        return []
    chunks = []
    for segment in result.segments:
        start, end = segment.overlap_start, segment.end
        if strip:
            piece = text[start:end]
            start += len(piece) - len(piece.lstrip())
            end -= len(piece) - len(piece.rstrip())
            if start >= end:
                continue
        topics = strongest_topics(result, segment)
        chunks.append(Chunk(text[start:end], start, end, segment.title, topics, segment.strength))
    return chunks


def strongest_topics(result: Result, segment: Segment) -> tuple[str, ...]:
    """Return the labels of a segment's strongest topics, strongest first."""
    weights = segment.topic_weights
    order = sorted(range(len(weights)), key=lambda topic: -weights[topic])[:MAX_TOPICS]
    return tuple(result.topics[topic].label for topic in order if weights[topic] > 0)

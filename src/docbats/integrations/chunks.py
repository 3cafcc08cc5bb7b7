"""Segments as pieces of text with their place and what is known about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.errors import EmptyDocumentError

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.pipeline import BATS
    from docbats.result import Result

__all__ = ["Chunk", "make_chunks", "topic_labels"]

_MOST_TOPICS = 3


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
        How sharp the boundary before it is, from 0 to 1; None where there is none.
    """

    text: str
    start: int
    end: int
    title: str
    topics: tuple[str, ...]
    strength: float | None

    def facts(self, prefix: str = "") -> dict[str, Any]:
        """Give what is known about it as plain values, under names that begin with `prefix`."""
        facts = {"title": self.title, "topics": list(self.topics), "strength": self.strength}
        return {prefix + name: value for name, value in facts.items()}


def make_chunks(bats: BATS, text: str, *, strip: bool) -> list[Chunk]:
    """Cut a text into chunks: none where it is blank.

    With `strip` chunks neither begin nor end with white space, and blank ones are left out.
    """
    try:
        result = bats(text)
    except EmptyDocumentError:
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
        topics = topic_labels(result, segment)
        chunks.append(Chunk(text[start:end], start, end, segment.title, topics, segment.strength))
    return chunks


def topic_labels(result: Result, segment: Segment) -> tuple[str, ...]:
    """Give the labels of a segment's strongest topics, strongest first."""
    weights = segment.topic_weights
    places = sorted(range(len(weights)), key=lambda place: -weights[place])[:_MOST_TOPICS]
    return tuple(result.topics[place].label for place in places if weights[place] > 0)

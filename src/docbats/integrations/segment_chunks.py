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
    from docbats.readers.places import Place
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
        A short name: the author's heading, or a phrase of the segment's own words.
    headings
        The headings that it stands under, highest first, and its own.
    speakers
        Who speaks in it.
    place
        Its pages, times or cells in the file that was read; None where there is none.
    topics
        The labels of its strongest topics, three at most, strongest first.
    strength
        The probability that a person would draw the boundary before it; None for the first chunk.
    """

    text: str
    start: int
    end: int
    title: str
    headings: tuple[str, ...]
    speakers: tuple[str, ...]
    place: Place | None
    topics: tuple[str, ...]
    strength: float | None

    def metadata(self, prefix: str, source: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return a copy of the `source` document's metadata, with what is known of the chunk.

        `prefix` goes before the names, so that they need not replace those of the document.
        Headings, speakers, pages, times and cells are there only where there are any.
        """
        own: dict[str, Any] = {
            "title": self.title,
            "topics": list(self.topics),
            "strength": self.strength,
        }
        if self.headings:
            own["headings"] = list(self.headings)
        if self.speakers:
            own["speakers"] = list(self.speakers)
        if self.place is not None:
            place = self.place.to_dict()
            own |= {name: place[name] for name in ("pages", "seconds", "cells") if name in place}
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
        chunks.append(
            Chunk(
                text=text[start:end],
                start=start,
                end=end,
                title=segment.title,
                headings=segment.heading_path,
                speakers=segment.speakers,
                place=segment.place,
                topics=topics,
                strength=segment.strength,
            )
        )
    return chunks


def strongest_topics(result: Result, segment: Segment) -> tuple[str, ...]:
    """Return the labels of a segment's strongest topics, strongest first."""
    weights = segment.topic_weights
    order = sorted(range(len(weights)), key=lambda topic: -weights[topic])[:MAX_TOPICS]
    return tuple(result.topics[topic].label for topic in order if weights[topic] > 0)

"""Segments as chunks: pieces of text with their offsets, title, topics, place and strength."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.integrations.run_bats import run_unless_blank
from docbats.topics.strongest_topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.document import Document
    from docbats.parts import Segment
    from docbats.pipeline import BATS
    from docbats.readers.places import Place
    from docbats.result import Result

__all__ = ["Chunk", "add_to_metadata", "chunk_of_segment", "make_chunks"]


@dataclass(frozen=True)
class Chunk:
    """A piece of a text, ``text[start:end]``.

    Attributes
    ----------
    start, end
        Half-open character offsets; with an overlap, `start` lies before the segment's own.
    title
        A short name: the author's heading, or a phrase of the segment's own words.
    heading_path
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
    heading_path: tuple[str, ...]
    speakers: tuple[str, ...]
    place: Place | None
    topics: tuple[str, ...]
    strength: float | None

    @property
    def content(self) -> str:
        """What to index: its text."""
        return self.text

    def values(self) -> dict[str, Any]:
        """Return all that is known of it, but for its text, as JSON-ready values.

        Headings, speakers, pages, times and cells are there only where there are any.
        """
        known: dict[str, Any] = {
            "start": self.start,
            "end": self.end,
            "title": self.title,
            "topics": list(self.topics),
            "strength": self.strength,
        }
        if self.heading_path:
            known["heading_path"] = list(self.heading_path)
        if self.speakers:
            known["speakers"] = list(self.speakers)
        if self.place is not None:
            place = self.place.to_dict()
            known |= {name: place[name] for name in ("pages", "seconds", "cells") if name in place}
        return known


def add_to_metadata(
    source: Mapping[str, Any], values: Mapping[str, Any], prefix: str = ""
) -> dict[str, Any]:
    """Return a copy of a document's metadata with further values, none of its own overwritten.

    `prefix` goes before their names; where the document has the name, ``docbats_`` does.

    >>> add_to_metadata({"title": "Mine"}, {"title": "Bats", "start": 0})
    {'title': 'Mine', 'docbats_title': 'Bats', 'start': 0}
    """
    metadata = deepcopy(dict(source))
    for name, value in values.items():
        own = prefix + name
        metadata[f"docbats_{own}" if own in source else own] = value
    return metadata


def make_chunks(bats: BATS, source: str | Document, *, strip: bool) -> list[Chunk]:
    """Split a text into chunks; a blank text has none.

    With `strip`, chunks neither begin nor end with white space, and blank ones are left out.
    """
    result = run_unless_blank(bats, source)
    if result is None:
        return []
    chunks = [
        chunk_of_segment(result, segment, segment.overlap_start, strip=strip)
        for segment in result.segments
    ]
    return [chunk for chunk in chunks if chunk.text]


def chunk_of_segment(
    result: Result, segment: Segment, start: int, *, strip: bool, title: str | None = None
) -> Chunk:
    """Make a chunk from `start` to the end of a segment; its text may be empty with `strip`."""
    text, end = result.document.text, segment.end
    if strip:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = max(start, end - len(piece) + len(piece.rstrip()))
    return Chunk(
        text=text[start:end],
        start=start,
        end=end,
        title=segment.title if title is None else title,
        heading_path=segment.heading_path,
        speakers=segment.speakers,
        place=segment.place,
        topics=strongest_topics(result, segment),
        strength=segment.strength,
    )

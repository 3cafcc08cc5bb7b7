"""Chunks: pieces of a text with their offsets and descriptions, alone or nested in larger ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbats.places import Place

CONTEXT_JOIN = " > "
"""Separates the headings of a context."""


def stable_id(*parts: object) -> str:
    """Return a UUID made of strings and numbers: the same on every machine.

    >>> stable_id("bats.md", 0, 16, "Bats fly at night.")
    '8ca1ff12-4414-5114-ba52-fe5dae90d18e'
    """
    from uuid import UUID

    written = json.dumps(parts, separators=(",", ":"))
    return str(UUID(bytes=sha256(written.encode("ascii")).digest()[:16], version=5))


def content_before(context: str, table_header: str) -> str:
    r"""Return what the content of a chunk has before its text.

    >>> content_before("Bats > Food", "| moth |\n|---|")
    'Bats > Food\n\n| moth |\n|---|\n'
    """
    header = f"{table_header}\n" if table_header else ""
    return f"{context}\n\n{header}" if context else header


@dataclass(frozen=True)
class Chunk:
    """A piece of a text, ``text[start:end]``.

    Attributes
    ----------
    text
        The piece itself.
    start, end
        Half-open character offsets, including any overlap with the chunk before.
    own_start
        Where the text after the overlap begins; equal to `start` without an overlap.
    size
        The size of its `content`, in the unit asked for; in characters for a segment.
    title
        The heading it begins with, or the nearest one above it. Without a heading, a phrase of its
        own words, if it is a segment or titles were asked for; else None.
    heading_path
        The headings above it, highest first, and the one it begins with.
    document_title
        The only heading of the highest level; None if there are several or none.
    context
        What to index before the text, if asked for; empty by default.
    table_header
        The header rows of the table whose rows it begins with, if they are in a chunk before it.
    speakers
        Who speaks in it.
    place
        Its pages, times or cells in the file it was read from, if any.
    topics
        The labels of its strongest topics, strongest first; None if no analysis was asked for.
    is_segment
        Whether it is a segment by topic, found by an analysis.
    strength
        Of a segment, the probability that a person would draw the boundary before it; None for
        the first.
    document_id
        The id of its document, or a hash of the text of a document without one.
    """

    text: str
    start: int
    end: int
    own_start: int
    size: int
    title: str | None = None
    heading_path: tuple[str, ...] = ()
    document_title: str | None = None
    context: str = ""
    table_header: str = ""
    speakers: tuple[str, ...] = ()
    place: Place | None = None
    topics: tuple[str, ...] | None = None
    is_segment: bool = False
    strength: float | None = None
    document_id: str = ""

    @property
    def id(self) -> str:
        """A UUID made of the document's id, the offsets and the content: the same on every run."""
        return stable_id(self.document_id, self.start, self.end, self.content)

    @property
    def content(self) -> str:
        """What to index: the context and the header of a table, if any, and the text."""
        return self.before + self.text

    @property
    def before(self) -> str:
        """What the content has before the text."""
        return content_before(self.context, self.table_header)

    def to_dict(self) -> dict[str, Any]:
        """Return everything known about the chunk as JSON-ready values.

        With a context or the header of a table, `content` has that and the text.
        """
        values = {"id": self.id, "document_id": self.document_id, **self.values()}
        values["text"] = self.text
        if self.content != self.text:
            values["content"] = self.content
        return values

    def values(self) -> dict[str, Any]:
        """Return everything known about the chunk except ids and text, as JSON-ready values.

        Unknown values are left out, except the title and the strength of a segment.
        """
        known: dict[str, Any] = {"start": self.start, "end": self.end}
        if self.own_start != self.start:
            known["own_start"] = self.own_start
        if not self.is_segment:
            known["size"] = self.size
        known["title"] = self.title
        optional = {
            "document_title": self.document_title,
            "heading_path": list(self.heading_path),
            "speakers": list(self.speakers),
            "context": self.context,
            "table_header": self.table_header,
        }
        known |= {name: value for name, value in optional.items() if value}
        if self.topics is not None:
            known["topics"] = list(self.topics)
        if self.is_segment:
            known["strength"] = self.strength
        if self.place is not None:
            known |= self.place.to_dict()
        return known


@dataclass(frozen=True)
class ChunkNode:
    """A chunk in a tree of chunks, which is a list with each parent before its children.

    Attributes
    ----------
    chunk
        The chunk itself.
    level
        The depth of the node; 0 for roots.
    parent
        The index of its parent; None for roots.
    children
        The indices of its children; empty for leaves.
    """

    chunk: Chunk
    level: int
    parent: int | None
    children: tuple[int, ...]

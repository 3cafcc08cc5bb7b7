"""One chunk: a piece of a text with its offsets and what it stands under."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbats.places import Place

CONTEXT_END = "\n\n"
"""Stands between the context of a chunk and its text."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a text, ``text[start:end]``.

    Attributes
    ----------
    text
        The piece itself.
    start, end
        Half-open character offsets; with an overlap, `start` lies before what is its own.
    own_start
        Where what is its own begins; the same as `start` without an overlap.
    size
        Of all that is indexed, its `content`, in the unit that was asked for.
    title
        The heading with which it begins, or the nearest above it; a phrase of its own words if
        titles were asked for and it begins with no heading; None where there is neither.
    heading_path
        The headings that it stands under, highest first, and the one with which it begins.
    document_title
        The heading above all others, or the only one of the highest level; None where there is
        none.
    context
        What goes before the text to help search, as asked for; empty by default.
    speakers
        Who speaks in it.
    place
        Its pages, times or cells in the file that was read; None where there is none.
    topics
        The labels of its strongest topics, strongest first, if topics were asked for.
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
    speakers: tuple[str, ...] = ()
    place: Place | None = None
    topics: tuple[str, ...] | None = None

    @property
    def content(self) -> str:
        """What to index: the context, if any, and the text."""
        return self.context + CONTEXT_END + self.text if self.context else self.text

    def values(self) -> dict[str, Any]:
        """Return all that is known of it, but for its text, as JSON-ready values.

        What is not known of it is left out, but for the title.
        """
        known: dict[str, Any] = {"start": self.start, "end": self.end}
        if self.own_start != self.start:
            known["own_start"] = self.own_start
        known |= {"size": self.size, "title": self.title}
        optional = {
            "document_title": self.document_title,
            "heading_path": list(self.heading_path),
            "speakers": list(self.speakers),
            "context": self.context,
        }
        known |= {name: value for name, value in optional.items() if value}
        if self.topics is not None:
            known["topics"] = list(self.topics)
        if self.place is not None:
            place = self.place.to_dict()
            known |= {name: place[name] for name in ("pages", "seconds", "cells") if name in place}
        return known


CONTEXT_JOIN = " > "
"""Stands between the headings of a context."""


@dataclass(frozen=True)
class Cut:
    """A chunk before it is described.

    Attributes
    ----------
    start, end
        Its span with what it repeats of the text before it.
    own_start
        Where what is its own begins.
    size
        Of its context and its text.
    path
        The headings that are its context.
    cost
        Of the cut before it.
    """

    start: int
    end: int
    own_start: int
    size: int
    path: tuple[str, ...]
    cost: float

    @property
    def context(self) -> str:
        """What goes before it."""
        return CONTEXT_JOIN.join(self.path)

    def content(self, text: str) -> str:
        """Return what is indexed of it."""
        before = self.context + CONTEXT_END if self.path else ""
        return before + text[self.start : self.end]

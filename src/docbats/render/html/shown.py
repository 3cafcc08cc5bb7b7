"""A result as a page shows it: what its panels share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.parts import Entry
from docbats.render.html.cuts import Cuts, make_cuts
from docbats.render.html.element import Markup, element
from docbats.render.html.figures import Distances, find_distances
from docbats.render.html.text import MarkedText, mark_text
from docbats.render.plain import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.parts import Sentence
    from docbats.result import Result

__all__ = ["MOST_CELLS", "MOST_LANES", "Shown", "badge", "short"]

MOST_LANES = 40
"""Topics up to which each has a row along the document."""

MOST_CELLS = 1500
"""Cells that the map of topics by segments may have."""

_TITLE = 80  # characters of a title, label or word
_SUMMARY = 5  # sentences, of a text with three times as many
_NESTED = 20_000  # sentences up to which the outline is divided further


@dataclass(frozen=True, eq=False)
class Shown:
    """A result, its name, and the level of the first heading; all else is made when asked for."""

    result: Result
    name: str
    level: int

    @cached_property
    def key(self) -> str:
        """What ids begin with: no two documents on a page may share one."""
        seed = f"{self.name}\0{self.result.settings!r}\0{self.result.document.text}"
        return "d" + hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:5]

    @cached_property
    def cuts(self) -> Cuts:
        """The cuts that the slider offers."""
        return make_cuts(self.result)

    @cached_property
    def distances(self) -> Distances | None:
        """The distances between sentences; None where there is but one sentence."""
        return find_distances(self.result) if len(self.result.document) > 1 else None

    @cached_property
    def outline(self) -> tuple[Entry, ...]:
        """The nested table of contents; in a very long text only the segments."""
        if len(self.result.document) <= _NESTED and self.result.analysis.text.counts.words:
            return self.result.outline
        return tuple(Entry(s.title, s.start, s.end, s.sentences) for s in self.result.segments)

    @cached_property
    def summary(self) -> tuple[Sentence, ...]:
        """The sentences that say most; none of a very short text."""
        number = min(_SUMMARY, len(self.result.document) // 3)
        return self.result.summary(number) if number > 1 and self.result.topics else ()

    @property
    def has_headings(self) -> bool:
        """Whether the file has headings, so that a segment may stand under one."""
        places = self.result.document.places
        return places is not None and bool(places.headings)

    @cached_property
    def text(self) -> MarkedText:
        """The text with its marks."""
        starts = {segment.sentences[0] for segment in self.result.segments}
        entries = (entry.sentences[0] for entry in _flat(self.outline))
        places = [sentence for sentence in entries if sentence not in starts]
        places += [sentence.index for sentence in self.summary]
        return mark_text(self.result, self.key, self.cuts.pieces, places)

    def heading(self, depth: int, *content: object, **attributes: object) -> Markup:
        """Make a heading, so many levels below the first."""
        return element(f"h{min(6, self.level + depth)}", *content, **attributes)

    def section(self, title: str, *content: object, **attributes: object) -> Markup:
        """Make a section that is named by its heading."""
        heading = f"{self.key}-{'-'.join(title.lower().split())}-heading"
        return element(
            "section",
            self.heading(1, title, id=heading),
            *content,
            aria_labelledby=heading,
            **attributes,
        )


def short(text: str) -> str:
    """Cut a title, a label or a word to a length that a line can hold."""
    return excerpt(text, _TITLE)


def badge(topic: int) -> Markup:
    """Show the number of a topic in its colour."""
    return element("span", f"T{topic + 1}", class_=f"badge t{topic}")


def _flat(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _flat(entry.children)

"""What the panels of a report share: a result, and what is worked out from it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.parts import Entry, Outline
from docbats.render.html.distance_matrix import DistanceMatrix, find_distances
from docbats.render.html.marked_text import MarkedText, mark_text
from docbats.render.html.markup import Markup, element
from docbats.render.html.slider_cuts import SliderCuts, make_slider_cuts
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from docbats.parts import Sentence
    from docbats.result import Result

__all__ = ["MAX_LANES", "MAX_MAP_CELLS", "ReportContext", "badge", "short"]

MAX_LANES = 40
"""Topics that have a row along the document; more would make the page too large."""

MAX_MAP_CELLS = 1500
"""Cells of the map of topics by segments; a larger map is left out."""

_MAX_TITLE_LENGTH = 80  # characters
_MAX_SUMMARY_SENTENCES = 5  # and at most a third of the text


@dataclass(frozen=True, eq=False)
class ReportContext:
    """A result, its name, and the level of the first heading; the rest follows from them."""

    result: Result
    name: str
    level: int

    @cached_property
    def key(self) -> str:
        """The prefix of ids, so that several documents on one page share none."""
        seed = f"{self.name}\0{self.result.settings!r}\0{self.result.document.text}"
        return "d" + hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:5]

    @cached_property
    def cuts(self) -> SliderCuts:
        """The cuts that the slider offers."""
        return make_slider_cuts(self.result, self.outline)

    @cached_property
    def distances(self) -> DistanceMatrix | None:
        """The distances between sentences; None if there is only one sentence."""
        return find_distances(self.result) if len(self.result.document) > 1 else None

    @cached_property
    def outline(self) -> Outline:
        """The nested table of contents; where no word is kept, only the segments."""
        if self.result.analysis.text.counts.words:
            return self.result.outline
        segments = self.result.segments
        return Outline(Entry(s.title, s.start, s.end, s.sentences) for s in segments)

    @cached_property
    def summary(self) -> tuple[Sentence, ...]:
        """The most central sentences; none of a very short text."""
        number = min(_MAX_SUMMARY_SENTENCES, len(self.result.document) // 3)
        return self.result.summary(number) if number > 1 and self.result.topics else ()

    @property
    def has_headings(self) -> bool:
        """Whether segments may stand under headings, or have speakers."""
        blocks = self.result.document.blocks
        return any(block.kind == "heading" or block.speaker for block in blocks)

    @cached_property
    def text(self) -> MarkedText:
        """The text with its marks."""
        places = [entry.sentences[0] for _, entry in self.outline.walk()]
        places += [sentence.index for sentence in self.summary]
        return mark_text(self.result, self.key, self.cuts.pieces, places)

    def heading(self, depth: int, *content: object, **attributes: object) -> Markup:
        """Return a heading, `depth` levels below the first."""
        return element(f"h{min(6, self.level + depth)}", *content, **attributes)

    def section(self, title: str, *content: object, **attributes: object) -> Markup:
        """Return a section that is labelled by its heading."""
        heading = f"{self.key}-{'-'.join(title.lower().split())}-heading"
        return element(
            "section",
            self.heading(1, title, id=heading),
            *content,
            aria_labelledby=heading,
            **attributes,
        )


def short(text: str) -> str:
    """Return a title, a label or a word, shortened to fit a line."""
    return excerpt(text, _MAX_TITLE_LENGTH)


def badge(topic: int) -> Markup:
    """Return the number of a topic in its colour."""
    return element("span", f"T{topic + 1}", class_=f"badge t{topic}")

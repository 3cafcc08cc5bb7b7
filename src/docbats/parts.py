"""The parts of a result: topics, segments, the lines of an outline, sentences, vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.readers.places import Place

__all__ = ["Entry", "ScoredWord", "Segment", "Sentence", "TitleSource", "Topic", "Vectors"]

TitleSource = Literal["heading", "words"]
"""Whether a title is a heading of the author's, or made of the words of the text."""


class ScoredWord(NamedTuple):
    """A word and its weight; larger is better."""

    word: str
    score: float


@dataclass(frozen=True)
class Topic:
    """A group of words that keep company.

    Attributes
    ----------
    words
        All words of the topic, best first. No word belongs to two topics.
    weight
        The topic's share of all words' scores.
    label
        A short name: a phrase of the text, or the topic's best words.
    """

    words: tuple[ScoredWord, ...]
    weight: float
    label: str


@dataclass(frozen=True)
class Segment:
    """A stretch of sentences.

    Attributes
    ----------
    start, end
        Half-open character offsets; the segments tile the whole text, so that the white space
        after a segment's last sentence belongs to it.
    sentences
        Half-open pair of sentence indices.
    text
        ``document.text[start:end]``.
    title
        A short name: the heading with which the segment begins, or a phrase of its own words.
    title_source
        Which of the two: ``"heading"`` or ``"words"``.
    subtitle
        The phrase of its own words, where the title is a heading; else empty.
    heading_path
        The headings that it stands under, highest first, and its own.
    speakers
        Who speaks in it, in the order of their first turns.
    summary
        The one of its sentences that says most of what it says and can stand alone, on one line;
        empty where it has no prose.
    topic_weights
        For each topic, its share of the segment's kept words, counted as X^a does.
    keywords
        The words that stand out in this segment, best first.
    strength
        How sharp the boundary before this segment is, from 0 to 1; at 0.5 it gains as much as a
        boundary should, beside the segments around it. None for the first segment, and for cuts by
        linkage.
    overlap_start
        Where the segment begins with as much of what comes before as ``settings.overlap`` asks for;
        `start` where that is nothing.
    place
        Its pages, times, cells or headings in the file that was read; None where there is none.
    """

    start: int
    end: int
    sentences: tuple[int, int]
    text: str = field(repr=False)
    title: str
    topic_weights: tuple[float, ...]
    keywords: tuple[ScoredWord, ...]
    strength: float | None
    overlap_start: int
    place: Place | None = None
    title_source: TitleSource = "words"
    subtitle: str = ""
    heading_path: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    summary: str = ""

    @property
    def topic(self) -> int | None:
        """The index of the strongest topic, or None where no kept word occurs."""
        if not any(self.topic_weights):
            return None
        return int(np.argmax(self.topic_weights))


@dataclass(frozen=True)
class Entry:
    """A line of a table of contents.

    Attributes
    ----------
    title
        A short name: its heading, or a phrase of its own words.
    start, end
        Half-open character offsets.
    sentences
        Half-open pair of sentence indices.
    children
        The lines below it, which tile it; none where it is not divided.
    title_source
        Whether the title is a ``"heading"`` of the author's, or made of ``"words"`` of the text.
    """

    title: str
    start: int
    end: int
    sentences: tuple[int, int]
    children: tuple[Entry, ...] = ()
    title_source: TitleSource = "words"

    def to_dict(self) -> dict[str, Any]:
        """Return the line and those below it as JSON-ready values."""
        return {
            "title": self.title,
            "title_source": self.title_source,
            "start": self.start,
            "end": self.end,
            "sentences": list(self.sentences),
            "children": [child.to_dict() for child in self.children],
        }


@dataclass(frozen=True)
class Sentence:
    """A sentence of the document, ``document.text[start:end]``, and its index."""

    index: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class Vectors:
    """The spectrum behind a result (eq. 5).

    Attributes
    ----------
    sentences, words
        U' and V': a unit row for each sentence and for each kept word.
    vocabulary
        The kept words, in the order of the rows of `words`.
    singular_values
        The k largest, in falling order.
    """

    sentences: NDArray[np.float64]
    words: NDArray[np.float64]
    vocabulary: tuple[str, ...]
    singular_values: NDArray[np.float64]

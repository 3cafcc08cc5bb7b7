"""The parts of a result: topics, segments, the lines of an outline, sentences, vectors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from docbats.errors import SettingsError
from docbats.runtime import DescribedLater

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.places import Place

TitleSource = Literal["heading", "document", "phrase", "opening", "speaker", "keywords", "given"]
"""Where a title is from: the author's heading; the title of the whole document, over what comes
before its first part; a phrase of the text, its opening words, or who speaks and when; its keywords
(in the preset `paper`); or whoever named the segments."""

AUTHORS_TITLES = frozenset({"heading", "document"})
"""The sources of titles that are the author's own."""


class Title(NamedTuple):
    """A title, where it is from, and how far it can be expected to be right.

    The confidence is 1 for the author's headings. Of others it is the expected F1 of the stems of
    the best phrase with those of the heading that an author would write, also if that phrase is
    too doubtful to be shown.
    """

    text: str
    source: TitleSource = "phrase"
    confidence: float = 1.0


class ScoredWord(NamedTuple):
    """A word and its weight; larger is better."""

    word: str
    score: float


@dataclass(frozen=True)
class Topic:
    """A group of words that occur together.

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
class Segment(DescribedLater):
    """A stretch of sentences.

    A result finds where its segments are, and all else when it is first read.

    Attributes
    ----------
    start, end
        Half-open character offsets; segments tile the whole text, so the white space after the last
        sentence belongs to the segment.
    sentences
        Half-open pair of sentence indices.
    text
        ``document.text[start:end]``.
    title
        A short name: the heading that the segment begins with, or a phrase of its words; or its
        opening words or its speakers where no phrase is likely to be right.
    title_source
        Which of these: ``"heading"``, ``"phrase"``, ``"opening"`` or ``"speaker"``; ``"document"``
        if it is the title of the whole document, as over a preface, ``"keywords"`` in the preset
        `paper`, ``"given"`` if it was given from outside.
    title_confidence
        How much of an author's heading the title can be expected to have, from 0 to 1: the expected
        F1 of their stems. 1 if it is the author's; if it is its opening words or its speakers, that
        of the phrase that was too doubtful.
    subtitle
        A phrase of its words if the title is a heading; otherwise empty.
    heading_path
        The headings above it, highest first, and its own.
    speakers
        Who speaks in it, in the order of their first turns.
    summary
        The sentence that covers most of it and can stand alone, on one line, after the name of its
        speaker and a colon if it has one; empty if no sentence says enough.
    topic_weights
        The share of each topic in the segment's kept words, as counted in X^a.
    keywords
        The words that stand out in this segment, best first.
    strength
        The probability that a person would draw the boundary before this segment, give or take two
        sentences; with a custom cost, 0.5 if it gains just its penalty. None for the first segment,
        and for cuts by linkage.
    overlap_start
        Where the segment begins with its overlap, see ``settings.overlap``; `start` without one.
    place
        Its pages, times, cells or headings in the file; None if there are none.
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
    place: Place | None = field(default_factory=lambda: None)
    title_source: TitleSource = field(default_factory=lambda: "phrase")
    title_confidence: float = field(default_factory=lambda: 1.0)
    subtitle: str = field(default_factory=str)
    heading_path: tuple[str, ...] = field(default_factory=tuple)
    speakers: tuple[str, ...] = field(default_factory=tuple)
    summary: str = field(default_factory=str)

    @property
    def topic(self) -> int | None:
        """The index of the strongest topic, or None if it has no kept word."""
        if not any(self.topic_weights):
            return None
        return int(np.argmax(self.topic_weights))


class Topics(tuple[Topic, ...]):
    """The topics of a document, shown one on a line, and as a card in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        from docbats.render.notebook import topic_lines

        return topic_lines(self)

    def _repr_html_(self) -> str:
        from docbats.render.notebook import topic_card

        return topic_card(self)


class Segments(tuple[Segment, ...]):
    """The segments of a document, shown one on a line, and as a card in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        from docbats.render.notebook import segment_lines

        return segment_lines(self)

    def _repr_html_(self) -> str:
        from docbats.render.notebook import segment_card

        return segment_card(self)


@dataclass(frozen=True)
class Entry:
    """A line of a table of contents.

    Attributes
    ----------
    title
        A short name: its heading, or a phrase of its words.
    start, end
        Half-open character offsets.
    sentences
        Half-open pair of sentence indices.
    children
        The lines below it, which tile it; empty if it is not divided.
    title_source, title_confidence
        As for segments.
    """

    title: str
    start: int
    end: int
    sentences: tuple[int, int]
    children: tuple[Entry, ...] = ()
    title_source: TitleSource = "phrase"
    title_confidence: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return the line and those below it as JSON-ready values."""
        return {
            "title": self.title,
            "title_source": self.title_source,
            "title_confidence": _rounded(self.title_confidence),
            "start": self.start,
            "end": self.end,
            "sentences": list(self.sentences),
            "children": [child.to_dict() for child in self.children],
        }


class Outline(tuple[Entry, ...]):
    """A nested table of contents: a tuple of its top entries, which tile the text.

    Call it to cut it at a depth: ``outline(depth=1)`` has the top entries only.

    Examples
    --------
    >>> below = Entry("Leaves", 0, 30, (0, 3)), Entry("Water", 30, 80, (3, 8))
    >>> outline = Outline([Entry("Tea", 0, 80, (0, 8), below), Entry("Bats", 80, 120, (8, 12))])
    >>> outline
    <Outline: entries 2, levels 2, leaves 3>
    >>> print(outline)
    1 Tea
      1.1 Leaves
      1.2 Water
    2 Bats
    >>> [entry.children for entry in outline(depth=1)]
    [(), ()]
    """

    __slots__ = ()

    def __call__(self, depth: int | None = None) -> Outline:
        """Return the outline down to `depth` levels; None is all.

        Depth 1 has the top entries only.
        """
        if depth is None:
            return self
        if not isinstance(depth, int | np.integer) or isinstance(depth, bool) or depth < 1:
            msg = f"depth must be a whole number, at least 1, or None, got {depth!r}"
            raise SettingsError(msg)
        return Outline(_cut_at(entry, int(depth)) for entry in self)

    @property
    def depth(self) -> int:
        """The number of levels."""
        return max((1 + Outline(entry.children).depth for entry in self), default=0)

    @property
    def leaves(self) -> tuple[Entry, ...]:
        """The entries that are not divided, in the order of the text; they tile it."""
        return tuple(entry for _, entry in self.walk() if not entry.children)

    def walk(self) -> Iterator[tuple[tuple[int, ...], Entry]]:
        """Yield all entries in the order of a table of contents, each with its numbers.

        The second entry below the first has the numbers ``(1, 2)``.
        """
        for number, entry in enumerate(self, 1):
            yield (number,), entry
            for numbers, below in Outline(entry.children).walk():
                yield (number, *numbers), below

    def to_list(self) -> list[dict[str, Any]]:
        """Return the entries as JSON-ready values."""
        return [entry.to_dict() for entry in self]

    def _repr_html_(self) -> str:
        """Show a card in a notebook."""
        from docbats.render.notebook import outline_card

        return outline_card(self)

    def __str__(self) -> str:
        """Return a line for each entry, indented, and numbered unless headings have numbers."""
        from docbats.text.headings import split_number

        lines = list(self.walk())
        headings = (entry.title for _, entry in lines if entry.title_source == "heading")
        is_numbered = any(split_number(heading)[0] for heading in headings)
        return "\n".join(
            "  " * (len(numbers) - 1)
            + ("" if is_numbered else f"{'.'.join(map(str, numbers))} ")
            + entry.title
            for numbers, entry in lines
        )

    def __repr__(self) -> str:
        sizes = (len(self), self.depth, len(self.leaves))
        return "<Outline: entries {}, levels {}, leaves {}>".format(*sizes)


def _cut_at(entry: Entry, depth: int) -> Entry:
    children = tuple(_cut_at(child, depth - 1) for child in entry.children) if depth > 1 else ()
    return replace(entry, children=children)


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
        The k largest, in descending order.
    """

    sentences: NDArray[np.float64]
    words: NDArray[np.float64]
    vocabulary: tuple[str, ...]
    singular_values: NDArray[np.float64]


def topic_dict(topic: Topic, top_words: int | None) -> dict[str, Any]:
    """Return a topic with at most `top_words`; None is all."""
    return {
        "label": topic.label,
        "weight": _rounded(topic.weight),
        "words": _word_dicts(topic.words[:top_words]),
    }


def segment_dict(segment: Segment, top_words: int | None) -> dict[str, Any]:
    """Return a segment with at most `top_words` keywords; None is all."""
    return {
        "start": segment.start,
        "end": segment.end,
        "sentences": list(segment.sentences),
        "title": segment.title,
        "title_source": segment.title_source,
        "title_confidence": _rounded(segment.title_confidence),
        "subtitle": segment.subtitle,
        "heading_path": list(segment.heading_path),
        "speakers": list(segment.speakers),
        "summary": segment.summary,
        "topic": segment.topic,
        "topic_weights": [_rounded(weight) for weight in segment.topic_weights],
        "keywords": _word_dicts(segment.keywords[:top_words]),
        "strength": None if segment.strength is None else _rounded(segment.strength),
        "overlap_start": segment.overlap_start,
        **_place_dict(segment.place),
        "text": segment.text,
    }


def _place_dict(place: Place | None) -> dict[str, Any]:
    values = {} if place is None else place.to_dict()
    return {"place": values} if values else {}


def _word_dicts(words: tuple[ScoredWord, ...]) -> list[dict[str, Any]]:
    return [{"word": word, "score": _rounded(score)} for word, score in words]


def _rounded(value: float) -> float:
    """Round to six decimals, since the last bits may differ between processors."""
    return round(value, 6)

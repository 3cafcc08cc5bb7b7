"""The text of a document, with its sentences and the words of its topics marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markup import Markup, element, escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from docbats.result import Result

    Ints = NDArray[np.int64]

__all__ = ["MarkedText", "mark_text"]

# More elements would make the page larger, and slower to scroll.
_MAX_UNITS = 1000  # elements for sentences; in a longer text each holds several sentences
_MAX_WORDS = 2800  # elements for words of topics
_TOP_WORDS = 10  # of a topic, marked more strongly
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class MarkedText:
    """A text as HTML.

    Attributes
    ----------
    pieces
        The text, split wherever any cut may begin a segment.
    wrapped
        Whether lines are broken inside sentences, so that only blank lines matter.
    unit
        How many sentences an element for a sentence holds.
    units
        The first sentence of each element.
    ranks
        How many words of each topic are marked; None if all are.
    """

    pieces: tuple[Markup, ...]
    wrapped: bool
    unit: int
    units: list[int]
    ranks: int | None


def mark_text(result: Result, key: str, pieces: Sequence[int], places: Iterable[int]) -> MarkedText:
    """Mark sentences and words; `places` are sentences that something links to."""
    spans = result.document.spans
    m = len(spans)
    unit = -(-m // _MAX_UNITS)
    firsts = np.unique([*range(0, m, unit), *pieces, *places])
    marks = _find_marks(result)
    html = _Writer(result.document.text, marks)
    wrapped = unit == 1 and _is_wrapped(result)
    starts, ends = spans[firsts, 0].tolist(), spans[[*(firsts[1:] - 1), m - 1], 1].tolist()
    gap_ends = [*starts[1:], len(result.document.text)]
    begins_piece, has_links = set(pieces), set(places)
    units = firsts.tolist()
    parts: list[list[Markup]] = []
    for i, (first, start, end, gap_end) in enumerate(
        zip(units, starts, ends, gap_ends, strict=True)
    ):
        if first in begins_piece:
            parts.append([])
        if first == 0:
            parts[-1].append(html.stretch(0, start))
        name = f"{key}-s{first}" if first in has_links else None
        parts[-1].append(element("span", html.stretch(start, end), class_="s", id=name))
        ends_piece = i + 1 == len(units) or units[i + 1] in begins_piece
        parts[-1].append(html.gap(end, gap_end, ends_piece=ends_piece, wrapped=wrapped))
    return MarkedText(
        pieces=tuple(element("span", *part, class_="piece") for part in parts),
        wrapped=wrapped,
        unit=unit,
        units=units,
        ranks=marks.ranks,
    )


@dataclass(frozen=True, eq=False)
class _Marks:
    """The words to mark, in the order of the text."""

    start: Ints
    end: Ints
    topic: Ints
    top: NDArray[np.bool_]
    ranks: int | None


def _find_marks(result: Result) -> _Marks:
    """Return the words of the topics, only the best of each if they are too many."""
    text = result.analysis.text
    words, tokens = text.words, text.tokens
    place = {
        scored.word: (number, rank)
        for number, topic in enumerate(result.topics)
        for rank, scored in enumerate(topic.words)
    }
    nowhere = (-1, -1)
    topic, rank = np.array([place.get(name, nowhere) for name in words.names], np.int64).T.reshape(
        2, -1
    )
    uses = np.bincount(words.word, minlength=len(words.names))
    by_rank = np.cumsum(np.bincount(rank[topic >= 0], uses[topic >= 0], minlength=1))
    ranks = int(np.searchsorted(by_rank, _MAX_WORDS, side="right"))
    chosen = (topic >= 0) & (rank < ranks)
    used = chosen[words.word]
    token, word = words.token[used], words.word[used]
    return _Marks(
        start=tokens.start[token],
        end=tokens.end[token],
        topic=topic[word],
        top=rank[word] < _TOP_WORDS,
        ranks=None if ranks >= len(by_rank) else ranks,
    )


class _Writer:
    """Converts stretches of a text to HTML, one after the other."""

    def __init__(self, text: str, marks: _Marks) -> None:
        self._text = text
        self._marks = list(
            zip(
                marks.start.tolist(),
                marks.end.tolist(),
                marks.topic.tolist(),
                marks.top.tolist(),
                strict=True,
            )
        )
        self._next = 0

    def stretch(self, start: int, end: int) -> Markup:
        """Return a stretch with its topic words marked; of words that overlap, only the first."""
        parts = []
        done = start
        while self._next < len(self._marks) and self._marks[self._next][0] < end:
            begin, stop, topic, top = self._marks[self._next]
            self._next += 1
            if begin >= done and stop <= end:
                parts.append(escaped(self._text[done:begin]))
                name = f"t{topic}" if top else f"t{topic} low"
                parts.append(element("i", self._text[begin:stop], class_=name))
                done = stop
        parts.append(escaped(self._text[done:end]))
        return Markup("".join(parts))

    def gap(self, start: int, end: int, *, ends_piece: bool, wrapped: bool) -> Markup:
        """Return what is between two sentences; line ends so that a heading can replace them."""
        text = self._text[start:end]
        if not text.isspace() or not _LINE_END.search(text):
            return escaped(text)
        blank = wrapped and _BLANK_LINE.search(_LINE_END.sub("\n", text))
        names = ["gap"] * ends_piece + ["blank"] * bool(blank)
        return element("span", text, class_=" ".join(names)) if names else escaped(text)


def _is_wrapped(result: Result) -> bool:
    """Whether most lines end inside a sentence, as in texts wrapped at a fixed width."""
    text, spans = result.document.text, result.document.spans.tolist()
    inside = sum(len(_LINE_END.findall(text, start, end)) for start, end in spans)
    gaps = (text[end:start] for (_, end), (start, _) in pairwise(spans))
    between = sum(len(_LINE_END.findall(gap)) == 1 for gap in gaps)
    return inside > between

"""What the panels of a report share: a result and values derived from it."""

from __future__ import annotations

import base64
import hashlib
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.describe import find_speakers, summary_text
from docbats.matrix import unit_rows
from docbats.parts import Entry, Outline
from docbats.places import clock
from docbats.render.html.markup import Markup, element
from docbats.render.html.shown_text import ShownText, TextPieces, write_pieces
from docbats.render.html.slider import SliderCuts, make_slider_cuts
from docbats.render.one_line import excerpt, segment_context
from docbats.render.speakers import Talk
from docbats.runtime import single_blas_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.parts import Segment, Sentence
    from docbats.result import Result

_WORDS_PER_MINUTE = 230  # of silent reading

_MAX_DISTANCE_BINS = 150  # rows of the matrix; with more the page gets larger
_MAX_DISTANCE = 2.0  # between two unit vectors
_MAX_TITLE_LENGTH = 80  # characters
_FOLDERS = re.compile(r"^.*[/\\](?=[^/\\\s][^/\\]*$)", re.DOTALL)
_MIN_SUMMED_SENTENCES = 4  # of a segment that is worth a summary
MAX_SUMMARY_LENGTH = 300  # characters
_MAX_SUMMARY_SENTENCES = 5  # and at most a third of the text


@dataclass(frozen=True, eq=False)
class ReportContext:
    """A result, the name of its document, and the level of the report's first heading."""

    result: Result
    name: str
    level: int

    @cached_property
    def key(self) -> str:
        """The prefix of ids, different for each of several documents on one page."""
        result = self.result
        starts = [segment.start for segment in result.segments]
        seed = f"{self.name}\0{result.settings!r}\0{starts}\0{result.document.text}"
        return "d" + hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:5]

    @property
    def title(self) -> str:
        """The name of the document, without the folders of a path."""
        return short(_FOLDERS.sub("", self.name)) or "Document"

    @property
    def language(self) -> str | None:
        """The language of the document, for screen readers; None if English, like the page."""
        return None if self.result.language == "en" else self.result.language

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
        """The nested table of contents; only the segments if no word was kept."""
        if self.result.analysis.text.counts.words:
            return self.result.outline
        segments = self.result.segments
        return Outline(Entry(s.title, s.start, s.end, s.sentences) for s in segments)

    @cached_property
    def summary(self) -> tuple[Sentence, ...]:
        """The most central sentences; none if the text is very short."""
        number = min(_MAX_SUMMARY_SENTENCES, len(self.result.document) // 3)
        return self.result.summary(number) if number > 1 and self.result.topics else ()

    def gists(self, segments: Sequence[Segment]) -> list[int | str | None]:
        """Return the summary of each segment; None for a segment that needs none.

        It is the number of a sentence if it is that sentence and nothing else.
        """
        starts = np.array([segment.sentences[0] for segment in segments], np.int64)
        chosen = self.result.analysis.summaries.choose(starts)
        return [
            self._gist(segment, None if summary is None else summary.sentence)
            for summary, segment in zip(chosen, segments, strict=True)
        ]

    def _gist(self, segment: Segment, sentence: int | None) -> int | str | None:
        document, (first, end) = self.result.document, segment.sentences
        if sentence is None or segment.summary != summary_text(document, sentence):
            return excerpt(segment.summary, MAX_SUMMARY_LENGTH) or None
        if sentence == first or end - first < _MIN_SUMMED_SENTENCES:
            return None
        if find_speakers(document, document.spans[sentence].tolist())[0]:
            return excerpt(segment.summary, MAX_SUMMARY_LENGTH)
        return sentence

    @property
    def has_headings(self) -> bool:
        """Whether segments may be under headings."""
        return any(block.kind == "heading" for block in self.result.document.blocks)

    @cached_property
    def talk(self) -> Talk | None:
        """The turns of the speakers; None if there are none."""
        return Talk.of(self.result)

    @property
    def has_filter(self) -> bool:
        """Whether the text can be filtered by speaker: there are several, and turns are shown."""
        talk = self.talk
        return talk is not None and len(talk.names) > 1 and bool(self.text.turns)

    @cached_property
    def text(self) -> TextPieces:
        """The text, sentence by sentence."""
        places = [entry.sentences[0] for _, entry in self.outline.walk()]
        places += [sentence.index for sentence in self.summary]
        above = [
            segment.sentences[0] + i
            for segment in self.result.segments
            for i in range(self.headings_above(segment))
        ]
        return write_pieces(
            self.result,
            self.key,
            self.shown,
            pieces=self.cuts.pieces,
            places=places,
            above=above,
            heading_level=min(6, self.level + 3),  # below those of the segments
            talk=self.talk,
        )

    def headings_above(self, segment: Segment) -> int:
        """Return how many headings that begin a segment are shown by its title and context."""
        spans = self.result.document.spans[slice(*segment.sentences)]
        shown = {short(segment.title), *re.split(" [›·] ", short(segment_context(segment)))}
        for i, (start, end) in enumerate(spans.tolist()):
            block = self.shown.block(start, end)
            if block is None or block.kind != "heading" or block.start != start:
                return i
            if short(block.heading) not in shown:
                return i
        return len(spans)

    @cached_property
    def shown(self) -> ShownText:
        """The text as it is shown, without marks."""
        return ShownText(self.result.document)

    def offsets(self, first: int, end: int) -> tuple[int, int]:
        """Return the characters of some sentences, with the text up to the next one."""
        document = self.result.document
        starts = document.spans[:, 0]
        low = int(starts[first]) if first else 0
        return low, int(starts[end]) if end < len(document) else len(document.text)

    def sentence(self, index: int) -> str:
        """Return a sentence as it is shown."""
        start, end = self.result.document.spans[index].tolist()
        return self.shown.plain(start, end)

    @cached_property
    def piece_words(self) -> list[int]:
        """The number of words in each piece."""
        tokens, m = self.result.analysis.text.tokens, len(self.result.document)
        is_word = np.array([any(map(str.isalnum, form)) for form in tokens.forms], bool)
        of_sentence = np.bincount(tokens.sentence[is_word[tokens.form]], minlength=m)
        return list(np.add.reduceat(of_sentence, self.cuts.pieces).tolist())

    def minutes(self, first: int, end: int) -> int:
        """Return how long it takes to read the pieces between two sentences; at least a minute."""
        pieces = self.cuts.pieces
        words = self.piece_words[bisect_left(pieces, first) : bisect_left(pieces, end)]
        return max(1, round(sum(words) / _WORDS_PER_MINUTE))

    def begins_at(self, sentence: int) -> str:
        """Return the page, the cell or the time at which a sentence begins; empty if unknown."""
        start, end = self.result.document.spans[sentence].tolist()
        place = self.result.document.place(start, end)
        if place is not None and place.seconds is not None:
            return clock(place.seconds[0])
        if place is not None and place.pages is not None:
            return f"p. {place.pages[0]}"
        return f"cell {place.cells[0]}" if place is not None and place.cells is not None else ""

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


@dataclass(frozen=True, eq=False)
class DistanceMatrix:
    """Distances between sentences, or between bins of sentences.

    Attributes
    ----------
    edges
        The first sentence of each bin, and the number of sentences.
    values
        Root mean square distances between the unit vectors of two bins' sentences, 0 to 2.
    """

    edges: list[int]
    values: NDArray[np.float64]

    @property
    def encoded(self) -> str:
        """The lower triangle, row by row, in base64: one byte for each value, 255 for 2."""
        levels = np.clip(np.round(self.values * (255 / _MAX_DISTANCE)), 0, 255).astype(np.uint8)
        return base64.b64encode(levels[np.tril_indices(len(levels))].tobytes()).decode()

    def means(self, starts: list[int]) -> tuple[float, float | None]:
        """Return the mean within the segments that begin at these sentences, and across them."""
        segment = np.searchsorted(starts, self.edges[:-1], side="right")
        inside = segment[:, None] == segment
        across = self.values[~inside]
        return float(self.values[inside].mean()), float(across.mean()) if across.size else None


def find_distances(result: Result) -> DistanceMatrix:
    """Compare the sentence vectors of eq. 5, from the sums of each bin alone."""
    m = len(result.document)
    with single_blas_thread():
        U = unit_rows(result.analysis.spectrum.U)
        edges = np.linspace(0, m, min(m, _MAX_DISTANCE_BINS) + 1).round().astype(int)
        size = np.diff(edges)
        mean = np.add.reduceat(U, edges[:-1]) / size[:, None]
        square = np.add.reduceat((U**2).sum(axis=1), edges[:-1]) / size
        squares = square[:, None] + square - 2 * mean @ mean.T
    return DistanceMatrix(edges.tolist(), np.sqrt(np.maximum(squares.round(9), 0)))


def topic_weight_sums(result: Result, starts: Sequence[int]) -> NDArray[np.float64]:
    """Return the sums of X^a by run of sentences (rows) and by topic (columns).

    `starts` are the first sentences of the runs.
    """
    X_a = result.analysis.X_a
    n = len(result.topics)
    topic_of = np.full(X_a.shape[1], n)
    for number, words in enumerate(result.analysis.topics.words):
        topic_of[words] = number
    sizes = np.diff(X_a.indptr[[*starts, len(result.document)]])
    cells = np.repeat(np.arange(len(starts)), sizes) * (n + 1) + topic_of[X_a.indices]
    sums = np.bincount(cells, X_a.data, len(starts) * (n + 1)).astype(float)
    return sums.reshape(-1, n + 1)[:, :n]

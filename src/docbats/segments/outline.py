"""A nested table of contents."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.parts import Entry, Outline
from docbats.segments.choose_k import choose_k
from docbats.segments.dynamic_programming import cut_into_k
from docbats.segments.search import best_starts
from docbats.titles.heading_titles import find_heading_titles
from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.analysis import Analysis
    from docbats.document import Document
    from docbats.parts import Segment, TitleSource
    from docbats.segments.costs.cost import SegmentCost

__all__ = ["make_outline"]

_MIN_DIVIDED = 8  # sentences; a shorter segment is not divided
_MAX_ENTRIES = 12  # of one list; more are gathered into parts, unless headings made them


@dataclass(frozen=True)
class _Part:
    """The sentences from `first` to before `end`, and the parts that tile them."""

    first: int
    end: int
    children: tuple[_Part, ...] = ()


def make_outline(analysis: Analysis, segments: Sequence[Segment]) -> Outline:
    """Divide the segments by the headings inside them, or where a cut is worth it.

    Many segments are gathered into parts, if it is not the author's headings that made them.
    """
    headings = _Headings(analysis)
    parts = [headings.divide(*segment.sentences) for segment in segments]
    by_heading = sum(segment.title_source == "heading" for segment in segments)
    if len(parts) > _MAX_ENTRIES and 2 * by_heading < len(parts):
        parts = _gather(analysis.cost, parts)
    titles = _titles(analysis, segments, parts)
    return Outline(_entry(analysis.text.document, part, titles) for part in parts)


class _Headings:
    """The headings of a document, by sentence."""

    def __init__(self, analysis: Analysis) -> None:
        self._cost = analysis.cost
        document = analysis.text.document
        blocks = [block for block in document.blocks if block.kind == "heading"]
        starts = np.array([block.start for block in blocks], np.int64)
        self._sentence = np.searchsorted(document.spans[:, 0], starts)
        self._level = np.array([block.level or 1 for block in blocks], np.int64)

    def divide(self, first: int, end: int) -> _Part:
        """Divide some sentences by the highest headings inside, or else where a cut is worth it."""
        low, high = np.searchsorted(self._sentence, [first, end]).tolist()
        opening = first  # headings that follow each other from the beginning on belong to it
        while low < high and self._sentence[low] == opening:
            low, opening = low + 1, opening + 1
        if low == high:
            starts = _inner_starts(self._cost, first, end)
            ends = pairwise([*starts, end])
            return _Part(first, end, tuple(_Part(a, b) for a, b in ends) if len(starts) > 1 else ())
        levels = self._level[low:high]
        inside = self._sentence[low:high][levels == levels.min()].tolist()
        starts = [first, *_without_runs(inside)] if inside[0] > first else _without_runs(inside)
        children = tuple(self.divide(a, b) for a, b in pairwise([*starts, end]))
        return _Part(first, end, children if len(children) > 1 else ())


def _without_runs(starts: list[int]) -> list[int]:
    """Leave out what directly follows another start: a heading without a text of its own."""
    return [start for i, start in enumerate(starts) if i == 0 or start > starts[i - 1] + 1]


def _inner_starts(cost: SegmentCost, first: int, end: int) -> list[int]:
    """Cut the sentences from `first` to before `end`, if that is worth it."""
    if end - first >= _MIN_DIVIDED and cost.penalty is not None:
        inside = cost.between(first, end)
        k = choose_k(inside, end - first).k
        found = best_starts(inside, end - first, k) if k > 1 else None
        if found is not None:
            return [first + start for start in found]
    return [first]


def _gather(cost: SegmentCost, parts: list[_Part]) -> list[_Part]:
    """Put neighbouring parts into larger ones, about as many as each of them has parts."""
    edges = np.array([*(part.first for part in parts), parts[-1].end])
    k = round(sqrt(len(parts)))
    starts = cut_into_k(cost.table(edges, len(parts), k), k) or [0]
    groups = [tuple(parts[a:b]) for a, b in pairwise([*starts, len(parts)])]
    return [
        group[0] if len(group) == 1 else _Part(group[0].first, group[-1].end, group)
        for group in groups
    ]


def _titles(
    analysis: Analysis, segments: Sequence[Segment], parts: list[_Part]
) -> dict[_Part, tuple[str, TitleSource]]:
    """Return the title of each part: of the segment that it is, by its heading, or by its words.

    All parts of one depth, with what is not divided so far, choose their words together.
    """
    document = analysis.text.document
    known = {segment.sentences: segment for segment in segments}
    titles: dict[_Part, tuple[str, TitleSource]] = {}
    level = parts
    while True:
        new = [part for part in level if part not in titles]
        if not new:
            return titles
        headings = find_heading_titles(document, [_offset(document, part.first) for part in new])
        taken = {part.first for part, (_, source) in titles.items() if source == "heading"}
        unnamed = []
        for part, heading in zip(new, headings, strict=True):
            segment = known.get((part.first, part.end))
            if segment is not None:
                titles[part] = segment.title, segment.title_source
            elif heading.title is not None and part.first not in taken:
                titles[part] = heading.title, "heading"
            else:
                unnamed.append(part)  # what comes before the first heading below another, too
        if unnamed:
            starts = np.array([part.first for part in level], np.int64)
            by_words = title_segments(document, analysis.phrases, starts)
            named = dict(zip(level, by_words, strict=True))
            titles |= {part: (named[part], "words") for part in unnamed}
        level = [child for part in level for child in part.children or (part,)]


def _entry(document: Document, part: _Part, titles: dict[_Part, tuple[str, TitleSource]]) -> Entry:
    title, source = titles[part]
    return Entry(
        title=title,
        start=_offset(document, part.first),
        end=_offset(document, part.end),
        sentences=(part.first, part.end),
        children=tuple(_entry(document, child, titles) for child in part.children),
        title_source=source,
    )


def _offset(document: Document, sentence: int) -> int:
    """Return where a segment begins whose first sentence this is; the end of the text after all."""
    if sentence == len(document):
        return len(document.text)
    return int(document.spans[sentence, 0]) if sentence > 0 else 0

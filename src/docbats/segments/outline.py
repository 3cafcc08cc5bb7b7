"""A nested table of contents."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.parts import Entry
from docbats.segments.choose_k import choose_k
from docbats.segments.dynamic_programming import cut_into_k
from docbats.segments.search import best_starts
from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.analysis import Analysis
    from docbats.parts import Segment
    from docbats.segments.costs.cost import SegmentCost

__all__ = ["make_outline"]

_MIN_DIVIDED = 8  # sentences; a shorter segment is not divided
_MAX_ENTRIES = 12  # of one list; more are gathered into parts


def make_outline(analysis: Analysis, segments: Sequence[Segment]) -> tuple[Entry, ...]:
    """Divide the segments where a cut inside them is worth it; gather many into parts."""
    inside = [_inner_starts(analysis.cost, *segment.sentences) for segment in segments]
    titles = iter(_titles(analysis, [start for starts in inside for start in starts]))
    entries = []
    for segment, starts in zip(segments, inside, strict=True):
        edges = [*starts, segment.sentences[1]]
        children = [_entry(analysis, next(titles), *ends) for ends in pairwise(edges)]
        divided = tuple(children) if len(children) > 1 else ()
        entries.append(_entry(analysis, segment.title, *segment.sentences, divided))
    if len(entries) <= _MAX_ENTRIES:
        return tuple(entries)
    return _gather(analysis, entries)


def _inner_starts(cost: SegmentCost, first: int, end: int) -> list[int]:
    """Cut the sentences from `first` to before `end`, if that is worth it."""
    if end - first >= _MIN_DIVIDED and cost.penalty is not None:
        inside = cost.between(first, end)
        k = choose_k(inside, end - first).k
        found = best_starts(inside, end - first, k) if k > 1 else None
        if found is not None:
            return [first + start for start in found]
    return [first]


def _gather(analysis: Analysis, entries: list[Entry]) -> tuple[Entry, ...]:
    """Put neighbouring entries into parts, about as many as each part has entries."""
    edges = np.array([*(entry.sentences[0] for entry in entries), len(analysis.text)])
    k = round(sqrt(len(entries)))
    parts = cut_into_k(analysis.cost.table(edges, len(entries), k), k) or [0]
    titles = _titles(analysis, edges[parts].tolist())
    gathered = []
    for title, (a, b) in zip(titles, pairwise([*parts, len(entries)]), strict=True):
        inside = tuple(entries[a:b])
        first, end = inside[0].sentences[0], inside[-1].sentences[1]
        alone = len(inside) == 1
        gathered.append(inside[0] if alone else _entry(analysis, title, first, end, inside))
    return tuple(gathered)


def _titles(analysis: Analysis, starts: list[int]) -> tuple[str, ...]:
    return title_segments(analysis.text.document, analysis.phrases, np.array(starts, np.int64))


def _entry(
    analysis: Analysis, title: str, first: int, end: int, children: tuple[Entry, ...] = ()
) -> Entry:
    document = analysis.text.document
    starts = document.spans[:, 0]
    return Entry(
        title=title,
        start=int(starts[first]) if first > 0 else 0,
        end=int(starts[end]) if end < len(document) else len(document.text),
        sentences=(first, end),
        children=children,
    )

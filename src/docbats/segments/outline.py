"""A nested table of contents."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.result import Entry
from docbats.segments.choose_k import choose_k
from docbats.segments.costs.dirichlet import add_prior_costs, block_costs
from docbats.segments.dynamic_programming import cut_into_k
from docbats.segments.evidence import Evidence
from docbats.segments.search import likelihood_starts
from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.analysis import Analysis
    from docbats.result import Segment

__all__ = ["make_outline"]

_DIVIDED = 8  # sentences that a segment must have to be divided
_MANY = 12  # segments that are too many for one list


def make_outline(analysis: Analysis, segments: Sequence[Segment]) -> tuple[Entry, ...]:
    """Divide the segments where a cut inside them is worth it; gather many into parts."""
    inside = [_inner_starts(analysis.evidence, *segment.sentences) for segment in segments]
    titles = iter(_titles(analysis, [start for starts in inside for start in starts]))
    entries = []
    for segment, starts in zip(segments, inside, strict=True):
        edges = [*starts, segment.sentences[1]]
        children = [_entry(analysis, next(titles), *ends) for ends in pairwise(edges)]
        divided = tuple(children) if len(children) > 1 else ()
        entries.append(_entry(analysis, segment.title, *segment.sentences, divided))
    if len(entries) <= _MANY:
        return tuple(entries)
    return _gather(analysis, entries)


def _inner_starts(evidence: Evidence, first: int, end: int) -> list[int]:
    """Cut the sentences from `first` to before `end`, if that is worth it."""
    if end - first >= _DIVIDED:
        inside = _between(evidence, first, end)
        k = choose_k(inside).k
        found = likelihood_starts(inside, k) if k > 1 else None
        if found is not None:
            return [first + start for start in found]
    return [first]


def _between(evidence: Evidence, first: int, end: int) -> Evidence:
    """Keep to some sentences, and to the roots that two of them share."""
    used = (evidence.sentence >= first) & (evidence.sentence < end)
    used &= (np.bincount(evidence.root[used], minlength=len(evidence.weight)) > 1)[evidence.root]
    kept, root = np.unique(evidence.root[used], return_inverse=True)
    return Evidence(
        root=root,
        sentence=evidence.sentence[used] - first,
        count=evidence.count[used],
        weight=evidence.weight[kept],
        sizes=evidence.sizes[first:end],
        start_log_odds=evidence.start_log_odds[first:end],
    )


def _gather(analysis: Analysis, entries: list[Entry]) -> tuple[Entry, ...]:
    """Put neighbouring entries into parts, about as many as each part has entries."""
    evidence = analysis.evidence
    edges = np.array([*(entry.sentences[0] for entry in entries), len(evidence)])
    k = round(sqrt(len(entries)))
    costs = block_costs(evidence, edges, len(entries))
    add_prior_costs(costs, evidence, edges, k)
    parts = cut_into_k(costs, k) or [0]
    titles = _titles(analysis, edges[parts].tolist())
    gathered = []
    for title, (a, b) in zip(titles, pairwise([*parts, len(entries)]), strict=True):
        inside = tuple(entries[a:b])
        first, end = inside[0].sentences[0], inside[-1].sentences[1]
        alone = len(inside) == 1
        gathered.append(inside[0] if alone else _entry(analysis, title, first, end, inside))
    return tuple(gathered)


def _titles(analysis: Analysis, starts: list[int]) -> tuple[str, ...]:
    return title_segments(analysis.document, analysis.phrases, np.array(starts, np.int64))


def _entry(
    analysis: Analysis, title: str, first: int, end: int, children: tuple[Entry, ...] = ()
) -> Entry:
    document = analysis.document
    starts = document.spans[:, 0]
    return Entry(
        title=title,
        start=int(starts[first]) if first > 0 else 0,
        end=int(starts[end]) if end < len(document) else len(document.text),
        sentences=(first, end),
        children=children,
    )

"""The cuts that the slider of a report offers, all made in advance."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.describe import describe_segments
from docbats.parts import AUTHORS_TITLES, Title
from docbats.runtime import single_blas_thread
from docbats.segments.costs import SumOfCosts
from docbats.segments.cuts import find_cut
from docbats.segments.outline import differing
from docbats.segments.search import block_edges, cut_into_k

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from docbats.parts import Entry, Outline, Segment
    from docbats.pipeline import Analysis
    from docbats.result import Result
    from docbats.segments.costs import SegmentCost
    from docbats.segments.sizes import SizeLimits

    Ints = NDArray[np.int64]

_MAX_K = 30  # segments of the finest cut, unless the result or its outline has more
_MAX_LINKAGE_SENTENCES = 20_000  # in longer documents each cut by linkage takes seconds
# Up to this many sentences, make this many cuts; more would take too long.
_MAX_CUTS = ((5_000, 30), (20_000, 16), (None, 8))
_MAX_LINKAGE_CUTS = ((2_000, 30), (5_000, 12), (None, 8))
_MIN_CUTS = 6  # even if they have more segments than allowed
_MAX_SEGMENTS = 1000  # of the finest cut, and
_MAX_TOTAL_SEGMENTS = 700  # of all cuts together; more would make the page too large
_MAX_BLOCKS = 400  # at whose edges the leaves of an outline are divided; more take longer


@dataclass(frozen=True, eq=False)
class SliderCuts:
    """A document cut into more and more segments.

    Attributes
    ----------
    segments
        The segments of each cut, the coarsest cut first.
    own
        Index of the cut of the result.
    is_nested
        Whether each cut keeps the boundaries of the coarser ones and divides no entry of the
        outline before those around it.
    """

    segments: tuple[tuple[Segment, ...], ...]
    own: int
    is_nested: bool

    @cached_property
    def pieces(self) -> list[int]:
        """The sentences at which any of the cuts begins a segment; 0 is the first."""
        return sorted({segment.sentences[0] for cut in self.segments for segment in cut})


def make_slider_cuts(result: Result, outline: Outline) -> SliderCuts:
    """Cut the document into fewer and more segments than the result has, up to the outline's.

    If the cut minimizes a cost, a finer cut keeps the boundaries of a coarser one, so the slider
    opens and closes entries of the outline. Cuts by linkage are independent of each other.
    """
    cut = find_cut(result.settings.cut)
    if cut.needs_words and not result.analysis.text.counts.words:
        return SliderCuts((result.segments,), 0, is_nested=True)
    if not cut.uses_cost:
        return _cut_anew(result)
    with single_blas_thread():
        return _cut_nested(result, outline)


def _cut_nested(result: Result, outline: Outline) -> SliderCuts:
    analysis = result.analysis
    own = [segment.sentences[0] for segment in result.segments]
    max_k = max(len(outline.leaves), _usual_max(len(own)))
    max_k = min(max_k, _MAX_SEGMENTS, len(result.document))
    wanted = _numbers_to_offer(max_k, len(own), _limit(_MAX_CUTS, result))
    found = _nested_cuts(analysis, outline, own, wanted, _MAX_SEGMENTS)
    titles = _CutTitles(analysis, outline)
    cuts = [
        result.segments
        if starts == own
        else titles.name(describe_segments(analysis, np.array(starts, np.int64)))
        for starts in found
    ]
    return SliderCuts(tuple(cuts), found.index(own), is_nested=True)


def _cut_anew(result: Result) -> SliderCuts:
    k, m = len(result.segments), len(result.document)
    cuts = {k: result.segments}
    if m <= _MAX_LINKAGE_SENTENCES:
        max_k = min(_usual_max(k), m)
        for other in _numbers_to_offer(max_k, k, _limit(_MAX_LINKAGE_CUTS, result)):
            if other != k:
                cuts[other] = result.cut(other).segments
    ordered = sorted(cuts)
    return SliderCuts(tuple(cuts[n] for n in ordered), ordered.index(k), is_nested=False)


def _usual_max(k: int) -> int:
    """Return the number of segments of the finest cut for a result with k segments."""
    return 2 * k if k > _MAX_K else max(min(2 * k + 8, _MAX_K), k)


def _limit(limits: tuple[tuple[int | None, int], ...], result: Result) -> int:
    m = len(result.document)
    return next(number for size, number in limits if size is None or m <= size)


def _numbers_to_offer(max_k: int, k: int, n_cuts: int) -> set[int]:
    """Return numbers of segments: all up to `max_k`, or about `n_cuts` that grow by a factor."""
    if max_k <= n_cuts:
        return set(range(1, max_k + 1))
    while True:
        spread = np.geomspace(1, max_k, n_cuts).round().astype(int).tolist()
        if sum(spread) <= _MAX_TOTAL_SEGMENTS or n_cuts <= _MIN_CUTS:
            return {*spread, max(1, k - 1), min(k + 1, max_k)}
        n_cuts -= 2


class _CutTitles:
    """Titles for the segments of other cuts: from the outline, or else new ones."""

    def __init__(self, analysis: Analysis, outline: Outline) -> None:
        self._analysis = analysis
        self._entries = [entry for _, entry in outline.walk()]  # in the order of their starts
        self._starts = [entry.sentences[0] for entry in self._entries]
        self._known = {entry.sentences: entry for entry in reversed(self._entries)}

    def name(self, segments: Sequence[Segment]) -> tuple[Segment, ...]:
        """Return the segments with titles unlike the titles next to, above and below them."""
        entries = [self._known.get(segment.sentences) for segment in segments]
        used = {entry.title.casefold() for entry in entries if entry is not None}
        avoid = [
            used | self._titles_around(segment) if entry is None else set[str]()
            for segment, entry in zip(segments, entries, strict=True)
        ]
        titles = [Title(s.title, s.title_source, s.title_confidence) for s in segments]
        if any(
            segment.title_source not in AUTHORS_TITLES and segment.title.casefold() in names
            for segment, names in zip(segments, avoid, strict=True)
        ):
            starts = np.array([segment.sentences[0] for segment in segments], np.int64)
            titles = list(self._analysis.title_segments(starts, avoid))
        named = []
        for segment, entry, title, names in zip(segments, entries, titles, avoid, strict=True):
            shown = segment
            if entry is not None:
                shown = replace(
                    segment,
                    title=entry.title,
                    title_source=entry.title_source,
                    title_confidence=entry.title_confidence,
                )
            elif segment.title_source not in AUTHORS_TITLES:
                shown = replace(
                    segment,
                    title=differing(title.text, names | used),
                    title_source=title.source,
                    title_confidence=title.confidence,
                )
                used.add(shown.title.casefold())
            named.append(shown)
        return tuple(named)

    def _titles_around(self, segment: Segment) -> set[str]:
        """Return the titles of the entries within a segment, or of the entry around it."""
        first, end = segment.sentences
        low, high = bisect_left(self._starts, first), bisect_left(self._starts, end)
        above = self._entries[bisect_right(self._starts, first) - 1]
        if above.sentences[1] >= end:
            return {above.title.casefold()}
        inside = [entry for entry in self._entries[low:high] if entry.sentences[1] <= end]
        return {entry.title.casefold() for entry in inside}


def _nested_cuts(
    analysis: Analysis, outline: Outline, own: list[int], ks: Iterable[int], max_segments: int
) -> list[list[int]]:
    """Return cuts into about `ks` segments, coarsest first, as the first sentences of segments.

    Each keeps the boundaries of the coarser ones. They include `own` and each level of the outline
    that has at most `max_segments`. Between two levels, each cut is the best way to merge the
    segments of the next finer cut into k without crossing an entry of the coarser level.
    """
    m, wanted = len(analysis.text), set(ks)
    levels = [
        level for level in _levels(outline, own) if len(level) <= max_segments or level == own
    ]
    finest = _divide_further(analysis.cost, m, levels[-1], max(wanted))
    if len(finest) > len(levels[-1]):
        levels.append(finest)
    limits = analysis.limits
    cost = analysis.cost if limits is None else SumOfCosts([analysis.cost, limits])
    cuts = []
    for above, level in pairwise([[], *levels]):
        if level == above:  # only children
            continue
        cuts.append(level)
        finer = level
        for k in sorted((k for k in wanted if len(above) < k < len(level)), reverse=True):
            if len(finer) > max_segments:
                break
            found = _gather(cost, m, finer, above, k)
            if found is None:
                break
            cuts.append(found)
            finer = found
    kept = [cut for cut in cuts if cut == own or _is_within(limits, cut)]
    return sorted(kept, key=len)


def _levels(outline: Outline, own: list[int]) -> list[list[int]]:
    """Return the cuts of the outline: the whole document, then each level down to the leaves.

    Levels above the segments do not divide them, so `own` is one of the cuts.
    """
    entries: list[Entry] = list(outline)
    segments = set(pairwise([*own, outline[-1].sentences[1]]))
    levels = [[0]]
    while True:
        levels.append([entry.sentences[0] for entry in entries])
        closed = set() if own in levels else segments
        if not any(entry.children for entry in entries if entry.sentences not in closed):
            return levels[1:] if levels[0] == levels[1] else levels
        entries = [
            below
            for entry in entries
            for below in (() if entry.sentences in closed else entry.children) or (entry,)
        ]


def _divide_further(cost: SegmentCost, m: int, starts: list[int], k: int) -> list[int]:
    """Divide the segments of a cut further, until there are k."""
    if k <= len(starts):
        return starts
    edges = np.union1d(block_edges(cost, m, _MAX_BLOCKS), starts)
    if k > len(edges) - 1:
        edges = np.arange(m + 1) if m <= _MAX_BLOCKS else edges
    k = min(k, len(edges) - 1)
    return _gather(cost, m, edges[:-1].tolist(), starts, k) or starts


def _gather(
    cost: SegmentCost, m: int, finer: list[int], fixed: list[int], k: int
) -> list[int] | None:
    """Return the best way to merge segments into k that keeps the fixed boundaries, if any."""
    run = np.searchsorted(fixed, finer, side="right") if fixed else np.zeros(len(finer), np.int64)
    table = cost.table(np.array([*finer, m]), int(np.bincount(run).max()), k)
    block, length = np.ogrid[: table.shape[0], : table.shape[1]]
    begin = np.maximum(block - length, 0)
    found = cut_into_k(np.where(run[begin] == run[block], table, np.inf), k)
    return None if found is None else [finer[i] for i in found]


def _is_within(limits: SizeLimits | None, starts: list[int]) -> bool:
    """Whether all segments of a cut are within the size limits."""
    if limits is None:
        return True
    sizes = np.add.reduceat(limits.sizes, starts)
    return bool(sizes.min() >= limits.minimum and sizes.max() <= (limits.maximum or np.inf))

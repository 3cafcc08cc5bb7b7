"""The cuts that the slider of a report offers, all made beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.describe import describe_segments
from docbats.render.html.cut_titles import CutTitles
from docbats.render.html.nested_cuts import nested_cuts
from docbats.segments.cuts import find_cut
from docbats.threads import single_blas_thread

if TYPE_CHECKING:
    from docbats.parts import Outline, Segment
    from docbats.result import Result

__all__ = ["SliderCuts", "make_slider_cuts"]

_MAX_K = 30  # segments of the finest cut where neither the result nor its outline has more
_MAX_LINKAGE_SENTENCES = 20_000  # of longer documents each cut by linkage takes seconds
# Sentences of a document, and how many cuts are made of it; more would take too long.
_MAX_CUTS = ((5_000, 30), (20_000, 16), (None, 8))
_MAX_LINKAGE_CUTS = ((2_000, 30), (5_000, 12), (None, 8))
_MIN_CUTS = 6  # that are made even so
_MAX_SEGMENTS = 1000  # of the finest cut, and
_MAX_TOTAL_SEGMENTS = 700  # of all cuts together; more would make the page too large


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
        Whether each cut has all the boundaries of the coarser ones, and none within an entry of the
        outline but where it is divided.
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

    Where the cut makes a cost least, a finer cut keeps the boundaries of a coarser one: the slider
    opens and closes entries of the outline. By linkage each cut is made anew.
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
    found = nested_cuts(analysis, outline, own, wanted, _MAX_SEGMENTS)
    topics = analysis.words_of_topics(result.topics)
    titles = CutTitles(analysis, outline)
    cuts = [
        result.segments
        if starts == own
        else titles.give(describe_segments(analysis, np.array(starts, np.int64), topics))
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
    """Return the number of segments of the finest cut, by that of the result alone."""
    return 2 * k if k > _MAX_K else max(min(2 * k + 8, _MAX_K), k)


def _limit(limits: tuple[tuple[int | None, int], ...], result: Result) -> int:
    m = len(result.document)
    return next(number for size, number in limits if size is None or m <= size)


def _numbers_to_offer(max_k: int, k: int, n_cuts: int) -> set[int]:
    """Return numbers of segments: all up to `max_k`, or so many of them that grow by a factor."""
    if max_k <= n_cuts:
        return set(range(1, max_k + 1))
    while True:
        spread = np.geomspace(1, max_k, n_cuts).round().astype(int).tolist()
        if sum(spread) <= _MAX_TOTAL_SEGMENTS or n_cuts <= _MIN_CUTS:
            return {*spread, max(1, k - 1), min(k + 1, max_k)}
        n_cuts -= 2

"""The cuts that the slider of a report offers, all made beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.cuts import find_cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.parts import Segment
    from docbats.result import Result

    Ints = NDArray[np.int64]

__all__ = ["SliderCuts", "make_slider_cuts"]

_MAX_K = 30  # segments of the finest cut, unless the result has more than half as many
# Sentences of a document, and how many cuts are made of it; more would take too long.
_MAX_CUTS = ((2_000, 30), (5_000, 12), (20_000, 8), (None, 5))
_MAX_LINKAGE_SENTENCES = 20_000  # of longer documents each cut by linkage takes seconds
_MAX_TOTAL_SEGMENTS = 600  # of all cuts together; more would make the page too large


@dataclass(frozen=True, eq=False)
class SliderCuts:
    """A document cut into more and more segments.

    Attributes
    ----------
    segments
        The segments of each cut, the coarsest cut first.
    own
        Index of the cut of the result.
    """

    segments: tuple[tuple[Segment, ...], ...]
    own: int

    @cached_property
    def pieces(self) -> list[int]:
        """The sentences at which any of the cuts begins a segment; 0 is the first."""
        return sorted({segment.sentences[0] for cut in self.segments for segment in cut})


def make_slider_cuts(result: Result) -> SliderCuts:
    """Cut the document into fewer and more segments than the result has."""
    k = len(result.segments)
    cuts = {k: result.segments}
    total = 0
    for other in _ks_to_offer(result):
        if other != k and total + other <= _MAX_TOTAL_SEGMENTS:
            try:
                cuts[other] = result.cut(other).segments
            except SettingsError:  # the size limits allow no such cut
                continue
            total += other
    ordered = sorted(cuts)
    return SliderCuts(tuple(cuts[number] for number in ordered), ordered.index(k))


def _ks_to_offer(result: Result) -> Iterator[int]:
    """Yield the numbers of segments to offer, the nearest to that of the result first."""
    k, m = len(result.segments), len(result.document)
    cut, has_words = find_cut(result.settings.cut), bool(result.analysis.text.counts.words)
    is_slow = not cut.uses_cost and m > _MAX_LINKAGE_SENTENCES
    if is_slow or (cut.needs_words and not has_words):
        return
    max_cuts = next(cuts for size, cuts in _MAX_CUTS if size is None or m <= size)
    max_k = min(m, max(2 * k if k > _MAX_K else min(2 * k + 8, _MAX_K), k))
    if max_k <= max_cuts:
        chosen = set(range(1, max_k + 1))
    else:
        spread = np.geomspace(1, max_k, max_cuts).round().astype(int).tolist()
        chosen = {*spread, max(1, k - 1), min(k + 1, max_k)}
    yield from sorted(chosen, key=lambda number: (abs(number - k), number))

"""The cuts that the slider offers, made beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.parts import Segment
    from docbats.result import Result

    Ints = NDArray[np.int64]

__all__ = ["Cuts", "make_cuts"]

_FINEST = 30  # segments up to which every number is offered
_STEPS = ((2_000, 30), (5_000, 12), (20_000, 8), (None, 5))  # sentences, and numbers to offer
_LINKAGE = 20_000  # sentences from which cuts by linkage take too long to make more than one
_MOST_SEGMENTS = 600  # of all cuts together, so that the page stays small


@dataclass(frozen=True, eq=False)
class Cuts:
    """A document cut into more and more segments.

    Attributes
    ----------
    segments
        Those of each cut, the coarsest cut first.
    own
        Which of them is that of the result.
    """

    segments: tuple[tuple[Segment, ...], ...]
    own: int

    @cached_property
    def pieces(self) -> list[int]:
        """The sentences at which any of the cuts begins a segment; 0 is the first."""
        return sorted({segment.sentences[0] for cut in self.segments for segment in cut})


def make_cuts(result: Result) -> Cuts:
    """Cut the document into fewer and more segments than the result has."""
    k = len(result.segments)
    cuts = {k: result.segments}
    total = 0
    for other in _numbers(result):
        if other != k and total + other <= _MOST_SEGMENTS:
            try:
                cuts[other] = result.cut(other).segments
            except SettingsError:  # the limits of size leave no such cut
                continue
            total += other
    ordered = sorted(cuts)
    return Cuts(tuple(cuts[number] for number in ordered), ordered.index(k))


def _numbers(result: Result) -> Iterator[int]:
    """Choose the numbers of segments to offer, the nearest to that of the result first."""
    k, m = len(result.segments), len(result.document)
    slow = result.settings.cut == "linkage" and m > _LINKAGE
    if slow or not result.analysis.text.counts.words:
        return
    steps = next(steps for size, steps in _STEPS if size is None or m <= size)
    most = min(m, max(2 * k if k > _FINEST else min(2 * k + 8, _FINEST), k))
    if most <= steps:
        chosen = set(range(1, most + 1))
    else:
        spread = np.geomspace(1, most, steps).round().astype(int).tolist()
        chosen = {*spread, max(1, k - 1), min(k + 1, most)}
    yield from sorted(chosen, key=lambda number: (abs(number - k), number))

"""Finer and finer cuts of a document, each with all the boundaries of those before it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs.cost import SumOfCosts
from docbats.segments.dynamic_programming import cut_into_k
from docbats.segments.search import block_edges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from docbats.analysis import Analysis
    from docbats.parts import Entry, Outline
    from docbats.segments.costs.cost import SegmentCost
    from docbats.segments.costs.size_limits import SizeLimits

    Ints = NDArray[np.int64]

__all__ = ["nested_cuts"]

_MAX_BLOCKS = 400  # between which leaves of the outline are divided further; more take longer


def nested_cuts(
    analysis: Analysis, outline: Outline, own: list[int], ks: Iterable[int], max_segments: int
) -> list[list[int]]:
    """Return cuts into about so many segments, the coarsest first, each by its first sentences.

    Each has the boundaries of the coarser ones. `own` is among them, and so is each level of the
    outline, unless it has more than `max_segments`. A level is reached entry by entry: of all ways
    to gather the segments of a finer cut, within the entries of the level above, into k, the best
    is taken.
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
    """Return the cuts that the outline has: the whole, its levels, down to its leaves.

    Levels above the segments stop at them, so that `own` is one of the cuts.
    """
    entries: list[Entry] = list(outline)
    segments = set(pairwise([*own, outline[-1].sentences[1]]))
    levels = [[0], _starts(entries)]
    while levels[-1] != own:  # some are gathered segments
        entries = _open(entries, [entry for entry in entries if entry.sentences not in segments])
        levels.append(_starts(entries))
    while any(entry.children for entry in entries):
        entries = _open(entries, entries)
        levels.append(_starts(entries))
    return levels[1:] if levels[0] == levels[1] else levels


def _open(entries: Sequence[Entry], opened: Sequence[Entry]) -> list[Entry]:
    """Replace the opened entries by those below them."""
    firsts = {entry.sentences[0] for entry in opened}
    return [
        below
        for entry in entries
        for below in (entry.children if entry.sentences[0] in firsts else ()) or (entry,)
    ]


def _starts(entries: Sequence[Entry]) -> list[int]:
    return [entry.sentences[0] for entry in entries]


def _divide_further(cost: SegmentCost, m: int, starts: list[int], k: int) -> list[int]:
    """Add boundaries to those of the leaves until there are k segments."""
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
    """Gather segments into k, the best ones that have the fixed boundaries, if any may be."""
    run = np.searchsorted(fixed, finer, side="right") if fixed else np.zeros(len(finer), np.int64)
    table = cost.table(np.array([*finer, m]), int(np.bincount(run).max()), k)
    block, length = np.ogrid[: table.shape[0], : table.shape[1]]
    begin = np.maximum(block - length, 0)
    found = cut_into_k(np.where(run[begin] == run[block], table, np.inf), k)
    return None if found is None else [finer[i] for i in found]


def _is_within(limits: SizeLimits | None, starts: list[int]) -> bool:
    """Whether all segments of a cut are within the limits on their sizes."""
    if limits is None:
        return True
    sizes = np.add.reduceat(limits.sizes, starts)
    is_small_enough = limits.maximum is None or sizes.max() <= limits.maximum
    return bool(is_small_enough and sizes.min() >= limits.minimum)

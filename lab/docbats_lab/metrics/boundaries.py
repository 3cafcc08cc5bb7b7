"""Boundary similarity B and boundary F1: segmentations compared cut by cut."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def boundary_similarity(reference: Sequence[int], hypothesis: Sequence[int], n_t: int = 2) -> float:
    """B of Fournier, "Evaluating Text Segmentation using Boundary Edit Distance", ACL 2013.

    Boundaries of both segmentations are matches. Of the others, two that lie fewer than `n_t`
    places apart, one of each segmentation, are a near miss and cost their distance / n_t; each that
    is left costs 1. B is 1 minus the cost divided by the number of matches, near misses and misses.
    Where neither segmentation has a boundary they agree, and B is 1.

    Parameters
    ----------
    reference, hypothesis
        The lengths of their segments, in sentences.
    n_t
        A larger one counts boundaries further apart as near misses; with 2, adjacent ones.

    Notes
    -----
    The author's program, segeval, weighs near misses in the same way. It pairs them greedily from
    the left, which costs least for n_t = 2 but not beyond; here they are always paired at the least
    cost. It also fails where there is no boundary at all.
    """
    ref, hyp = _boundaries(reference, hypothesis)
    matches = len(ref & hyp)
    missed, extra = sorted(ref - hyp), sorted(hyp - ref)
    near, distance = _pair_near_misses(missed, extra, n_t)
    misses = len(missed) + len(extra) - 2 * near
    edits = matches + near + misses
    return 1 - (misses + distance / n_t) / edits if edits else 1.0


def boundary_f1(reference: Sequence[int], hypothesis: Sequence[int], tolerance: int = 1) -> float:
    """Return the F1 of the boundaries; one at most `tolerance` sentences off counts as found.

    Each boundary is paired with one other at most, and as many are paired as can be. Where neither
    segmentation has a boundary they agree, and F1 is 1; where only one has, it is 0.

    Parameters
    ----------
    reference, hypothesis
        The lengths of their segments, in sentences.
    tolerance
        How many sentences off is still right; 0 asks for the exact place.
    """
    ref, hyp = (sorted(found) for found in _boundaries(reference, hypothesis))
    found = i = j = 0
    # Pairing the leftmost two that can be paired never costs a pair further right.
    while i < len(ref) and j < len(hyp):
        if abs(ref[i] - hyp[j]) <= tolerance:
            found, i, j = found + 1, i + 1, j + 1
        elif ref[i] < hyp[j]:
            i += 1
        else:
            j += 1
    total = len(ref) + len(hyp)
    return 2 * found / total if total else 1.0


def _boundaries(reference: Sequence[int], hypothesis: Sequence[int]) -> tuple[set[int], set[int]]:
    if sum(reference) != sum(hypothesis):
        msg = f"cannot compare segmentations of {sum(reference)} and {sum(hypothesis)} sentences"
        raise ValueError(msg)
    return set(accumulate(reference[:-1])), set(accumulate(hypothesis[:-1]))


def _pair_near_misses(a: list[int], b: list[int], n_t: int) -> tuple[int, int]:
    """Return the number of pairs and their summed distance, at the least cost.

    A pair spares two misses and costs less than one, so the more pairs the better, and of as many
    the nearer. Pairs that cost least need not cross, hence this is an alignment of two sequences.
    """
    # best[j]: (minus the pairs, their distance) for a[:i] and b[:j]; the smaller tuple is better.
    best = [(0, 0)] * (len(b) + 1)
    for x in a:
        above = best
        best = [above[0]]
        for j, y in enumerate(b):
            choices = [above[j + 1], best[j]]
            if abs(x - y) < n_t:
                choices.append((above[j][0] - 1, above[j][1] + abs(x - y)))
            best.append(min(choices))
    return -best[-1][0], best[-1][1]

"""C99: ranks of sentence similarities, cut by divisive clustering.

F. Y. Y. Choi, "Advances in domain independent linear text segmentation", NAACL 2000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

_MASK = 11
_C = 1.2  # a larger one leaves fewer boundaries
# With which the author smooths the profile of densities.
_KERNEL = np.array([1.0, 2, 4, 8, 4, 2, 1])


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut into k segments."""
    boundaries, _ = divide(ranks(_similarity(prepared)), k)
    return [0, *sorted(boundaries)]


def cut_with_own_k(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut as long as the density rises unusually fast."""
    boundaries, density = divide(ranks(_similarity(prepared)), len(prepared.sentences))
    return [0, *sorted(boundaries[: number_of_boundaries(density)])]


def _similarity(prepared: Prepared) -> NDArray[np.float64]:
    """Square the cosine of every two sentences' stem counts.

    Only the order of similarities matters from here on. Unlike the root, a quotient of whole
    numbers is the same float for the same fraction, so that equal cosines stay equal.
    """
    lengths = [len(ids) for ids in prepared.content]
    counts = sparse.csr_array(
        (np.ones(sum(lengths)), np.concatenate(prepared.content), np.cumsum([0, *lengths])),
        shape=(len(lengths), prepared.content_size),
    )
    dot = (counts @ counts.T).toarray()
    norm = np.maximum(dot.diagonal(), 1)
    return np.asarray(dot * dot / np.outer(norm, norm))


def ranks(similarity: NDArray[np.float64], mask: int = _MASK) -> NDArray[np.float64]:
    """Replace each similarity by the share of its neighbours that it exceeds.

    Neighbours lie in a square of `mask` rows and columns around it; at the border of the matrix
    there are fewer.
    """
    m, reach = len(similarity), mask // 2
    # What lies outside is never exceeded, and so never counted.
    around = np.pad(similarity, reach, constant_values=np.inf)
    below = np.zeros((m, m), np.min_scalar_type(mask * mask))
    exceeds = np.empty((m, m), np.bool_)
    for row in range(mask):
        for column in range(mask):
            np.greater(similarity, around[row : row + m, column : column + m], out=exceeds)
            below += exceeds
    place = np.arange(m)
    side = np.minimum(place + reach, m - 1) - np.maximum(place - reach, 0) + 1
    return np.asarray(below / np.maximum(np.outer(side, side) - 1, 1))


def divide(rank: NDArray[np.float64], k: int) -> tuple[list[int], NDArray[np.float64]]:
    """Split the document k - 1 times, each time where the inside density becomes highest.

    The inside density is the sum of the ranks inside the segments' squares on the diagonal, over
    the area of these squares. Of equal densities the later one in the text is taken, as in
    the author's program.

    Returns
    -------
    tuple
        The first sentences of the new segments in the order of the splits, and the density before
        the first and after each split.
    """
    m = len(rank)
    corner = np.zeros((m + 1, m + 1))
    corner[1:, 1:] = rank.cumsum(0).cumsum(1)
    diagonal = corner.diagonal()

    def best_split(start: int, end: int) -> tuple[int, float, int]:
        """Where to split one segment, and what this does to the sum and to the area."""
        at = np.arange(start + 1, end)
        left = diagonal[at] - 2 * corner[start, at] + diagonal[start]
        right = diagonal[end] - 2 * corner[at, end] + diagonal[at]
        area = (at - start) ** 2 + (end - at) ** 2
        best = len(at) - 1 - int(np.argmax(((left + right) / area)[::-1]))
        whole = diagonal[end] - 2 * corner[start, end] + diagonal[start]
        change = float(left[best] + right[best] - whole)
        return int(at[best]), change, int(area[best]) - (end - start) ** 2

    # Segments by their first sentence; those of one sentence cannot be split and are not listed.
    ends = np.zeros(m, np.int64)
    at, sums, areas = np.zeros(m, np.int64), np.zeros(m), np.ones(m)
    splittable = np.zeros(m, np.bool_)

    def add(start: int, end: int) -> None:
        ends[start] = end
        splittable[start] = end - start > 1
        if splittable[start]:
            at[start], sums[start], areas[start] = best_split(start, end)

    add(0, m)
    total, area = float(diagonal[m]), m * m
    boundaries, density = [], [total / area]
    for _ in range(k - 1):
        candidates = np.flatnonzero(splittable)
        reached = (total + sums[candidates]) / (area + areas[candidates])
        start = int(candidates[len(candidates) - 1 - int(np.argmax(reached[::-1]))])
        total, area = total + float(sums[start]), area + int(areas[start])
        middle, end = int(at[start]), int(ends[start])
        add(start, middle)
        add(middle, end)
        boundaries.append(middle)
        density.append(total / area)
    return boundaries, np.array(density)


def number_of_boundaries(density: NDArray[np.float64]) -> int:
    """Return the number of splits before the first that raises the density by a usual amount.

    The rises are smoothed; unusual is what lies 1.2 standard deviations above their mean.
    """
    rise = np.diff(density)
    if not len(rise):
        return 0
    reach = len(_KERNEL) // 2
    inside = slice(reach, reach + len(rise))
    # At both ends only the part of the kernel that meets the profile counts.
    weight = np.convolve(np.ones(len(rise)), _KERNEL)[inside]
    smooth = np.convolve(rise, _KERNEL)[inside] / weight
    unusual = smooth > smooth.mean() + _C * smooth.std()
    return int(np.argmin(np.append(unusual, False)))


_CITATION = "Choi 2000, NAACL"
_PARAMETERS = {"mask": _MASK}

METHODS = (
    Segmenter("C99 (k)", _CITATION, cut, parameters=_PARAMETERS),
    Segmenter("C99", _CITATION, cut_with_own_k, takes_k=False, parameters={**_PARAMETERS, "c": _C}),
)

"""Agglomerative clustering of neighbours with average linkage (eq. 14)."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["average_linkage_starts"]


def average_linkage_starts(vectors: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Merge neighbouring sentences until k segments are left; return each segment's first sentence.

    The distance of two segments is the mean cosine distance over all pairs of their sentences, as
    eq. 14 has it. Rows of `vectors` are unit vectors (or zero, at distance 1 from all), so that the
    mean is 1 - S_A · S_B / (n_A n_B) with S the sum of a segment's rows: no pair is ever formed,
    and a heap of neighbours makes it O(m log m) merges. scikit-learn's average linkage on a chain
    only compares the two sentences at the boundary, and does not accept rows of zeros.

    Of equal distances the one nearer to the start of the text is merged first.
    """
    m = len(vectors)
    sums, sizes = list(vectors), [1] * m
    following, preceding = list(range(1, m + 1)), list(range(-1, m - 1))
    # A segment is known by its first sentence. A heap entry holds the sizes of its two segments:
    # when one has grown or gone since, they differ and the entry is stale.
    nearest = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
    heap = [(distance, a, 1, 1) for a, distance in enumerate(nearest.tolist())]
    heapify(heap)

    def push(a: int, b: int) -> None:
        mean = float(sums[a] @ sums[b]) / (sizes[a] * sizes[b])
        heappush(heap, (1 - mean, a, sizes[a], sizes[b]))

    for _ in range(m - k):
        while True:
            _, a, size_a, size_b = heappop(heap)
            if sizes[a] == size_a and following[a] < m and sizes[following[a]] == size_b:
                break
        b = following[a]
        sums[a] = sums[a] + sums[b]
        sizes[a] += sizes[b]
        sizes[b] = 0
        following[a] = c = following[b]
        if c < m:
            preceding[c] = a
            push(a, c)
        if preceding[a] >= 0:
            push(preceding[a], a)
    return np.flatnonzero(sizes)

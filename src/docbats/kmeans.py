"""KMeans that leaves no cluster empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["kmeans"]

_MAX_ROUNDS = 100

# Ours, although scikit-learn has one: importing that costs more than the whole analysis, and
# neither it nor scipy.cluster.vq promises k non-empty clusters when points coincide.


def kmeans(points: NDArray[np.float64], k: int, restarts: int, seed: int) -> NDArray[np.int64]:
    """Assign each row of `points` to one of k clusters (eq. 13), none of them empty.

    Lloyd's rounds from `restarts` k-means++ starts; the assignment with the least sum of squares
    counts, the earliest of equals. Needs at least k points, distinct or not.
    """
    if k == len(points):
        return np.arange(k)
    rng = np.random.default_rng(seed)
    runs = [_lloyd(points, _spread_centers(points, k, rng)) for _ in range(restarts)]
    return min(runs, key=lambda run: run[1])[0]


def _spread_centers(
    points: NDArray[np.float64], k: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """k-means++: each next center is a point drawn by its squared distance to the chosen ones."""
    centers = [points[rng.integers(len(points))]]
    nearest = np.full(len(points), np.inf)
    for _ in range(1, k):
        nearest = np.minimum(nearest, ((points - centers[-1]) ** 2).sum(axis=1))
        total = np.cumsum(nearest)
        drawn = np.searchsorted(total, rng.random() * total[-1], side="right")
        centers.append(points[min(drawn, len(points) - 1)])
    return np.array(centers)


def _lloyd(
    points: NDArray[np.float64], centers: NDArray[np.float64]
) -> tuple[NDArray[np.int64], float]:
    labels = np.full(len(points), -1)
    for _ in range(_MAX_ROUNDS):
        squares = _square_distances(points, centers)
        new_labels = _fill_empty(squares.argmin(axis=1), squares)
        if (new_labels == labels).all():
            break
        labels = new_labels
        sizes = np.bincount(labels)  # none is zero
        by_cluster = points[np.argsort(labels, kind="stable")]
        sums = np.add.reduceat(by_cluster, np.cumsum(sizes) - sizes, axis=0)
        centers = sums / sizes[:, None]
    scatter = ((points - centers[labels]) ** 2).sum()
    return labels, round(float(scatter), 12)


def _square_distances(
    points: NDArray[np.float64], centers: NDArray[np.float64]
) -> NDArray[np.float64]:
    squares: NDArray[np.float64] = (points**2).sum(axis=1, keepdims=True) + (centers**2).sum(axis=1)
    squares -= 2 * points @ centers.T
    return squares


def _fill_empty(labels: NDArray[np.int64], squares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give each empty cluster the point farthest from its center, out of clusters of several."""
    sizes = np.bincount(labels, minlength=squares.shape[1])
    for empty in np.flatnonzero(sizes == 0):
        own = squares[np.arange(len(labels)), labels]
        moved = np.where(sizes[labels] > 1, own, -np.inf).argmax()
        sizes[labels[moved]] -= 1
        sizes[empty] = 1
        labels[moved] = empty
    return labels

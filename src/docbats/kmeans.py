"""KMeans that leaves no cluster empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_ROUNDS = 100
_MAX_ARRAY = 100_000  # numbers; restarts run together as long as they need no larger arrays

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
    draws = [(rng.integers(len(points)), rng.random(k - 1)) for _ in range(restarts)]
    together = max(1, _MAX_ARRAY // (len(points) * max(k, points.shape[1])))
    best, least = np.arange(0), np.inf
    for low in range(0, restarts, together):
        first, later = map(np.array, zip(*draws[low : low + together], strict=True))
        labels, centers = _lloyd(points, _spread_centers(points, first, later))
        for own, center in zip(labels.T, centers, strict=True):
            scatter = round(float(((points - center[own]) ** 2).sum()), 12)
            if scatter < least:
                best, least = own, scatter
    return best


def _spread_centers(
    points: NDArray[np.float64], first: NDArray[np.int64], draws: NDArray[np.float64]
) -> NDArray[np.float64]:
    """k-means++: each next center is a point drawn by its squared distance to the chosen ones.

    For several runs at once, of which each has a first center and a row of draws.
    """
    columns = np.ascontiguousarray(points.T)
    chosen = [first]
    nearest = np.full((len(first), len(points)), np.inf)
    for draw in draws.T:
        squares = ((columns - points[chosen[-1], :, None]) ** 2).sum(axis=1)
        nearest = np.minimum(nearest, squares)
        total = np.cumsum(nearest, axis=1)
        drawn = np.count_nonzero(total <= draw[:, None] * total[:, -1:], axis=1)
        chosen.append(np.minimum(drawn, len(points) - 1))
    return points[np.stack(chosen, axis=1)]


def _lloyd(
    points: NDArray[np.float64], centers: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Assign points and move centers in turn until nothing changes, for several runs at once."""
    n, (runs, k, dimensions) = len(points), centers.shape
    labels = np.full((n, runs), -1)
    active = np.arange(runs)  # those that still change
    lengths, doubled = (points**2).sum(axis=1, keepdims=True), 2 * points
    for _ in range(_MAX_ROUNDS):
        ends = centers[active].reshape(-1, dimensions)
        squares = lengths + (ends**2).sum(axis=1)
        squares -= doubled @ ends.T
        squares = squares.reshape(n, -1, k)
        new_labels = squares.argmin(axis=2)
        sizes = np.bincount(_number_clusters(new_labels, k), minlength=len(ends)).reshape(-1, k)
        if not sizes.all():
            _fill_empty(new_labels, sizes, squares)
        changed = (new_labels != labels[:, active]).any(axis=0)
        active, sizes = active[changed], sizes[changed].ravel()
        if not active.size:
            break
        labels[:, active] = new_labels = new_labels[:, changed]
        order = np.argsort(_number_clusters(new_labels, k), kind="stable")
        by_cluster = points.take(order // len(active), axis=0)
        sums = np.add.reduceat(by_cluster, np.cumsum(sizes) - sizes, axis=0)
        centers[active] = (sums / sizes[:, None]).reshape(-1, k, dimensions)
    return labels, centers


def _fill_empty(
    labels: NDArray[np.int64], sizes: NDArray[np.int64], squares: NDArray[np.float64]
) -> None:
    """Move to each empty cluster the point farthest from its center, out of clusters of several."""
    for run, empty in np.argwhere(sizes == 0).tolist():
        own = squares[np.arange(len(labels)), run, labels[:, run]]
        moved = np.where(sizes[run, labels[:, run]] > 1, own, -np.inf).argmax()
        sizes[run, labels[moved, run]] -= 1
        sizes[run, empty] = 1
        labels[moved, run] = empty


def _number_clusters(labels: NDArray[np.int64], k: int) -> NDArray[np.unsignedinteger[Any]]:
    """Return numbers for the clusters of all runs, in integers that are short to sort."""
    runs = labels.shape[1]
    return (labels + k * np.arange(runs)).astype(np.min_scalar_type(k * runs)).ravel()

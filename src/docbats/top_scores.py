"""The highest scores of each group, without sorting all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["may_be_top"]

_BUCKETS_PER_SCORE = 2  # more leave fewer scores to be sorted, but take longer themselves


def may_be_top(
    group: NDArray[np.int64], score: NDArray[np.float64], n_groups: int, n: int
) -> NDArray[np.int64]:
    """Return the places of all scores that may be among the n highest of their group, and of more.

    The scores of a group are dealt out to buckets. Where n buckets have a score above some bound,
    what is below the bound is not among the n highest.
    """
    n_buckets = _BUCKETS_PER_SCORE * n
    highest = np.full(n_groups * n_buckets, -np.inf)
    np.maximum.at(highest, group * n_buckets + np.arange(len(group)) % n_buckets, score)
    bound = np.partition(highest.reshape(n_groups, n_buckets), n_buckets - n, axis=1)
    return np.flatnonzero(score >= bound[:, n_buckets - n][group])

"""Overlap of topics, and coherence with a penalty for it (section 4.2.2, eqs. 17, 18)."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """Return shared words as a share of all words of the two topics; 0 without any word."""
    a, b = set(a), set(b)
    return len(a & b) / len(a | b) if a or b else 0.0


def dice(a: Collection[str], b: Collection[str]) -> float:
    """Return shared words as a share of the two topics' mean size; 0 without any word."""
    a, b = set(a), set(b)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def similarities(
    topics: Sequence[Sequence[str]],
    measure: Callable[[Collection[str], Collection[str]], float],
    top: int = 10,
) -> NDArray[np.float64]:
    """Return sim_ij for the `top` first words of each pair of topics, with sim_ii = 0.

    A topic equals itself, but topics do not overlap by that: with sim_ii = 1 the composites
    would penalize topics that share no word, and the paper prints composites for BATS that equal
    its plain PMI and UMass.
    """
    found = np.zeros((len(topics), len(topics)))
    for i, j in combinations(range(len(topics)), 2):
        found[i, j] = found[j, i] = measure(topics[i][:top], topics[j][:top])
    return found


def mean_similarity(similarity: NDArray[np.float64]) -> float:
    """Return the mean over the pairs of different topics; 0 without any pair."""
    k = len(similarity)
    return float(similarity.sum() / (k * (k - 1))) if k > 1 else 0.0


def composite_pmi(scores: Sequence[float], similarity: NDArray[np.float64]) -> float:
    """Return the mean PMI, each pair of topics penalized by its similarity (eq. 17).

    The sums run over all i and j and are divided by k squared, as printed. Topics without a score
    (nan) are left out.
    """
    both, sim = _pairs(scores, similarity)
    sign = np.where(both >= 0, 1, -1)
    return float((both * (1 - sign * sim) / 2).mean()) if both.size else math.nan


def composite_umass(scores: Sequence[float], similarity: NDArray[np.float64]) -> float:
    """Return the same for UMass, whose scores are negative (eq. 18)."""
    both, sim = _pairs(scores, similarity)
    return float((both * (1 + sim) / 2).mean()) if both.size else math.nan


def _pairs(
    scores: Sequence[float], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return score_i + score_j and sim_ij for the topics that have a score."""
    values = np.asarray(scores, np.float64)
    known = ~np.isnan(values)
    return np.add.outer(values[known], values[known]), similarity[np.ix_(known, known)]

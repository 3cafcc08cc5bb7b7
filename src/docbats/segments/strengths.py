"""How likely a person would draw a boundary where the cut has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["NEAR", "STRENGTH", "StrengthRule", "boundary_evidence", "boundary_strengths"]

NEAR = 2  # sentences: a boundary so far from a person's is the same
_WEIGHED = 256  # sentences: in a longer text not every other place for a boundary is weighed
_PLACES = 320  # in a longer text, in all; more take longer
_MIN_PLACES, _MAX_PLACES = 12, 16  # in a segment of it


@dataclass(frozen=True)
class StrengthRule:
    """The log odds that a person has a boundary within two sentences of one.

    Attributes
    ----------
    place
        The weight of the log odds that the boundary is there and not elsewhere between its
        neighbours.
    saving
        The weight of the log of the share of their cost that its two segments save by being apart.
    constant
        What is added.
    """

    place: float
    saving: float
    constant: float


STRENGTH = StrengthRule(place=0.22, saving=0.47, constant=1.41)
"""Fitted by ``docbats lab run carry-over``."""


def boundary_strengths(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> list[float] | None:
    """Rate each boundary from 0 to 1, by how likely a person would draw it.

    By a cost that has nothing but its penalty, a boundary of 0.5 gains as much as that asks for;
    without a penalty there is nothing to compare with, and the result is None.
    """
    if cost.penalty is None:
        return None
    if len(starts) == 1:
        return []
    if cost.k_model is None:
        own, joined = _own_and_joined(cost, n_sentences, starts)
        gains = np.maximum(joined - own[1:] - own[:-1], 0)
        return list((gains / np.maximum(gains + cost.penalty, 1e-300)).tolist())
    place, saving = boundary_evidence(cost, n_sentences, starts)
    log_odds = STRENGTH.place * place + STRENGTH.saving * saving + STRENGTH.constant
    return list((1 / (1 + np.exp(-log_odds))).tolist())


def boundary_evidence(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return for each boundary the log odds of its place, and the log of what it saves."""
    if cost.k_model is None:
        msg = "the cost has no model of k"
        raise ValueError(msg)
    own, joined = _own_and_joined(cost, n_sentences, starts)
    together = own[1:] + own[:-1]
    saving = np.log(np.maximum((joined - together) / np.maximum(np.abs(together), 1e-9), 1e-3))
    near = _shares_near(cost, n_sentences, np.array(starts), cost.k_model.temperature(len(starts)))
    near = near.clip(1e-4, 1 - 1e-4)
    return np.log(near / (1 - near)), saving


def _own_and_joined(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return what each segment costs, and what each but the first does with the one before it."""
    costs = cost.table(np.append(starts, n_sentences), 2)
    return costs[:, 0], costs[1:, 1]


def _shares_near(cost: SegmentCost, m: int, starts: Ints, temperature: float) -> Floats:
    """Return how likely each boundary, its neighbours staying, is where it is or near."""
    edges, weight = np.arange(m + 1), np.ones(m + 1)
    if m > _WEIGHED:
        odds = np.zeros(m) if cost.start_log_odds is None else cost.start_log_odds
        edges, weight = _places(odds, starts)
        if cost.may_start is not None:  # nobody draws a boundary elsewhere
            kept = np.append(cost.may_start, True)[edges]
            kept[np.searchsorted(edges, starts)] = True
            edges, weight = edges[kept], weight[kept]
    at = np.searchsorted(edges, np.append(starts, m))
    longest = int((at[2:] - at[:-2]).max())
    costs = cost.table(edges, longest, len(starts))
    shares = np.empty(len(starts) - 1)
    for i, (low, here, high) in enumerate(zip(at[:-2], at[1:-1], at[2:], strict=True)):
        place = np.arange(low + 1, high)
        total = costs[place - 1, place - 1 - low] + costs[high - 1, high - 1 - place]
        odds = weight[place] * np.exp((total.min() - total) / temperature)
        is_near = np.abs(edges[place] - edges[here]) <= NEAR
        shares[i] = odds[is_near].sum() / odds.sum()
    return shares


def _places(start_log_odds: Floats, starts: Ints) -> tuple[Ints, Floats]:
    """Return places for boundaries, and how many places like it each stands for.

    Near the boundaries that were drawn, each sentence is a place. Of each run of other sentences,
    the one that a segment begins with most likely stands for all.
    """
    m = len(start_log_odds)
    bounds = np.append(starts, m)
    near = np.add.outer(starts[1:], np.arange(-NEAR, NEAR + 2)).ravel()
    n = min(max(_PLACES // len(starts), _MIN_PLACES), _MAX_PLACES)
    parts = np.linspace(bounds[:-1], bounds[1:], n, endpoint=False).astype(np.int64).ravel()
    first = np.concatenate([[0, 1], near, parts])
    first = np.unique(first[(first >= 0) & (first < m)])
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, m)))
    highest = np.maximum.reduceat(start_log_odds, first)[run]
    is_highest = np.flatnonzero(start_log_odds == highest)
    likeliest = is_highest[np.flatnonzero(np.diff(run[is_highest], prepend=-1))]
    n_alike = np.add.reduceat(np.exp(start_log_odds - highest), first)
    return np.append(likeliest, m), np.append(n_alike, 0.0)

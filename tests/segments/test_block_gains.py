"""Gains of cuts between blocks, by brute force."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.errors import SettingsError
from docbats.segments.choose_k import (
    BlockGains,
    Choice,
    choose_k,
    choose_k_by_gains,
    heading_starts,
    worth_penalty,
)
from docbats.segments.costs import SegmentCost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.settings import Granularity


class Drawn(SegmentCost):
    """A cost drawn for each segment."""

    def __init__(self, seed: int, m: int, penalty: float | None = 1.0) -> None:
        self.costs = np.random.default_rng(seed).uniform(1, 9, (m, m + 1))
        self.penalty = penalty

    def cost(self, first: int, end: int) -> float:
        return float(self.costs[first, end]) * sqrt(end - first)


class Even(SegmentCost):
    """A cost by which all segments are the same, whatever k is."""

    def table(
        self,
        edges: NDArray[np.int64],
        width: int,
        k: int | None = None,  # noqa: ARG002
    ) -> NDArray[np.float64]:
        return np.zeros((len(edges) - 1, min(width, len(edges) - 1)))


def cuts(m: int, k: int) -> list[list[int]]:
    return [[0, *inner] for inner in combinations(range(1, m), k - 1)]


@pytest.mark.parametrize("seed", range(6))
def test_gains_and_savings_are_those_of_the_best_cuts(seed: int) -> None:
    m = 9
    cost = Drawn(seed, m)
    openings = np.random.default_rng(seed).normal(size=m)
    blocks = BlockGains(cost, m)
    assert blocks.max_k == 8
    for given in (None, openings):

        def total(starts: list[int], given: object = given) -> float:
            ends = [*starts[1:], m]
            own = sum(cost.cost(a, b) for a, b in zip(starts, ends, strict=True))
            return own - (0 if given is None else float(openings[starts[1:]].sum()))

        gains = blocks.gains(given)
        least = [min(map(total, cuts(m, k))) for k in range(1, 9)]
        assert gains == pytest.approx([least[0] - value for value in least], abs=1e-6)
    for k in (2, 3, 5):
        best = min(cuts(m, k), key=lambda s: sum(map(cost.cost, s, [*s[1:], m])))
        ends = [*best[1:], m]
        own = [cost.cost(a, b) for a, b in zip(best, ends, strict=True)]
        joined = [cost.cost(a, b) for a, b in zip(best[:-1], ends[1:], strict=True)]
        expected = [
            (j - a - b) / (a + b) for j, a, b in zip(joined, own[:-1], own[1:], strict=True)
        ]
        assert blocks.savings(k) == pytest.approx(expected)
        assert blocks.starts(k) == best


@pytest.mark.parametrize(("m", "max_k"), [(1, 1), (2, 2), (4, 4), (9, 8), (100, 25), (1600, 100)])
def test_how_many_segments_are_weighed(m: int, max_k: int) -> None:
    assert BlockGains(Even(), m).max_k == min(max_k, 100)
    assert BlockGains(Even(), m, 3).max_k == min(max_k, 3)


@pytest.mark.parametrize("seed", range(12))
def test_the_number_that_is_worth_its_penalty(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gains = np.concatenate([[0.0], np.cumsum(np.sort(rng.uniform(0, 5, 9))[::-1])])
    choice = worth_penalty(gains, 2.0, 0.0).choice()
    scores = [gain - 2.0 * i for i, gain in enumerate(gains)]
    assert choice.k == int(np.argmax(np.round(scores, 6))) + 1
    assert choice.penalty == 2.0
    assert choice.scores == pytest.approx(scores, abs=1e-6)
    others = [k for k in range(1, 11) if k != choice.k]
    assert choice.runner_up == max(others, key=lambda k: scores[k - 1])
    bounded = worth_penalty(gains, 2.0, 0.0).choice(2, 4)
    assert bounded.k == max((2, 3, 4), key=lambda k: scores[k - 1])
    assert bounded.runner_up in {2, 3, 4} - {bounded.k}
    assert worth_penalty(gains, 2.0, 0.0).choice(99).k == 10
    assert worth_penalty(gains, 2.0, 0.0).choice(99).runner_up is None


def test_a_boundary_must_gain_a_share_of_the_mean_gain() -> None:
    gains = np.array([0.0, 100.0, 110.0, 111.0, 111.5])
    assert worth_penalty(gains, 0.6, 0.0).k == 4
    # Three boundaries gain 111 or 37 each, of which the third has but 1.
    found = worth_penalty(gains, 0.6, 0.1).choice()
    assert found.k == 3
    assert found.penalty == pytest.approx(3.7)
    # A fifth of 55 is more than the second has, too.
    assert worth_penalty(gains, 0.6, 0.2).k == 2
    assert worth_penalty(np.array([0.0, -1.0]), 0.5, 0.1).choice() == Choice(
        1, 2, (0.0, -1.0), 0.5, (0.0, -1.5)
    )


class Sections(SegmentCost):
    penalty = 4.0

    def __init__(self, n: int, finer: int | None = None) -> None:
        self.section_starts = np.arange(n)
        self.subsection_starts = None if finer is None else np.arange(finer)


@pytest.mark.parametrize(
    ("n", "finer", "granularity", "k", "n_sections"),
    [
        (7, 20, "medium", 7, 7),
        (7, 20, "fine", 20, 20),
        (7, 60, "fine", 60, 60),
        (7, 61, "fine", 7, 7),
        (7, None, "fine", 7, 7),
        (60, None, "medium", 60, 60),
        (5, None, "coarse", 5, 5),
        (6, None, "coarse", 2, 6),
        (16, None, "coarse", 4, 16),
    ],
)
def test_headings_decide(
    n: int, finer: int | None, granularity: Granularity, k: int, n_sections: int
) -> None:
    choice = choose_k(Sections(n, finer), 100, granularity)
    penalty = {"coarse": 8, "medium": 4, "fine": 2}[granularity]
    expected = Choice(k, None, (), penalty, follows_headings=True, n_sections=n_sections)
    assert choice == expected


def test_too_many_sections_decide_nothing() -> None:
    assert heading_starts(Sections(61), "medium") is None
    assert heading_starts(Sections(60, 61), "fine") is not None
    assert heading_starts(Drawn(1, 3), "fine") is None


def test_a_cost_without_a_penalty_needs_k() -> None:
    with pytest.raises(SettingsError, match="has no penalty"):
        choose_k(Drawn(1, 9, None), 9)


@pytest.mark.parametrize("seed", range(8))
def test_coarse_and_fine_bound_the_number(seed: int) -> None:
    cost = Drawn(seed, 30, penalty=0.2)
    blocks = BlockGains(cost, 30)
    gains = blocks.gains()
    medium = choose_k_by_gains(blocks, "medium")
    assert medium == worth_penalty(gains, 0.2, 0.15).choice()
    coarse, fine = (choose_k_by_gains(blocks, how) for how in ("coarse", "fine"))
    least, most = -(-3 * medium.k // 2), 2 * medium.k // 3
    if medium.k > 1:
        assert coarse == worth_penalty(gains, 0.4, 0.15).choice(1, most)
        assert fine == worth_penalty(gains, 0.1, 0.15).choice(least)
        assert coarse.k <= most
        assert fine.k >= min(least, len(gains))


def test_what_is_written_of_a_choice() -> None:
    choice = Choice(3, 2, (0.0,), 1.23456789, (0.12345678, -1.0), confidence=0.98765, reason="So.")
    assert choice.to_dict() == {
        "k": 3,
        "runner_up": 2,
        "confidence": 0.988,
        "reason": "So.",
        "penalty": 1.234568,
        "scores": [0.123457, -1.0],
    }
    assert Choice(1, None, (), 0.5).to_dict()["confidence"] is None

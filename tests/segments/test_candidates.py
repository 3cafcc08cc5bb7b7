from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.segments.costs import SegmentCost
from docbats.segments.dirichlet import LikelihoodCost
from docbats.segments.search import StartPlaces, allowed_edges

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence


class Known(SegmentCost):
    """A cost of which only the beginnings of segments are known."""

    def __init__(
        self,
        odds: NDArray[np.float64] | None = None,
        may_start: NDArray[np.bool_] | None = None,
        sections: NDArray[np.int64] | None = None,
    ) -> None:
        self.start_log_odds, self.may_start, self.section_starts = odds, may_start, sections


@given(st.integers(1, 200), st.integers(1, 250), st.integers(0, 5))
def test_about_as_many_places_as_asked_for(m: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = StartPlaces.of(Known(rng.choice([0.0, 1.0, 6.0], m)), np.arange(m + 1)).best(n)
    assert places[0] == 0
    assert (np.diff(places) > 0).all()
    assert places[-1] < m
    assert min(m, n) <= len(places) <= max(3, n + 1)


def test_every_stretch_has_its_likeliest_place() -> None:
    odds = np.zeros(1000)
    odds[[13, 400, 401, 999]] = 6.0
    places = StartPlaces.of(Known(odds), np.arange(1001)).best(40)
    assert {13, 999} <= set(places.tolist())
    assert {400, 401} & set(places.tolist())
    assert np.diff(places).max() <= 2 * 1000 / (0.75 * 40)


def test_sections_are_among_the_candidates_unless_they_are_too_many() -> None:
    sections = np.array([0, 200, 203, 206, 700])
    places = StartPlaces.of(Known(sections=sections), np.arange(1001)).best(40)
    assert set(sections.tolist()) <= set(places.tolist())
    many = StartPlaces.of(Known(sections=np.arange(500)), np.arange(1001)).best(40)
    assert len(many) == 40


def test_segments_may_lie_between_the_edges_that_are_allowed() -> None:
    may_start = np.array([True, False, True, False, True])
    cost = Known(may_start=may_start)
    assert allowed_edges(cost, 5, 3).tolist() == [0, 2, 4, 5]
    assert allowed_edges(cost, 5, 4).tolist() == [0, 1, 2, 3, 4, 5]
    assert allowed_edges(Known(), 3, 2).tolist() == [0, 1, 2, 3]


def test_the_words_around_it_rate_a_place(make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(900, sources=2, words=8, vocabulary=300, own=0.9, seed=1)
    cost = LikelihoodCost(evidence)
    cost.start_log_odds = None
    places = StartPlaces.of(cost, np.arange(901))
    gains = cost.start_gains(np.arange(901), 90)
    assert gains is not None
    assert len(places.by_words) == 900
    best = int(gains.argmax())
    edges = np.array([0, best, 900])
    apart = cost.table(edges, 1)[:, 0].sum()
    for other in (best - 80, best + 80):
        edges[1] = other
        assert apart < cost.table(edges, 1)[:, 0].sum()


@pytest.mark.parametrize("step", [1, 3])
def test_places_near_others(step: int) -> None:
    odds = np.zeros(100)
    odds[53] = 1.0
    places = StartPlaces.of(Known(odds), np.arange(101))
    near = places.best_near(np.array([2, 50]), 6, step)
    assert 53 in near
    assert near.min() >= 1
    assert near.max() < 60
    if step == 1:
        assert near.tolist() == [*range(1, 9), *range(44, 57)]

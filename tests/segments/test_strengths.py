"""How likely a person would draw a boundary, against sums over every other place for it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docbats.segments import choose_k as strengths
from docbats.segments.choose_k import STRENGTH, boundary_evidence, boundary_strengths
from docbats.segments.costs import SegmentCost
from docbats.segments.dirichlet import LikelihoodCost
from docbats.segments.search import best_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tests.segments.conftest import MakeEvidence


class Squares(SegmentCost):
    """A segment costs the square of its length."""

    def __init__(self, penalty: float | None) -> None:
        self.penalty = penalty

    def cost(self, first: int, end: int) -> float:
        return float((end - first) ** 2)


def cost_of(table: NDArray[np.float64], first: int, end: int) -> float:
    return float(table[end - 1, end - first - 1])


def by_brute_force(cost: LikelihoodCost, m: int, starts: list[int]) -> list[float]:
    """Weigh all cuts that have one boundary elsewhere between the same neighbours."""
    k, n_tokens = len(starts), cost.evidence.n_tokens
    edges = np.arange(m + 1)
    words, table = cost.table(edges, m), cost.table(edges, m, k)
    temperature = 5 * (max(n_tokens, 1) / k / 300) ** 0.7
    found = []
    for low, here, high in zip(starts, starts[1:], [*starts[2:], m], strict=False):
        odds = {}
        for place in range(low + 1, high):
            cut = sorted({*starts, m} - {here} | {place})
            total = sum(cost_of(table, first, end) for first, end in pairwise(cut))
            odds[place] = np.exp(-(total - cost_of(table, 0, m)) / temperature)
        near = sum(odds.get(here + step, 0.0) for step in range(-2, 3)) / sum(odds.values())
        near = min(max(near, 1e-4), 1 - 1e-4)
        apart = cost_of(words, low, here) + cost_of(words, here, high)
        saving = max((cost_of(words, low, high) - apart) / max(apart, 1e-9), 1e-3)
        log_odds = (
            STRENGTH.place * np.log(near / (1 - near))
            + STRENGTH.saving * np.log(saving)
            + STRENGTH.constant
        )
        found.append(1 / (1 + np.exp(-log_odds)))
    return found


@pytest.mark.parametrize(
    ("m", "starts"),
    [
        (12, [0, 5]),
        (20, [0, 4, 5, 13]),
        (30, [0, 2, 10, 19, 27]),
        (30, list(range(30))),
    ],
)
@pytest.mark.parametrize("own", [0.2, 1.0])
def test_strengths_are_those_by_brute_force(
    make_evidence: MakeEvidence, m: int, starts: list[int], own: float
) -> None:
    for seed in range(4):
        cost = LikelihoodCost(make_evidence(m, own=own, seed=seed))
        expected = by_brute_force(cost, m, starts)
        assert boundary_strengths(cost, m, starts) == pytest.approx(expected, abs=1e-8)


@settings(deadline=None)
@given(st.integers(2, 40), st.floats(0, 1), st.integers(0, 1000), st.data())
def test_strengths_are_probabilities(
    make_evidence: MakeEvidence, m: int, own: float, seed: int, data: st.DataObject
) -> None:
    inner = data.draw(st.sets(st.integers(1, m - 1), min_size=1))
    cost = LikelihoodCost(make_evidence(m, own=own, seed=seed))
    found = boundary_strengths(cost, m, [0, *sorted(inner)])
    assert found is not None
    assert len(found) == len(inner)
    assert all(0 < strength < 1 for strength in found)


def test_plain_breaks_have_high_strengths_and_others_low_ones(make_evidence: MakeEvidence) -> None:
    sentences = np.repeat(np.arange(4), 15)
    evidence = make_evidence(60, sources=1, own=0.0, seed=1)
    # The four parts of the text have no word in common.
    root = evidence.root * 4 + sentences[evidence.sentence]
    order = np.lexsort((evidence.sentence, root))
    _, root = np.unique(root[order], return_inverse=True)
    made = type(evidence)(
        root=root,
        sentence=evidence.sentence[order],
        count=evidence.count[order],
        weight=np.ones(int(root.max()) + 1),
        sizes=np.full(60, 8),
        continues=np.zeros(60, bool),
        is_heading=np.zeros(60, bool),
    )
    cost = LikelihoodCost(made)
    plain = boundary_strengths(cost, 60, [0, 15, 30, 45])
    assert plain is not None
    assert min(plain) > 0.8
    elsewhere = boundary_strengths(cost, 60, [0, 8, 22, 37])
    assert elsewhere is not None
    assert max(elsewhere) < 0.5


def test_one_segment_has_no_boundary(make_evidence: MakeEvidence) -> None:
    assert boundary_strengths(LikelihoodCost(make_evidence(9, seed=0)), 9, [0]) == []


def test_a_cost_with_nothing_but_a_penalty_compares_gains_with_it() -> None:
    # Segments of 3, 4 and 5 sentences: apart they save 2 * 3 * 4 = 24 and 2 * 4 * 5 = 40.
    found = boundary_strengths(Squares(10.0), 12, [0, 3, 7])
    assert found == pytest.approx([24 / 34, 40 / 50])
    assert boundary_strengths(Squares(None), 12, [0, 3, 7]) is None


def test_what_loses_by_a_boundary_has_no_strength() -> None:
    class Roots(Squares):
        def cost(self, first: int, end: int) -> float:
            return float(np.sqrt(end - first))

    assert boundary_strengths(Roots(10.0), 12, [0, 3, 7]) == [0.0, 0.0]
    assert boundary_strengths(Roots(0.0), 12, [0, 3, 7]) == [0.0, 0.0]


def test_evidence_needs_a_model_of_k() -> None:
    with pytest.raises(ValueError, match="no model of k"):
        boundary_evidence(Squares(1.0), 12, [0, 3])


@pytest.mark.parametrize(("m", "k"), [(300, 4), (400, 12), (700, 6), (900, 40)])
@pytest.mark.parametrize("own", [0.3, 0.8])
def test_a_longer_text_is_weighed_at_fewer_places(
    make_evidence: MakeEvidence, monkeypatch: pytest.MonkeyPatch, m: int, k: int, own: float
) -> None:
    cost = LikelihoodCost(make_evidence(m, sources=k, own=own, seed=m))
    starts = best_starts(cost, m, k) or []
    found = boundary_strengths(cost, m, starts)
    monkeypatch.setattr(strengths, "_MAX_WEIGHED", m)
    exact = boundary_strengths(cost, m, starts)
    assert found == pytest.approx(exact, abs=0.1)


def test_in_a_longer_text_only_places_where_segments_may_begin_are_weighed(
    make_evidence: MakeEvidence,
) -> None:
    m, starts = 400, [0, 100, 203, 300]
    evidence = make_evidence(m, sources=4, own=0.8, seed=5)

    class Bound(LikelihoodCost):
        may_start = np.isin(np.arange(m), [0, 50, 100, 150, 200, 202, 250, 300, 350])

    bound = boundary_strengths(Bound(evidence), m, starts)
    free = boundary_strengths(LikelihoodCost(evidence), m, starts)
    assert bound is not None
    assert free is not None
    assert len(bound) == 3
    # With fewer places that another boundary could have, each one's own is likelier.
    assert all(a > b for a, b in zip(bound, free, strict=True))

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.special import gammaln

from docbats.segments import costs as tables
from docbats.segments import dirichlet
from docbats.segments import dirichlet as root_uses
from docbats.segments.costs import CutModel
from docbats.segments.dirichlet import DirichletCost
from docbats.segments.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

PRIORS = (0.1, 0.3, 1.0)


def segments(edges: NDArray[np.int64], width: int) -> list[tuple[int, int, int, int]]:
    """List the place in the table, the first sentence and the end of each segment."""
    return [
        (j, length, int(edges[j - length]), int(edges[j + 1]))
        for j in range(len(edges) - 1)
        for length in range(min(width, j + 1))
    ]


def direct_cost(evidence: Evidence, first: int, end: int) -> float:
    """The formula as it stands, for one segment."""
    inside = (evidence.sentence >= first) & (evidence.sentence < end)
    roots = len(evidence.weight)
    counts = np.bincount(evidence.root[inside], evidence.count[inside], minlength=roots)
    size, whole = float(counts @ evidence.weight), max(float(evidence.weight.sum()), 1e-9)
    each = [
        gammaln(size + whole * a)
        - gammaln(whole * a)
        - evidence.weight @ (gammaln(counts + a) - gammaln(a))
        for a in PRIORS
    ]
    return float(np.mean(each))


def table_of(evidence: Evidence, edges: NDArray[np.int64], width: int) -> NDArray[np.float64]:
    return DirichletCost(evidence, CutModel()).table(edges, width)


def some_edges(m: int, seed: int) -> NDArray[np.int64]:
    inner = np.random.default_rng(seed).choice(np.arange(1, m), size=m // 3, replace=False)
    return np.concatenate([[0], np.sort(inner), [m]])


@pytest.mark.parametrize("case", range(20))
def test_every_segment_costs_what_the_formula_says(
    case: int, make_evidence: Callable[..., Evidence]
) -> None:
    m = 5 + 3 * case
    # Few words: each is common; many: nearly all are rare.
    evidence = make_evidence(m, vocabulary=(5, 40, 400)[case % 3], words=case % 5 + 1, seed=case)
    for edges in (np.arange(m + 1), some_edges(m, case), np.array([0, m])):
        for width in (1, 3, m):
            table = table_of(evidence, edges, width)
            assert table.shape == (len(edges) - 1, min(width, len(edges) - 1))
            for j, length, first, end in segments(edges, width):
                assert table[j, length] == pytest.approx(
                    direct_cost(evidence, first, end), abs=1e-9
                )


def test_many_words_are_added_up_by_parts(
    make_evidence: Callable[..., Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = make_evidence(300, words=10, vocabulary=900, seed=1)
    edges = np.arange(301)
    at_once = table_of(evidence, edges, 300)
    monkeypatch.setattr(root_uses, "_PAIRS_AT_A_TIME", 50)
    monkeypatch.setattr(root_uses, "_PAIRS_PER_SUM", 500)
    monkeypatch.setattr(tables, "_CACHE_SIZE", 50)
    by_parts = table_of(evidence, edges, 300)
    within = np.tril_indices(300)
    np.testing.assert_allclose(by_parts[within], at_once[within])
    assert direct_cost(evidence, 20, 250) == pytest.approx(at_once[249, 229])


def test_two_words_by_hand() -> None:
    one = np.ones(4, np.int64)
    evidence = Evidence(
        root=np.array([0, 0, 1, 1]),
        sentence=np.array([0, 1, 0, 1]),
        count=one,
        weight=np.ones(2),
        sizes=one[:2],
        continues=np.zeros(2, bool),
        is_heading=np.zeros(2, bool),
    )
    # One of each: (2a)(2a + 1) / (a a); two of each: the next two words, (2a + 2)(2a + 3) over
    # (a + 1)(a + 1).
    once = np.mean([np.log(2 * a * (2 * a + 1) / a**2) for a in PRIORS])
    more = np.mean([np.log((2 * a + 2) * (2 * a + 3) / (a + 1) ** 2) for a in PRIORS])
    table = table_of(evidence, np.arange(3), 2)
    assert [table[0, 0], table[1, 0], table[1, 1]] == pytest.approx([once, once, once + more])


def test_without_shared_words_no_segment_costs_anything() -> None:
    none = np.empty(0, np.int64)
    sizes, no = np.ones(4, np.int64), np.zeros(4, bool)
    evidence = Evidence(none, none, none, np.empty(0), sizes, no, no)
    assert table_of(evidence, np.arange(5), 4) == pytest.approx(0, abs=1e-6)


def test_the_table_that_is_kept_cannot_be_changed(make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(30, seed=2)
    edges = np.arange(31)
    cost = DirichletCost(evidence, CutModel())
    wide = cost.table(edges, 30)
    narrow = cost.table(edges, 7)
    np.testing.assert_array_equal(narrow, wide[:, :7])
    narrow += 1
    wide += 1
    np.testing.assert_array_equal(cost.table(edges, 7) + 1, narrow)


def test_kept_tables_are_those_of_the_same_edges(make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(400, seed=3)
    kept, fresh = (DirichletCost(evidence, CutModel(), 0.5) for _ in range(2))
    for seed in range(5):
        edges = some_edges(400, seed)
        kept.keep(edges, 50)
        table = kept.table(edges, 20, 7)
        np.testing.assert_array_equal(table, kept.table(edges.copy(), 20))
        within = np.tril_indices(len(table), m=20)
        np.testing.assert_allclose(table[within], fresh.table(edges, 20)[within])
        table[:] = 0
        assert kept.table(edges, 60).shape == (len(edges) - 1, 60)
        assert kept.table(edges, 20).any()


def test_what_is_kept_is_not_pickled(make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(400, seed=3)
    cost = DirichletCost(evidence, CutModel())
    before = pickle.dumps(cost)
    table = cost.table(np.arange(0, 401, 2), 30)
    cost.keep(np.arange(0, 401, 2), 100)
    cost.start_gains(np.arange(401), 5)
    assert len(pickle.dumps(cost)) == len(before)
    again = pickle.loads(pickle.dumps(cost))
    assert again.penalty == cost.penalty
    np.testing.assert_array_equal(again.table(np.arange(0, 401, 2), 30), table)


@pytest.mark.parametrize(("m", "block_size"), [(9, 1), (9, 2), (60, 7), (60, 40), (60, 80)])
def test_a_boundary_gains_what_the_two_blocks_around_it_cost_less(
    m: int, block_size: int, make_evidence: Callable[..., Evidence]
) -> None:
    evidence = make_evidence(m, vocabulary=30, words=6, seed=m)
    for units in (np.arange(m + 1), np.append(np.arange(0, m, 2), m)):
        n = len(units) - 1
        model = CutModel()
        n_blocks = -(-n // block_size)
        scale = model.expectation_scale(evidence.n_tokens, n_blocks)
        gains = DirichletCost(evidence, model, 0.5).start_gains(units, block_size)
        assert gains.shape == (n,)
        assert gains[0] == 0
        for unit in range(1, n):
            edge = min(max(1, (unit + block_size // 2) // block_size), max(1, n_blocks - 1))
            first, end = (edge - 1) * block_size, min((edge + 1) * block_size, n)
            whole, left, right = (
                direct_cost(evidence, int(units[a]), int(units[b]))
                for a, b in ((first, end), (first, unit), (unit, end))
            )
            expected = 0.5 * (whole - left - right) / scale
            assert gains[unit] == pytest.approx(expected, abs=0.05 / scale)


def test_another_weight_is_another_cost(make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(30, seed=2)
    edges = np.arange(31)
    before = table_of(evidence, edges, 30)
    heavier = replace(evidence, weight=2 * evidence.weight)
    assert not np.allclose(table_of(heavier, edges, 30), before)


def test_the_cost_of_a_part_is_that_of_its_own_words(
    make_evidence: Callable[..., Evidence],
) -> None:
    evidence = make_evidence(30, seed=4)
    inside = DirichletCost(evidence, CutModel()).between(5, 20)
    expected = table_of(evidence.between(5, 20), np.arange(16), 15)
    np.testing.assert_array_equal(inside.table(np.arange(16), 15), expected)


def test_a_boundary_has_to_gain_more_where_there_are_more_words(
    make_evidence: Callable[..., Evidence],
) -> None:
    evidence = make_evidence(30, seed=4)
    twice = replace(evidence, count=4 * evidence.count)
    cost, larger = DirichletCost(evidence, CutModel()), DirichletCost(twice, CutModel())
    assert cost.penalty == pytest.approx(0.35 * evidence.n_tokens**0.5)
    assert larger.penalty == pytest.approx(0.7 * evidence.n_tokens**0.5)


def test_the_table_of_a_short_text_does_for_its_blocks(
    make_evidence: Callable[..., Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = make_evidence(30, seed=4)
    edges = np.array([0, 3, 4, 11, 12, 20, 30])
    found = table_of(evidence, edges, 4)
    monkeypatch.setattr(dirichlet, "_SHORT_TEXT", 0)
    wanted = table_of(evidence, edges, 4)
    assert np.tril(found) == pytest.approx(np.tril(wanted))

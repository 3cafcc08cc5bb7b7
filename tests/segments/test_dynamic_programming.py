from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.segments.dirichlet import LikelihoodCost
from docbats.segments.search import (
    cut_into_k,
    cut_into_k_approximately,
    cut_with_penalty,
    least_costs,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence


def total(costs: NDArray[np.float64], starts: Sequence[int]) -> float:
    """Add up what the segments cost; those that are too long may not be."""
    ends = [*(start - 1 for start in starts[1:]), len(costs) - 1]
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    if max(lengths) >= costs.shape[1]:
        return np.inf
    return float(sum(costs[end, length] for end, length in zip(ends, lengths, strict=True)))


def all_cuts(n: int, k: int) -> Iterator[list[int]]:
    for inner in combinations(range(1, n), k - 1):
        yield [0, *inner]


def best(costs: NDArray[np.float64], cuts: Iterator[list[int]], penalty: float = 0) -> list[int]:
    """Of equal cuts, the one with the longest last segment, then the longest before it."""
    return min(
        cuts, key=lambda starts: (total(costs, starts) + penalty * len(starts), starts[::-1])
    )


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.float64]:
    """Small tables with ties and with segments that may not be."""
    n = draw(st.integers(1, 7))
    width = draw(st.integers(1, n))
    numbers = st.sampled_from([0.0, 0.125, 0.25, 0.375, 1.0, -0.75, np.inf])
    cells = draw(st.lists(numbers, min_size=n * width, max_size=n * width))
    return np.array(cells).reshape(n, width)


@given(tables())
def test_the_best_of_all_cuts_into_k(costs: NDArray[np.float64]) -> None:
    n = len(costs)
    for k in range(1, n + 1):
        expected = best(costs, all_cuts(n, k))
        found = cut_into_k(costs, k)
        if np.isinf(total(costs, expected)):
            assert found is None
        else:
            assert found == expected


@given(tables())
def test_the_least_costs_are_those_of_the_best_cuts(costs: NDArray[np.float64]) -> None:
    n = len(costs)
    expected = [min(total(costs, cut) for cut in all_cuts(n, k)) for k in range(1, n + 1)]
    assert least_costs(costs, n) == pytest.approx(expected)
    assert least_costs(costs, n + 2).tolist()[n:] == [np.inf, np.inf]


@given(tables(), st.sampled_from([0.0, 0.125, 1.0, -0.5]))
def test_the_best_of_all_cuts_with_a_penalty(costs: NDArray[np.float64], penalty: float) -> None:
    n = len(costs)
    cuts = (cut for k in range(1, n + 1) for cut in all_cuts(n, k))
    expected = best(costs, cuts, penalty)
    found = cut_with_penalty(costs, penalty)
    if np.isinf(total(costs, expected)):
        assert found is None
    else:
        assert found == expected


@given(tables(), st.data())
def test_boundaries_keep_to_their_places(costs: NDArray[np.float64], data: st.DataObject) -> None:
    n = len(costs)
    k = data.draw(st.integers(1, n))
    places = st.tuples(st.integers(0, n - 1), st.integers(1, n)).map(sorted)
    bounds = [(low, high) for low, high in data.draw(st.lists(places, min_size=k, max_size=k))]
    bounds[-1] = (n - 1, n)
    allowed = [
        cut
        for cut in all_cuts(n, k)
        if all(
            low <= start - 1 < high
            for start, (low, high) in zip([*cut[1:], n], bounds, strict=True)
        )
    ]
    found = cut_into_k(costs, k, bounds)
    if not allowed or np.isinf(total(costs, best(costs, iter(allowed)))):
        assert found is None
    else:
        assert found == best(costs, iter(allowed))


def test_equal_cuts_have_the_longest_last_segments() -> None:
    assert cut_into_k(np.zeros((5, 5)), 3) == [0, 1, 2]
    assert cut_with_penalty(np.zeros((5, 5)), 0) == [0]
    assert cut_into_k(np.zeros((5, 3)), 2) == [0, 2]


def test_the_last_bits_do_not_decide() -> None:
    rng = np.random.default_rng(0)
    costs = rng.integers(0, 4, (30, 30)) / 10
    noisy = costs + rng.uniform(-1e-14, 1e-14, costs.shape)
    for k in (2, 7, 20):
        assert cut_into_k(noisy, k) == cut_into_k(costs, k)
    assert cut_with_penalty(noisy, 0.1) == cut_with_penalty(costs, 0.1)


@given(tables())
def test_many_segments_are_k_that_may_be(costs: NDArray[np.float64]) -> None:
    for k in range(1, len(costs) + 1):
        exact, found = cut_into_k(costs, k), cut_into_k_approximately(costs, k)
        if exact is not None and found is not None:
            assert len(found) == k
            assert total(costs, exact) - 1e-9 <= total(costs, found) < np.inf


@pytest.mark.parametrize("k", [20, 50, 100, 150, 199, 200])
def test_many_segments_are_about_the_best(k: int, make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(200, sources=30, seed=5)
    costs = LikelihoodCost(evidence).table(np.arange(201), 60, k)
    exact, found = cut_into_k(costs, k), cut_into_k_approximately(costs, k)
    assert exact is not None
    assert found is not None
    assert all(a < b for a, b in pairwise(found))
    assert total(costs, found) <= total(costs, exact) + 0.002 * abs(total(costs, exact))

"""Costs of a user's own, sums of costs, and parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.segments.costs import (
    SegmentCost,
    SumOfCosts,
    VectorCost,
    coarser,
    embed,
    embed_by_words,
    row_groups,
    segment_sums,
    windows,
)
from docbats.segments.sizes import SizeLimits

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Product(SegmentCost):
    """What nobody else would take it to cost."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor
        self.penalty = factor

    def cost(self, first: int, end: int) -> float:
        return self.factor * (1000 * first + end)


def test_a_table_holds_what_each_segment_costs() -> None:
    edges = np.array([0, 2, 5, 6, 9])
    for width, shape in ((1, (4, 1)), (3, (4, 3)), (9, (4, 4))):
        table = Product().table(edges, width)
        assert table.shape == shape
        for j in range(4):
            for length in range(shape[1]):
                if length <= j:
                    assert table[j, length] == 1000 * edges[j - length] + edges[j + 1]


def test_the_cost_of_a_part_counts_from_its_first_sentence() -> None:
    part = Product().between(3, 9)
    assert part.penalty == 1.0
    assert part.table(np.array([0, 2, 6]), 2)[1, 1] == 3009
    assert part.between(2, 4).table(np.array([0, 2]), 1)[0, 0] == 5007
    assert part.affordable_cells(1) == Product().affordable_cells(1) == 200_000
    assert part.start_gains(np.arange(3), 1) is None


def test_a_cost_must_say_what_segments_cost() -> None:
    class Nothing(SegmentCost):
        pass

    with pytest.raises(NotImplementedError, match="Nothing must define cost"):
        Nothing().table(np.arange(3), 2)


class Known(SegmentCost):
    def __init__(self, number: int) -> None:
        self.number = number
        self.kept: list[tuple[list[int], int]] = []
        self.start_log_odds = np.arange(4.0) * number
        self.may_start = np.array([True, False, True, bool(number)])
        self.section_starts = np.array([0, number])
        self.subsection_starts = np.array([0, 1, number])

    def table(
        self, edges: NDArray[np.int64], width: int, k: int | None = None
    ) -> NDArray[np.float64]:
        return np.full((len(edges) - 1, width), float(self.number * (k or 100)))

    def keep(self, edges: NDArray[np.int64], width: int) -> None:
        self.kept.append((edges.tolist(), width))

    def start_gains(self, units: NDArray[np.int64], block_size: int) -> NDArray[np.float64]:
        return np.full(len(units) - 1, float(self.number * block_size))

    def affordable_cells(self, block_size: int) -> int:
        return 10**6 * self.number * block_size


def test_several_costs_are_added_up() -> None:
    first, second = Known(3), Known(2)
    total = SumOfCosts([first, Product(), second])
    assert total.penalty is None
    assert SumOfCosts([Product(2.0), Product(0.5)]).penalty == 2.5
    edges = np.arange(5)
    product = Product().table(edges, 3)
    np.testing.assert_array_equal(total.table(edges, 3), 500 + product)
    np.testing.assert_array_equal(total.table(edges, 3, 7), 35 + product)
    assert total.start_log_odds is not None
    assert total.start_log_odds.tolist() == [0, 5, 10, 15]
    assert SumOfCosts([Product()]).start_log_odds is None
    assert total.may_start is second.may_start
    assert total.section_starts is second.section_starts
    assert total.subsection_starts is second.subsection_starts
    gains = total.start_gains(edges, 4)
    assert gains is not None
    assert gains.tolist() == [20] * 4
    assert SumOfCosts([Product()]).start_gains(edges, 4) is None
    assert total.affordable_cells(1) == 200_000
    assert SumOfCosts([first, second]).affordable_cells(5) == 10**7
    total.keep(edges, 2)
    assert first.kept == second.kept == [([0, 1, 2, 3, 4], 2)]
    part = SumOfCosts([Product(), Product(2.0)]).between(1, 4)
    assert part.penalty == 3.0
    assert part.table(np.arange(4), 1)[2, 0] == 3 * 3004


def test_sums_over_segments_by_hand() -> None:
    sizes = np.array([3, 1, 4, 1, 5])
    table = segment_sums(sizes, 3)
    for j in range(5):
        for length in range(min(3, j + 1)):
            assert table[j, length] == sizes[j - length : j + 1].sum()
    edges = np.array([0, 2, 3, 5])
    fine = segment_sums(sizes, 5)
    coarse = coarser(fine, edges, 3)
    for j in range(3):
        for length in range(j + 1):
            assert coarse[j, length] == sizes[edges[j - length] : edges[j + 1]].sum()
    assert windows(np.arange(5), 3).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]


@pytest.mark.parametrize(("shape", "layers"), [((10, 3), 1), ((200, 200), 1), ((300, 300), 7)])
def test_groups_of_rows_make_up_a_table(shape: tuple[int, int], layers: int) -> None:
    groups = list(row_groups(shape, layers))
    rows = [i for part, _ in groups for i in range(part.start, part.stop)]
    assert rows == list(range(shape[0]))
    for part, columns in groups:
        assert columns == slice(0, part.stop)
        n_rows = part.stop - part.start
        assert n_rows == 1 or n_rows * shape[1] * layers <= 16_384


def test_vectors_that_point_the_same_way_cost_least() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(300, 4)) + np.array([1, 0, 0, 0])
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    cost = VectorCost(vectors, 7.0)
    cosine = float((vectors[1:] * vectors[:-1]).sum(axis=1).mean())
    assert cost.penalty == pytest.approx(2.5 * 7 * (1 - cosine) / (2 * cosine**0.5))
    for edges, width in ((np.arange(301), 280), (np.array([0, 7, 150, 300]), 2)):
        table = cost.table(edges, width)
        for j in range(len(edges) - 1):
            for length in range(0, min(width, j + 1), 13 if width > 5 else 1):
                inside = vectors[edges[j - length] : edges[j + 1]]
                expected = -7 * np.linalg.norm(inside.sum(axis=0))
                assert table[j, length] == pytest.approx(expected)
    part = cost.between(20, 30)
    np.testing.assert_allclose(
        np.tril(part.table(np.arange(11), 10)),
        np.tril(VectorCost(vectors[20:30], 7.0).table(np.arange(11), 10)),
    )
    apart = np.array([[1.0, 0], [-1, 0], [1, 0]])
    assert VectorCost(apart, 1.0).penalty == pytest.approx(2.5 * 0.99 / 0.2)
    assert VectorCost(apart[:1], 1.0).penalty == 0


def test_vectors_of_texts_and_of_words() -> None:
    def lengths(texts: list[str]) -> list[list[int]]:
        return [[len(text), 4] for text in texts]

    assert embed(lengths, ["abc", ""]) == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))
    words = embed_by_words(lengths, ["abc", ""], np.array([0, 1, 1, 0]), np.array([0, 0, 2, 2]), 4)
    both = np.array([0.6, 1.8]) / np.hypot(0.6, 1.8)
    assert words == pytest.approx(np.array([both, [0, 0], both, [0, 0]]))


def test_limits_by_hand() -> None:
    limits = SizeLimits(np.array([3, 1, 4, 1, 5, 2]), 4, 6)
    assert limits.longest == 3
    assert limits.fewest == 4
    assert SizeLimits(np.array([3, 1, 4, 1, 5, 2])).fewest == 1
    assert SizeLimits(np.array([3, 1, 4, 1, 5, 2])).longest == 6
    table = limits.table(np.array([0, 1, 2, 4, 5, 6]), 3)
    inf, small = np.inf, 1e9
    assert table.tolist() == [
        [small, inf, inf],
        [small, 0, inf],
        [0, 0, inf],
        [0, inf, inf],
        [small, inf, inf],
    ]
    part = limits.between(2, 6)
    assert (part.sizes.tolist(), part.minimum, part.maximum) == ([4, 1, 5, 2], 4, 6)
    with pytest.raises(ValueError, match="at most 4 long, got 5"):
        SizeLimits(np.array([5]), 0, 4)
    SizeLimits(np.array([5]), 0, 5)

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.segments.costs import CutModel, LengthPrior, OpeningCost, segment_sums
from docbats.segments.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


def segments(edges: NDArray[np.int64], width: int) -> Iterator[tuple[int, int, int, int]]:
    """The place in the table, the first sentence and the end of each segment."""
    for j in range(len(edges) - 1):
        for length in range(min(width, j + 1)):
            yield j, length, int(edges[j - length]), int(edges[j + 1])


@pytest.mark.parametrize("case", range(8))
def test_lengths_and_first_words_are_expected_in_proportion_to_the_words(
    case: int, make_evidence: Callable[..., Evidence]
) -> None:
    m, k = 9 + case, 1 + case % 4
    evidence = make_evidence(m, seed=case)
    inner = np.random.default_rng(case).choice(np.arange(1, m), size=m // 3, replace=False)
    for edges in (np.arange(m + 1), np.concatenate([[0], np.sort(inner), [m]])):
        for width in (1, 4, m):
            lengths = LengthPrior(evidence, CutModel()).table(edges, width, k)
            opening = OpeningCost(evidence, CutModel())
            openings = opening.table(edges, width, k)
            scale = 5 * (evidence.n_tokens / k / 300) ** 0.7
            for j, length, first, end in segments(edges, width):
                ratio = np.log(evidence.sizes[first:end].sum() * k / evidence.sizes.sum())
                usual = 0.3 * ratio**2
                if first == 0:
                    short = 1.2 * (ratio - np.log(0.25)) ** 2
                elif end == m:
                    short = 0.6 * (ratio - np.log(0.4)) ** 2
                else:
                    short = usual
                expected = -np.log((np.exp(-usual) + np.exp(-short)) / 2)
                assert lengths[j, length] == pytest.approx(scale * expected)
                odds = 0 if first == 0 else opening.start_log_odds[first]
                assert openings[j, length] == pytest.approx(-scale * odds)


def test_nothing_is_expected_of_a_number_of_segments_that_is_not_known(
    make_evidence: Callable[..., Evidence],
) -> None:
    evidence = make_evidence(12, seed=1)
    for cost in (LengthPrior(evidence, CutModel()), OpeningCost(evidence, CutModel())):
        assert not cost.table(np.arange(13), 12).any()
        assert cost.penalty == 0


def test_expectations_without_words_are_finite() -> None:
    none, no = np.empty(0, np.int64), np.zeros(4, bool)
    evidence = Evidence(none, none, none, np.empty(0), np.ones(4, np.int64), no, no)
    assert not OpeningCost(evidence, CutModel()).start_log_odds.any()
    table = LengthPrior(evidence, CutModel()).table(np.arange(5), 4, 2)
    assert np.isfinite(table[np.tril_indices(4)]).all()


@pytest.mark.parametrize("kind", [LengthPrior, OpeningCost])
def test_those_of_a_part_are_those_of_its_own_words(
    kind: type[LengthPrior | OpeningCost], make_evidence: Callable[..., Evidence]
) -> None:
    evidence = make_evidence(30, seed=4)
    inside = kind(evidence, CutModel()).between(5, 20).table(np.arange(16), 15, 3)
    alone = kind(evidence.between(5, 20), CutModel()).table(np.arange(16), 15, 3)
    np.testing.assert_array_equal(inside, alone)


def test_sizes_add_up() -> None:
    table = segment_sums(np.array([1.0, 2, 4]), 3)
    assert table[np.tril_indices(3)].tolist() == [1, 2, 3, 4, 6, 7]

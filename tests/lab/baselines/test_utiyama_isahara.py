from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.baselines.least_cost import (
    UTIYAMA_ISAHARA,
    UTIYAMA_ISAHARA_K,
    count_segments,
    cut_into_k,
    cut_with_penalty,
    encoding_costs,
)
from docbats_lab.documents import read_segmented
from docbats_lab.methods import prepare
from docbats_lab.metrics.segmentation import score_segmentation

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.methods import Segmenter

WITH_K, FREE = UTIYAMA_ISAHARA_K, UTIYAMA_ISAHARA
TEXTS = st.lists(st.lists(st.integers(0, 4), max_size=5), min_size=1, max_size=7)


def numbers(text: list[list[int]]) -> list[NDArray[np.int64]]:
    return [np.array(sentence, np.int64) for sentence in text]


def total(costs: NDArray[np.float64], starts: tuple[int, ...] | list[int]) -> float:
    return sum(float(costs[i, j]) for i, j in pairwise([*starts, len(costs) - 1]))


@given(TEXTS)
def test_sums_over_words_are_those_of_counted_segments(text: list[list[int]]) -> None:
    counts = count_segments(numbers(text))
    f = np.sqrt(np.arange(counts.sizes.max() + 1.0)) * 3
    sums = counts.sum_over_words(f)
    for i, j in combinations(range(len(text) + 1), 2):
        words = np.bincount([w for s in text[i:j] for w in s], minlength=1)
        assert counts.sizes[i, j] == words.sum()
        assert sums[i, j] == pytest.approx(f[words].sum())


def test_costs_of_a_case_worked_by_hand() -> None:
    # "a a" and "b": V = 2, N = 3. The first sentence costs 2 log(4/3), the second log(3/2), both
    # together 2 log(5/3) + log(5/2); log 3 is added to each segment.
    costs = encoding_costs(numbers([[0, 0], [1]]), 2)
    assert costs[0, 1] == pytest.approx(2 * np.log(4 / 3) + np.log(3))
    assert costs[1, 2] == pytest.approx(np.log(3 / 2) + np.log(3))
    assert costs[0, 2] == pytest.approx(2 * np.log(5 / 3) + np.log(5 / 2) + np.log(3))


@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 99))
def test_cuts_are_the_best_of_all(m: int, k: int, seed: int) -> None:
    costs = np.random.default_rng(seed).random((m + 1, m + 1)) - 0.3
    ways = [
        [(0, *rest) for rest in combinations(range(1, m), size - 1)] for size in range(1, m + 1)
    ]
    k = min(k, m)
    starts = cut_into_k(costs, k)
    assert len(starts) == k
    assert total(costs, starts) == pytest.approx(min(total(costs, w) for w in ways[k - 1]))
    free = cut_with_penalty(costs)
    assert total(costs, free) == pytest.approx(min(total(costs, w) for some in ways for w in some))


def test_finds_the_change_of_subject() -> None:
    text = ["The horse ate hay. Hay for the horse."] * 8 + ["The parliament voted on a law."] * 8
    assert WITH_K.cut(prepare(text), 2, 0) == [0, 8]
    assert FREE.cut(prepare(text), 0, 0) == [0, 8]


def test_many_equal_sentences_are_one_segment() -> None:
    assert FREE.cut(prepare(["Horses eat hay."] * 20), 0, 0) == [0]


@pytest.mark.data
@pytest.mark.parametrize(("method", "pk", "wd"), [(WITH_K, 0.088, 0.095), (FREE, 0.096, 0.102)])
def test_agrees_with_the_authors_program(
    data: Path, method: Segmenter, pk: float, wd: float
) -> None:
    scores = []
    for path in sorted(data.glob("choi/*/*/*.ref")):
        document = read_segmented(path)
        starts = method.cut(prepare(document.sentences), len(document.segments), 0)
        scores.append(score_segmentation(document, starts))
    assert np.mean([score["pk"] for score in scores]) == pytest.approx(pk, abs=0.01)
    assert np.mean([score["wd"] for score in scores]) == pytest.approx(wd, abs=0.01)

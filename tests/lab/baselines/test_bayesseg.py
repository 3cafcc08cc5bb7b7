from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.special import gammaln

from docbats_lab.baselines.least_cost import BAYES_SEG, count_segments, fit_prior, segment_costs
from docbats_lab.documents import read_segmented
from docbats_lab.methods import prepare
from docbats_lab.metrics.segmentation import score_segmentation

if TYPE_CHECKING:
    from pathlib import Path


def test_costs_of_a_case_worked_by_hand() -> None:
    # Prior 1/2 and two words: an urn of half a ball each. "a a" has 1/2 x 3/4, "b" has 1/2, and
    # "a a b" has 1/2 x 3/4 x 1/6.
    counts = count_segments([np.array([0, 0]), np.array([1])])
    costs = segment_costs(counts, 2, 0.5)
    assert np.exp(-costs[0, 1]) == pytest.approx(1 / 2 * 3 / 4)
    assert np.exp(-costs[1, 2]) == pytest.approx(1 / 2)
    assert np.exp(-costs[0, 2]) == pytest.approx(1 / 2 * 3 / 4 * 1 / 6)


def test_costs_are_those_of_the_formula() -> None:
    draw = np.random.default_rng(0)
    text = [draw.integers(0, 6, draw.integers(0, 9)) for _ in range(12)]
    costs = segment_costs(count_segments(text), 6, 0.3)
    for i in range(12):
        for j in range(i + 1, 13):
            n = np.bincount(np.concatenate(text[i:j]), minlength=6)
            likelihood = gammaln(1.8) - gammaln(n.sum() + 1.8)
            likelihood += (gammaln(n + 0.3) - gammaln(0.3)).sum()
            assert costs[i, j] == pytest.approx(-likelihood)


def test_the_fitted_prior_is_the_best_of_a_grid() -> None:
    segments = np.random.default_rng(0).poisson(0.7, (4, 50))

    def likelihood(a: float) -> float:
        value = gammaln(50 * a) - gammaln(segments.sum(axis=1) + 50 * a)
        return float(value.sum() + (gammaln(segments + a) - gammaln(a)).sum())

    grid = np.exp(np.linspace(np.log(1e-3), np.log(1e2), 2000))
    best = max(grid, key=likelihood)
    assert fit_prior(segments, 0.2) == pytest.approx(best, rel=0.02)


def test_a_text_without_repetitions_keeps_the_prior_in_bounds() -> None:
    assert fit_prior(np.ones((1, 20), np.int64), 0.2) == pytest.approx(100)
    assert fit_prior(np.zeros((2, 0), np.int64), 0.2) == pytest.approx(0.2)


def test_finds_the_change_of_subject() -> None:
    text = ["The horse ate hay."] * 5 + ["The parliament voted."] * 3 + ["Rain fell on rain."] * 4
    assert BAYES_SEG.cut(prepare(text), 3, 0) == [0, 5, 8]


@pytest.mark.data
def test_agrees_with_the_authors_program(data: Path) -> None:
    scores = []
    for path in sorted(data.glob("choi/*/*/*.ref")):
        document = read_segmented(path)
        starts = BAYES_SEG.cut(prepare(document.sentences), len(document.segments), 0)
        scores.append(score_segmentation(document, starts))
    assert np.mean([score["pk"] for score in scores]) == pytest.approx(0.086, abs=0.01)
    assert np.mean([score["wd"] for score in scores]) == pytest.approx(0.094, abs=0.01)

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from docbats_lab.baselines.lda import LDA_MDP, segment_costs
from docbats_lab.methods import prepare


def test_costs_of_a_case_worked_by_hand() -> None:
    # Topics that each own a word: the best shares are the frequencies of the words, so a segment
    # of n words costs n times their entropy.
    counts = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    costs = segment_costs(counts, np.array([[1 - 1e-9, 1e-9], [1e-9, 1 - 1e-9]]))
    assert costs[0, 1] == pytest.approx(0, abs=1e-6)
    assert costs[0, 2] == pytest.approx(-2 * np.log(2 / 3) - np.log(1 / 3))
    assert costs[0, 3] == pytest.approx(costs[0, 2])
    assert costs[2, 3] == 0


def test_shares_are_the_best_there_are() -> None:
    draw = np.random.default_rng(0)
    counts = draw.poisson(0.5, (6, 8)).astype(float)
    topics = draw.dirichlet(np.full(8, 0.3), 2) + 1e-6
    costs = segment_costs(counts, topics, steps=2000)
    for i in range(6):
        for j in range(i + 1, 7):
            here = counts[i:j].sum(axis=0)
            best = minimize_scalar(
                lambda x, here=here: -(here * np.log(x * topics[0] + (1 - x) * topics[1])).sum(),
                bounds=(0, 1),
                method="bounded",
                options={"xatol": 1e-9},
            )
            assert costs[i, j] == pytest.approx(best.fun, abs=1e-3)


def test_finds_the_change_of_subject() -> None:
    text = ["The horse ate hay."] * 8 + ["The parliament voted."] * 6 + ["Rain fell on roofs."] * 7
    assert LDA_MDP.cut(prepare(text), 3, 0) == [0, 8, 14]

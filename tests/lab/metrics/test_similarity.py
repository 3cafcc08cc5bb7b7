from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.metrics.topics import (
    composite_pmi,
    composite_umass,
    dice,
    jaccard,
    mean_similarity,
    similarities,
)

topics_of_words = st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=5)


def test_worked_by_hand() -> None:
    topics = [["bat", "moth", "owl"], ["bat", "tea", "cup"], ["bat", "moth", "cat"]]
    assert jaccard(topics[0], topics[1]) == 1 / 5
    assert dice(topics[0], topics[1]) == 2 / 6
    sim = similarities(topics, jaccard)
    assert sim.tolist() == [[0, 1 / 5, 2 / 4], [1 / 5, 0, 1 / 5], [2 / 4, 1 / 5, 0]]
    assert mean_similarity(sim) == pytest.approx((1 / 5 + 2 / 4 + 1 / 5) / 3)
    assert similarities(topics, dice, top=1).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_composites_worked_by_hand() -> None:
    sim = np.array([[0, 0.5], [0.5, 0]])
    # Halved sums of pairs: 1, 0.25, 0.25, -0.5; a positive one shrinks by half.
    assert composite_pmi([1, -0.5], sim) == pytest.approx((1 + 0.125 + 0.125 - 0.5) / 4)
    # -1, -2, -2, -3: a negative one grows by half.
    assert composite_pmi([-1, -3], sim) == pytest.approx((-1 - 3 - 3 - 3) / 4)
    assert composite_umass([-1, -3], sim) == composite_pmi([-1, -3], sim)


@given(topics_of_words)
def test_composites_as_the_equations_are_printed(topics: list[list[str]]) -> None:
    k = len(topics)
    scores = [((7 * i) % 5) - 2.5 for i in range(k)]
    for measure in (jaccard, dice):
        sim = similarities(topics, measure)
        pmi_sum = umass_sum = 0.0
        for i in range(k):
            for j in range(k):
                same = 0 if i == j else measure(topics[i], topics[j])
                both = scores[i] + scores[j]
                pmi_sum += both * (1 - (1 if both >= 0 else -1) * same) / 2
                umass_sum += both * (1 + same) / 2
        if k:
            assert composite_pmi(scores, sim) == pytest.approx(pmi_sum / k**2)
            assert composite_umass(scores, sim) == pytest.approx(umass_sum / k**2)
            assert composite_pmi(scores, sim) <= np.mean(scores) + 1e-12


@given(st.lists(st.floats(-20, 5), min_size=1, max_size=6))
def test_topics_that_share_no_word_are_not_punished(scores: list[float]) -> None:
    sim = similarities([[str(i)] for i in range(len(scores))], dice)
    assert composite_pmi(scores, sim) == pytest.approx(np.mean(scores), abs=1e-9)
    assert composite_umass(scores, sim) == pytest.approx(np.mean(scores), abs=1e-9)


def test_odd_topics() -> None:
    assert jaccard([], []) == dice([], []) == 0
    assert mean_similarity(similarities([["bat"]], dice)) == 0
    assert mean_similarity(similarities([], dice)) == 0
    assert math.isnan(composite_pmi([], similarities([], dice)))
    assert math.isnan(composite_umass([math.nan], similarities([["bat"]], dice)))
    sim = similarities([["bat"], ["bat", "owl"], ["tea", "cup"]], dice)
    assert composite_pmi([math.nan, 1, 2], sim) == 1.5

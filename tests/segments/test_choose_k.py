from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.segments.choose_k import Choice
from docbats.segments.choose_k import choose_k as choose_by_cost
from docbats.segments.dirichlet import LikelihoodCost
from docbats.segments.evidence import Evidence
from docbats.segments.search import cut_into_k


def text_of(
    parts: int, sentences: int, *, words: int = 4, own: float = 1.0, seed: int = 0
) -> Evidence:
    """Draw words for each sentence, from those of its part or from those of all parts."""
    rng = np.random.default_rng(seed)
    m = parts * sentences
    sentence = np.repeat(np.arange(m), words)
    is_own = rng.random(len(sentence)) < own
    root = rng.integers(0, 8, len(sentence)) + 8 * np.where(is_own, 1 + sentence // sentences, 0)
    cell, count = np.unique(root * m + sentence, return_counts=True)
    _, root = np.unique(cell // m, return_inverse=True)
    weight = np.ones(int(root.max()) + 1)
    return Evidence(
        root, cell % m, count, weight, np.full(m, 2 * words), np.zeros(m, bool), np.zeros(m, bool)
    )


def choose_k(evidence: Evidence) -> Choice:
    return choose_by_cost(LikelihoodCost(evidence), len(evidence))


@pytest.mark.parametrize(("parts", "sentences"), [(2, 12), (3, 20), (5, 15), (8, 30), (12, 60)])
def test_finds_how_many_parts_there_are(parts: int, sentences: int) -> None:
    choice = choose_k(text_of(parts, sentences))
    assert choice.k == parts
    assert choice.has_plain_breaks


@pytest.mark.parametrize("m", [30, 100, 400])
def test_a_text_on_one_subject_stays_in_one_piece(m: int) -> None:
    choice = choose_k(text_of(1, m))
    assert choice.k == 1


def test_one_sentence_is_too_short_to_be_cut() -> None:
    none = np.empty(0, np.int64)
    evidence = Evidence(
        none, none, none, np.empty(0), np.ones(1, np.int64), np.zeros(1, bool), np.zeros(1, bool)
    )
    choice = choose_k(evidence)
    assert choice == Choice(1, None, (0.0,), choice.penalty, (0.0,), confidence=1.0)


def test_without_shared_words_there_is_one_segment() -> None:
    none = np.empty(0, np.int64)
    evidence = Evidence(
        none, none, none, np.empty(0), np.ones(9, np.int64), np.zeros(9, bool), np.zeros(9, bool)
    )
    choice = choose_k(evidence)
    assert choice.k == 1
    assert choice.gains == pytest.approx([0] * len(choice.gains))


@pytest.mark.parametrize("own", [1.0, 0.6])
def test_gains_are_those_of_the_best_cuts(own: float) -> None:
    evidence = text_of(3, 10, own=own)
    cost = LikelihoodCost(evidence)
    choice = choose_k(evidence)
    costs = cost.table(np.arange(31), 30)
    if not choice.has_plain_breaks:  # how sentences look counts as well
        for end in range(30):
            for length in range(end):
                costs[end, length] -= cost.k_model.openings[end - length]
    for k, gain in enumerate(choice.gains, 1):
        starts = cut_into_k(costs, k)
        assert starts is not None
        ends = np.array([*starts[1:], 30]) - 1
        total = costs[ends, ends - starts].sum()
        assert gain == pytest.approx(costs[29, 29] - total, abs=1e-5)


@pytest.mark.parametrize("own", [1.0, 0.5])
def test_coarse_has_no_more_parts_and_fine_no_fewer(own: float) -> None:
    cost = LikelihoodCost(text_of(8, 30, own=own))
    numbers = [choose_by_cost(cost, 240, how).k for how in ("coarse", "medium", "fine")]
    assert numbers == sorted(numbers)


@given(st.integers(1, 6), st.integers(1, 12), st.floats(0, 1), st.integers(0, 1000))
def test_k_has_the_largest_score(parts: int, sentences: int, own: float, seed: int) -> None:
    evidence = text_of(parts, sentences, own=own, seed=seed)
    choice = choose_k(evidence)
    m = parts * sentences
    assert 1 <= choice.k <= m
    assert choice.gains[0] == 0
    scores = np.array(choice.scores)
    assert scores[choice.k - 1] == pytest.approx(scores.max(), abs=1e-5)
    assert choice.confidence is not None
    assert 0 < choice.confidence <= 1
    if choice.runner_up is None:
        assert len(scores) == 1
    else:
        others = np.delete(scores, choice.k - 1)
        assert scores[choice.runner_up - 1] == pytest.approx(others.max())
        assert choice.runner_up != choice.k
    assert choose_k(text_of(parts, sentences, own=own, seed=seed)) == choice

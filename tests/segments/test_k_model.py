"""What is expected of the number of segments, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.segments.choose_k import KModel, KScores, PlainRule, margin_of_short
from docbats.segments.costs import PartsRule

RULE = PartsRule(gain=20.0, boundary=3.0, spread=2.0)
PLAIN = PlainRule(gain=300.0, vocabulary=13.0, length=4.0, threshold=7.0, penalty=0.2)


def model(n_tokens: float, n_roots: int = 100, **others: object) -> KModel:
    return KModel(
        n_tokens,
        n_roots,
        np.zeros(1),
        **{"parts": RULE, "plain": PLAIN, "temperature": float, **others},  # type: ignore[arg-type]
    )


def test_gains_count_in_units_of_a_power_of_the_number_of_words() -> None:
    assert model(1000).unit == pytest.approx(1000**0.8 / 20)
    assert model(1000, scale=3.0).unit == pytest.approx(3 * 1000**0.8 / 20)
    assert model(0).unit == pytest.approx(1 / 20)


def test_log_odds_by_hand() -> None:
    gains = np.array([0.0, 40.0, 60.0, 70.0, 80.0, 85.0])
    unit = 1000**0.8 / 20
    expected = [
        gain / unit - 3 * (k - 1) - 2 * log(k / 5) ** 2 for k, gain in enumerate(gains, start=1)
    ]
    np.testing.assert_allclose(model(1000).log_odds(gains, 1.0), expected)


def test_another_factor_moves_the_usual_number_and_the_price_of_a_boundary() -> None:
    gains = np.array([0.0, 40.0, 60.0])
    unit = 1000**0.8 / 20
    expected = [
        gain / unit - 6 * (k - 1) - 2 * log(k / 2.5) ** 2 for k, gain in enumerate(gains, start=1)
    ]
    np.testing.assert_allclose(model(1000).log_odds(gains, 0.5), expected)


@given(st.lists(st.floats(0, 1e4), max_size=40), st.floats(1, 1e6))
def test_the_finer_the_more_parts_do_best(gains: list[float], n_tokens: float) -> None:
    found = model(n_tokens)
    odds = [found.log_odds(np.array([0.0, *gains]), factor) for factor in (0.5, 1.0, 2.0)]
    best = [int(np.argmax(of_factor.round(9))) for of_factor in odds]
    assert best == sorted(best)


def test_breaks_are_plain_by_hand() -> None:
    savings = np.array([0.01, 0.03])
    sign = 300 * 0.02 + 13 * log(400 / 1000) + 4 * log(1000 / 3)
    rule = replace(PLAIN, threshold=sign - 1e-9)
    assert model(1000, 400, plain=rule).is_plain(savings)
    rule = replace(PLAIN, threshold=sign + 1e-9)
    assert not model(1000, 400, plain=rule).is_plain(savings)


def test_what_vectors_add_is_taken_out_of_savings() -> None:
    savings = np.array([0.05])
    sign = 300 * 0.05 / 4 + 13 * log(400 / 1000) + 4 * log(1000 / 2)
    for aside, is_plain in ((-1e-9, True), (1e-9, False)):
        rule = replace(PLAIN, threshold=sign + aside)
        assert model(1000, 400, plain=rule, scale=4.0).is_plain(savings) is is_plain


def test_without_boundaries_or_words_nothing_is_plain() -> None:
    assert not model(1000, 400, plain=replace(PLAIN, threshold=-1e9)).is_plain(np.empty(0))
    assert not model(0, 0, plain=replace(PLAIN, threshold=-1e9)).is_plain(np.array([0.5]))


@given(st.lists(st.floats(0, 0.5), min_size=1, max_size=20), st.floats(0, 0.5))
def test_breaks_that_save_more_stay_plain(savings: list[float], more: float) -> None:
    found = model(800, 300)
    if found.is_plain(np.array(savings)):
        assert found.is_plain(np.array(savings) + more)


def test_what_a_boundary_must_gain_where_breaks_are_plain() -> None:
    assert model(900).plain_penalty == pytest.approx(0.2 * sqrt(900))
    assert model(900, scale=2.0).plain_penalty == pytest.approx(0.4 * sqrt(900))
    assert model(0).plain_penalty == pytest.approx(0.2)


def test_a_book_has_more_parts_and_cheaper_boundaries() -> None:
    rule = replace(RULE, book=1000, growth=0.5, most=3.0)
    gains = np.array([0.0, 40.0, 60.0])
    for n_tokens, factor in ((1000, 1.0), (4000, 2.0), (1_000_000, 3.0)):
        found = model(n_tokens, parts=rule)
        assert found.is_book is (n_tokens > 1000)
        expected = [
            gain / found.unit - 3 / factor * (k - 1) - 2 * log(k / (5 * factor)) ** 2
            for k, gain in enumerate(gains, start=1)
        ]
        np.testing.assert_allclose(found.log_odds(gains, 1.0), expected)


def test_what_is_expected_takes_the_place_of_the_usual_number() -> None:
    rule = replace(RULE, boundary=0.0, usual_share=0.5)
    found = model(1_000_000, parts=rule, expected=12.0)  # not more parts because it is a book
    odds = found.log_odds(np.zeros(20), 1.0)
    assert int(np.argmax(odds)) + 1 == 6
    np.testing.assert_allclose(odds[11], -2 * log(12 / 6) ** 2)
    assert int(np.argmax(found.log_odds(np.zeros(20), 2.0))) + 1 == 12


@pytest.mark.parametrize(
    ("n", "factor", "most"), [(5, 1.0, 2), (25, 1.0, 2), (25, 2.0, 4), (25, 0.5, 1), (35, 1.0, 7)]
)
def test_a_short_text_has_few_parts_if_cues_are_known(n: int, factor: float, most: int) -> None:
    known = replace(model(500, expected=4.0), openings=np.zeros(n))
    assert known.most_parts(factor) == most
    assert replace(known, expected=None).most_parts(factor) is None


def test_a_text_stays_whole_only_if_few_parts_are_expected() -> None:
    assert model(500).may_stay_whole
    assert model(500, expected=2.9).may_stay_whole
    assert not model(500, expected=3.1).may_stay_whole
    assert not model(500, parts=replace(RULE, book=400)).may_stay_whole


def test_the_fewer_sentences_the_more_must_speak_for_joined_texts() -> None:
    assert [margin_of_short(n) for n in (1, 25, 40, 1000)] == [5, 5, 0, 0]
    assert 0 < margin_of_short(35) < margin_of_short(30) < 5
    savings = np.array([0.01, 0.03])
    sign = 300 * 0.02 + 13 * log(400 / 1000) + 4 * log(1000 / 3)
    rule = replace(PLAIN, threshold=sign - 1)
    assert model(1000, 400, plain=rule, margin=0.5).is_plain(savings)
    assert not model(1000, 400, plain=rule, margin=1.5).is_plain(savings)


def test_the_penalty_is_between_the_last_gain_and_the_next() -> None:
    scores = KScores(np.zeros(4), np.array([0.0, 1, 3, 2]), 9.0, by_words=np.array([0, 8, 12, 14]))
    choice = scores.choice()
    assert (choice.k, choice.penalty) == (3, 3.0)
    assert scores.choice(most=1).penalty == 9.0

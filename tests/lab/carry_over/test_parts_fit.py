"""The number of parts, fitted to how well each number does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from docbats.segments.choose_k import KModel
from docbats.segments.costs import PARTS, PartsRule
from docbats_lab.carry_over.fits import (
    KExample,
    expected_loss,
    fit_gain,
    fit_parts,
    loss_of,
    losses_by_gain,
)
from docbats_lab.carry_over.trials import NUMBERS, Score, Weighed


def examples(rng: np.random.Generator, n: int) -> list[KExample]:
    return [
        KExample(rng.normal(size=(6, 3)), rng.normal(size=6), rng.random(6), float(rng.random()))
        for _ in range(n)
    ]


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(0)
    found = examples(rng, 5)
    for _ in range(5):
        parameters = rng.normal(size=3)
        _, gradient = expected_loss(parameters, found)
        differences = approx_fprime(parameters, lambda p: expected_loss(p, found)[0], 1e-7)
        assert gradient == pytest.approx(differences, abs=1e-5)


def test_the_loss_is_the_mean_of_what_is_drawn() -> None:
    even = KExample(np.zeros((4, 3)), np.zeros(4), np.array([0.0, 0.2, 0.4, 0.6]), 2.0)
    loss, gradient = expected_loss(np.zeros(3), [even])
    assert loss == pytest.approx(0.6)
    assert not gradient.any()


def test_errors_count_three_times_as_much_as_boundaries() -> None:
    assert loss_of(Score(pk=0.2, wd=0.4, f1=0.6, k_error=3)) == pytest.approx(0.325)


def planted(rule: PartsRule, rng: np.random.Generator, source: str) -> Weighed:
    """Return a document whose best number of segments is the one that a rule would choose."""
    n_tokens = float(rng.integers(300, 8000))
    shape = rng.uniform(0.4, 0.8)
    k = np.array(NUMBERS)
    gains = rng.uniform(0.2, 1.5) * n_tokens**0.8 * (k - 1) ** shape / 5
    model = KModel(n_tokens, 100, np.zeros(1), rule, lambda _: 1.0)
    by_k = np.interp(np.arange(1, 41), k, gains)
    best = int(np.argmax(model.log_odds(by_k, 1.0)[k - 1]))
    errors = 0.1 + 0.3 * np.minimum(1, np.abs(np.log(k / k[best])))
    return Weighed(
        source=source,
        is_open=True,
        n_tokens=n_tokens,
        n_roots=100,
        plain_k=1,
        saving=0.0,
        gains=dict(zip(NUMBERS, gains.tolist(), strict=True)),
        scores={
            number: Score(error, error, 1 - error, 0)
            for number, error in zip(NUMBERS, errors.tolist(), strict=True)
        },
    )


def chosen(rule: PartsRule, document: Weighed) -> int:
    model = KModel(document.n_tokens, 100, np.zeros(1), rule, lambda _: 1.0)
    numbers = list(document.gains)
    by_k = np.interp(np.arange(1, 41), numbers, list(document.gains.values()))
    return numbers[int(np.argmax(model.log_odds(by_k, 1.0)[np.array(numbers) - 1]))]


def test_a_planted_rule_is_found_again() -> None:
    rng = np.random.default_rng(1)
    rule = replace(PARTS, gain=20.0, boundary=2.0, spread=3.0)
    documents = [planted(rule, rng, source) for source in "abcd" for _ in range(60)]
    fitted = fit_parts(documents)
    off = [abs(chosen(fitted, d) - chosen(rule, d)) for d in documents]
    assert np.mean(off) < 0.35
    assert fitted.gain / fitted.boundary == pytest.approx(rule.gain / rule.boundary, rel=0.2)


def test_a_planted_gain_is_found_again() -> None:
    rng = np.random.default_rng(2)
    rule = replace(PARTS, gain=12.0, boundary=2.0, spread=3.0)
    documents = [planted(rule, rng, source) for source in "abcd" for _ in range(60)]
    fitted = replace(rule, gain=fit_gain(documents, rule))
    off = [abs(chosen(fitted, d) - chosen(rule, d)) for d in documents]
    assert np.mean(off) < 0.35
    assert fitted.gain == pytest.approx(rule.gain, rel=0.25)


def test_a_planted_gain_loses_least() -> None:
    rng = np.random.default_rng(3)
    rule = replace(PARTS, gain=60.0, boundary=9.0, spread=12.0)
    documents = [planted(rule, rng, source) for source in "abcd" for _ in range(60)]
    losses = losses_by_gain(documents, replace(rule, gain=0.0))
    assert min(losses, key=lambda gain: losses[gain]) == rule.gain
    assert losses[60.0] == pytest.approx(0.75 * 0.1 + 0.25 * 0.1)
    assert losses[20.0] > losses[40.0] > losses[60.0] < losses[80.0] < losses[150.0]

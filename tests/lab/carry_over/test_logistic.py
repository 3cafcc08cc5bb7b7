"""Regressions in which every source counts the same, and what is fitted by them."""

from __future__ import annotations

import numpy as np
import pytest

from docbats.segments.choose_k import KModel, PlainRule, StrengthRule
from docbats.segments.costs import PARTS
from docbats_lab.carry_over.fits import (
    Boundaries,
    fit_logistic,
    fit_openings,
    fit_plain,
    fit_strength,
    is_plain,
    source_weights,
    strength_facts,
)
from docbats_lab.carry_over.trials import Judged, Score, Weighed, prepare_list
from docbats_lab.documents import SegmentedDocument

SCORE = Score(0.1, 0.1, 0.9, 0)


def test_each_source_counts_the_same() -> None:
    weights = source_weights(["a", "a", "a", "b"])
    assert weights[:3].sum() == weights[3] == 1


def test_planted_log_odds_are_found_again() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2))
    odds = X @ [1.5, -0.5] - 0.3
    y = rng.random(4000) < 1 / (1 + np.exp(-odds))
    fit = fit_logistic(X, y, np.full(4000, 0.01), 100.0)
    assert fit.weights == pytest.approx([1.5, -0.5], abs=0.15)
    assert fit.constant == pytest.approx(-0.3, abs=0.15)


def test_too_few_documents_teach_nothing() -> None:
    fit = fit_logistic(np.ones((3, 2)), np.zeros(3, bool), np.ones(3), 1.0)
    assert not fit.weights.any()


def text(rng: np.random.Generator, name: str) -> SegmentedDocument:
    """Write four segments with words of their own; a segment never begins with "it"."""
    segments = []
    for i in range(4):
        words = [f"{stem}{chr(97 + i)}" for stem in ("bark", "tide", "lamp", "coin", "fern")]
        sentences = []
        for j in range(6):
            first, second, third = rng.permutation(words)[:3]
            opening = f"The {first}" if j == 0 or rng.random() < 0.3 else "It"
            sentences.append(f"{opening} saw a {second} and one {third} there.")
        segments.append(tuple(sentences))
    return SegmentedDocument(name, tuple(segments))


def test_openings_are_unlike_what_came_before_and_do_not_go_on() -> None:
    rng = np.random.default_rng(0)
    trials = [prepare_list((source, text(rng, source))) for source in "abcdefgh"]
    goes_on, *likeness = fit_openings(trials)
    assert goes_on < -0.5
    assert likeness[0] < 0
    assert sum(likeness) < -1


def weighed(rng: np.random.Generator, source: str, rule: PlainRule) -> Weighed:
    """Return a document that is artificial by a rule, if its source is."""
    while True:
        document = Weighed(
            source=source,
            is_open=True,
            n_tokens=float(rng.integers(300, 6000)),
            n_roots=int(rng.integers(60, 300)),
            plain_k=int(rng.integers(2, 12)),
            saving=float(rng.uniform(0, 0.06)),
            gains={},
            scores={},
        )
        if is_plain(document, rule) == (source in ("choi", "news")):
            return document


def test_a_planted_rule_of_plain_breaks_is_found_again() -> None:
    rng = np.random.default_rng(0)
    rule = PlainRule(gain=300.0, vocabulary=4.0, length=2.0, threshold=10.0)
    sources = ["choi", "news", "wiki", "icsi", "lectures"] * 80
    documents = [weighed(rng, source, rule) for source in sources]
    fitted = fit_plain(documents)
    agreed = [is_plain(document, fitted) == is_plain(document, rule) for document in documents]
    assert np.mean(agreed) > 0.94
    assert fitted.gain / fitted.vocabulary == pytest.approx(75, rel=0.5)
    assert (fitted.penalty, fitted.share) == (rule.penalty, rule.share)


def test_documents_are_plain_as_the_choice_of_k_has_it() -> None:
    rng = np.random.default_rng(0)
    rule = PlainRule()
    found = set()
    for _ in range(50):
        document = weighed(rng, str(rng.choice(["choi", "wiki"])), rule)
        model = KModel(
            document.n_tokens, document.n_roots, np.zeros(1), PARTS, lambda _: 1.0, plain=rule
        )
        savings = np.full(document.plain_k - 1, document.saving)
        found.add(model.is_plain(savings))
        assert is_plain(document, rule) == model.is_plain(savings)
    assert found == {True, False}


def judged(rng: np.random.Generator, source: str, rule: StrengthRule) -> Judged:
    evidence = rng.normal(size=(10, 2)) * [2, 1]
    odds = evidence @ [rule.place, rule.saving] + rule.constant
    is_right = rng.random(10) < 1 / (1 + np.exp(-odds))
    return Judged(source, SCORE, {}, SCORE, SCORE, False, evidence, is_right)


def test_a_planted_rule_of_strengths_is_found_again_and_is_reliable() -> None:
    rng = np.random.default_rng(0)
    rule = StrengthRule(0.5, 1.0, -0.5)
    kinds = [[judged(rng, source, rule) for source in "abc" for _ in range(150)] for _ in range(2)]
    boundaries = Boundaries.of(kinds)
    assert boundaries.weight.sum() == pytest.approx(6)
    fitted = fit_strength(boundaries)
    assert fitted.place == pytest.approx(rule.place, abs=0.1)
    assert fitted.saving == pytest.approx(rule.saving, abs=0.15)
    assert fitted.constant == pytest.approx(rule.constant, abs=0.1)
    facts = strength_facts(boundaries, dict.fromkeys("abc", fitted))
    assert facts["auc"] > 0.7
    assert len(facts["tenths"]) == 10
    assert sum(row["boundaries"] for row in facts["tenths"]) == facts["boundaries"] == 9000
    for row in facts["tenths"]:
        assert row["right"] == pytest.approx(row["predicted"], abs=0.06)

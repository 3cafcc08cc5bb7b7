from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats_lab.score_summary import ScoreDifference, paired_difference, summarize_score

if TYPE_CHECKING:
    from docbats_lab.results import Row

ROWS: dict[str, Row] = {
    "a": {"pk": 0.1}, "b": {"pk": 0.3}, "c": {"error": "ValueError: no"}, "d": {"pk": None},
}  # fmt: skip


def test_failed_documents_are_not_scored() -> None:
    summary = summarize_score(ROWS, "pk")
    assert summary is not None
    assert summary.documents == 2
    assert summary.mean == pytest.approx(0.2)
    assert summary.deviation == pytest.approx(0.1)
    assert summarize_score(ROWS, "wd") is None


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = 0
    for trial in range(100):
        rng = np.random.default_rng(trial)
        noise = rng.normal(size=60)
        first = {str(i): {"pk": 1 + x + rng.normal()} for i, x in enumerate(noise)}
        second = {str(i): {"pk": x} for i, x in enumerate(noise)}
        difference = paired_difference(first, second, "pk")
        assert difference is not None
        covered += difference.low <= 1 <= difference.high
    assert 88 <= covered <= 99


def test_the_sign_is_that_of_both_bounds() -> None:
    assert ScoreDifference(0.2, 0.1, 0.3, 9).sign == 1
    assert ScoreDifference(-0.2, -0.3, -0.1, 9).sign == -1
    assert ScoreDifference(0.1, -0.1, 0.3, 9).sign == 0
    assert ScoreDifference(0.1, 1e-17, 0.3, 9).sign == 0  # the last bits of a sum


def test_only_documents_of_both_are_compared() -> None:
    difference = paired_difference(ROWS, {"a": {"pk": 0.3}, "c": {"pk": 1.0}}, "pk")
    assert difference is not None
    assert difference.documents == 1
    assert difference.mean == pytest.approx(-0.2)
    assert paired_difference(ROWS, {"z": {"pk": 1.0}}, "pk") is None

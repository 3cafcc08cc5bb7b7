"""Strengths held against the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.carry_over.fits import area_under_curve, reliability


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.booleans(), st.integers(1, 3)),
        min_size=1,
        max_size=12,
    )
)
def test_area_is_that_of_all_pairs(rows: list[tuple[float, bool, int]]) -> None:
    pairs = [
        (p > q) + (p == q) / 2
        for p, right, n in rows
        for q, other, o in rows
        if right and not other
        for _ in range(n * o)
    ]
    predicted, is_right, weight = map(np.array, zip(*rows, strict=True))
    expected = np.mean(pairs) if pairs else 0.5
    assert area_under_curve(predicted, is_right, weight.astype(float)) == pytest.approx(expected)


def test_tenths_are_those_of_the_weight() -> None:
    predicted = np.linspace(0, 0.99, 100)
    is_right = np.arange(100) % 2 == 1
    facts = reliability(predicted, is_right, np.ones(100))
    assert [row["boundaries"] for row in facts["tenths"]] == [10] * 10
    assert facts["tenths"][0]["predicted"] == pytest.approx(0.045)
    assert facts["right"] == 0.5
    heavy = reliability(predicted, is_right, np.where(np.arange(100) < 50, 9.0, 1.0))
    assert heavy["tenths"][0]["boundaries"] < heavy["tenths"][-1]["boundaries"]

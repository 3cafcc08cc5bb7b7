from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.pipeline import prepare
from docbats.segments.costs import CutModel
from docbats.segments.evidence import (
    OPENING_FEATURES,
    find_evidence,
    heads_what_follows,
    opening_features,
)
from docbats.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.segments.evidence import Evidence

SPANS = (2, 5, 12, 30)


def likeness_by_sets(evidence: Evidence, span: int) -> np.ndarray:
    """The cosine of the sets of roots on either side of each place, set by set."""
    m = len(evidence)
    uses = np.bincount(evidence.root, minlength=len(evidence.weight))
    square = (np.log((m + 1) / (uses + 0.5)) * evidence.weight) ** 2
    roots = [set(evidence.root[evidence.sentence == i].tolist()) for i in range(m)]
    cosines = np.zeros(m)
    for i in range(1, m):
        before = set().union(*roots[max(0, i - span) : i])
        after = set().union(*roots[i : i + span])
        sums = [sum(square[list(some)]) for some in (before & after, before, after)]
        cosines[i] = sums[0] / np.sqrt(max(sums[1] * sums[2], 1e-12))
    inner = cosines[1:]
    return np.asarray((cosines - inner.mean()) / inner.std())


@pytest.mark.parametrize("case", range(6))
def test_likeness_is_that_of_the_sets_of_roots(
    case: int, make_evidence: Callable[..., Evidence]
) -> None:
    evidence = make_evidence(20 + 9 * case, seed=case)
    features = opening_features(evidence)
    assert features.shape == (len(evidence), len(OPENING_FEATURES))
    assert not features[0].any()
    assert features[1:, 0].tolist() == evidence.continues[1:].tolist()
    for column, span in enumerate(SPANS, 1):
        expected = likeness_by_sets(evidence, span)
        np.testing.assert_allclose(features[1:, column], expected[1:], atol=1e-9)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_short_texts_have_finite_features(m: int, make_evidence: Callable[..., Evidence]) -> None:
    assert np.isfinite(opening_features(make_evidence(m, seed=m))).all()


def evidence_of(sentences: list[str]) -> Evidence:
    return find_evidence(prepare(sentences, Settings()), {}, CutModel(), stem=True)


def test_a_heading_heads_what_speaks_of_it() -> None:
    about_bats = ["Bats hunt moths over the river at night.", "The river has many moths at night."]
    about_ships = ["The harbour sends ships to the islands.", "Ships leave the harbour at noon."]
    text = [*about_bats, "Ships of the harbour", *about_ships, *about_bats]
    assert np.flatnonzero(heads_what_follows(evidence_of(text))).tolist() == [2]
    text = [*about_ships, "Ships of the harbour", *about_bats, *about_ships]
    assert not heads_what_follows(evidence_of(text)).any()

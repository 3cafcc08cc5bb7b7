from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from docbats import Settings
from docbats_lab.baselines.factorization import NMF, fit_nmf
from docbats_lab.methods import Prepared, prepare

SENTENCES = ["Red foxes hunt hens.", "Hens fear foxes.", "Old clocks tick.", "Red clocks tick."] * 3


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare([*SENTENCES, "Foxes hear old clocks.", "Hens tick."], Settings(award=0))


def test_the_objective_never_rises(prepared: Prepared) -> None:
    errors = [fit_nmf(prepared, 3, 0, max_iter=i).reconstruction_err_ for i in range(1, 30)]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(errors))


def test_two_sets_of_sentences_without_a_common_word_are_two_topics() -> None:
    # Each set is one sentence repeated, so one topic each describes it without error: in a topic
    # words weigh as in the sentence, where "bats" counts twice.
    prepared = prepare(["Bats hear bats sing."] * 3 + ["Tea cools."] * 2, Settings(award=0))
    model = fit_nmf(prepared, 2, 0)
    assert model.reconstruction_err_ == pytest.approx(0, abs=1e-3)
    assert sorted(NMF.find(prepared, 2, 0)) == [["bats", "hear", "sing"], ["tea", "cools"]]


def test_more_topics_than_dimensions_at_a_perfect_fit(prepared: Prepared) -> None:
    assert np.isfinite(fit_nmf(prepared, 40, 0).components_).all()
    assert NMF.find(prepare(["Tea cools."] * 2 + ["Bats sing."] * 2), 4, 0)

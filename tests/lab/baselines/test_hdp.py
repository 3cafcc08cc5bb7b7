from __future__ import annotations

import pytest

from docbats_lab.baselines.lda import HDP, find_by_hdp
from docbats_lab.methods import Prepared, prepare

CAVE = ["Bats roost deep inside the cave.", "The cave echoes when bats roost."] * 20
TEA = ["Pour hot tea into the cup.", "A cup of hot tea steams."] * 15


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare([*CAVE, *TEA])


def test_gives_the_heaviest_topics_of_gensim(prepared: Prepared) -> None:
    from gensim.models import HdpModel

    rows = prepared.counts.toarray()
    corpus = [[(j, row[j]) for j in row.nonzero()[0]] for row in rows]
    model = HdpModel(corpus, dict(enumerate(prepared.words)), random_state=3)
    shown = model.show_topics(4, len(prepared.words), formatted=False)
    assert HDP.find(prepared, 4, 3) == [[word for word, _ in words] for _, words in shown]


def test_with_a_larger_step_the_document_comes_through(prepared: Prepared) -> None:
    topics = find_by_hdp(prepared, 2, 0, tau=0.1, max_chunks=20)
    cave, tea = sorted(topics, key=lambda words: "tea" in words[:4])
    assert {*cave[:4]} < {"bats", "roost", "deep", "inside", "cave", "echoes"}
    assert {*tea[:4]} < {"pour", "hot", "tea", "cup", "steams"}


def test_the_defaults_are_those_that_the_method_states(prepared: Prepared) -> None:
    stated = dict(HDP.parameters)
    assert HDP.find(prepared, 3, 1) == find_by_hdp(prepared, 3, 1, **stated)

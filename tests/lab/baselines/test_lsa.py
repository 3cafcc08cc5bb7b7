from __future__ import annotations

import numpy as np
import pytest

from docbats import Settings
from docbats_lab.baselines.factorization import LSA
from docbats_lab.methods import Prepared, prepare

SENTENCES = [
    "Bats hunt moths at night.",
    "Moths hear bats.",
    "Tea needs hot water.",
    "Tea cools at night.",
    "Water boils hot for tea.",
    "Bats hunt above water.",
]


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(SENTENCES, Settings(award=0))


def test_is_the_svd_of_the_tf_idf(prepared: Prepared) -> None:
    X = prepared.counts.toarray()
    weighted = X * np.log2(len(X) / (X > 0).sum(axis=0))
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    V = np.linalg.svd(weighted)[2]
    for topic, vector in zip(LSA.find(prepared, 3, 0), V[:3], strict=True):
        sizes = [abs(vector[prepared.words.index(word)]) for word in topic]
        assert sizes == sorted(sizes, reverse=True)
        assert len(topic) == np.count_nonzero(np.abs(vector) > 1e-9)


def test_ranks_as_gensim_shows_topics(prepared: Prepared) -> None:
    from gensim.models import LsiModel, TfidfModel

    corpus = [[(j, row[j]) for j in row.nonzero()[0]] for row in prepared.counts.toarray()]
    tf_idf = list(TfidfModel(corpus)[corpus])
    model = LsiModel(tf_idf, 3, dict(enumerate(prepared.words)), random_seed=0)
    shown = model.show_topics(num_words=4, formatted=False)
    found = [topic[:4] for topic in LSA.find(prepared, 3, 0)]
    assert found == [[word for word, _ in words] for _, words in shown]


def test_there_are_no_more_topics_than_dimensions() -> None:
    prepared = prepare(["Bats hunt moths."] * 3 + ["Tea cools."] * 2)
    assert len(LSA.find(prepared, 5, 0)) == 2


def test_words_of_every_sentence_tell_nothing() -> None:
    assert LSA.find(prepare(["Bats hunt moths."] * 3), 2, 0) == []

from __future__ import annotations

import math
import pickle
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import analyze
from docbats_lab.datasets import DATASETS
from docbats_lab.methods import prepare
from docbats_lab.metrics.topics import (
    DocumentFrequencies,
    pmi,
    spelled_words,
    stemmed,
    umass,
    umass_counts,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DOCUMENTS = [["bat", "moth"], ["bat", "moth", "moth", "tea"], ["bat"], ["tea"]]
WORDS = "abcdefgh"

corpora = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=2)


@pytest.fixture(scope="module")
def gensim_coherence() -> Callable[[list[str], list[list[str]], str], float]:
    from gensim import corpora, models

    def score(topic: list[str], documents: list[list[str]], coherence: str) -> float:
        dictionary = corpora.Dictionary(documents)
        model = models.CoherenceModel(
            topics=[topic],
            texts=documents,
            corpus=[dictionary.doc2bow(document) for document in documents],
            dictionary=dictionary,
            coherence=coherence,
            window_size=100,  # longer than any document, so that documents are what is counted
            processes=1,
            topn=len(topic),
        )
        return float(model.get_coherence())

    return score


def test_worked_by_hand() -> None:
    frequencies = DocumentFrequencies.of_documents(DOCUMENTS)
    assert frequencies.n_units == 4
    assert frequencies.together(["bat", "moth", "owl"]).tolist() == [[3, 2, 0], [2, 2, 0], [0] * 3]
    # p(bat) = 3/4, p(moth) = 1/2, p(tea) = 1/2; together 1/2, 1/4, 1/4.
    pairs = [(2 / 4) / (3 / 4 * 2 / 4), (1 / 4) / (3 / 4 * 2 / 4), (1 / 4) / (2 / 4 * 2 / 4)]
    topic = ["bat", "moth", "tea"]
    assert pmi(topic, frequencies) == pytest.approx(sum(map(math.log, pairs)) / 3)
    given_the_better = [2 / 3, 1 / 3, 1 / 2]
    assert umass(topic, frequencies) == pytest.approx(sum(map(math.log, given_the_better)) / 3)
    with_one_more = [3 / 3, 2 / 3, 2 / 2]
    assert umass_counts(topic, frequencies) == pytest.approx(sum(map(math.log, with_one_more)) / 3)
    assert pmi(topic, frequencies, top=2) == pytest.approx(math.log(pairs[0]))


def test_words_that_never_meet_and_words_unknown() -> None:
    frequencies = DocumentFrequencies.of_documents([["bat"], ["tea"]])
    assert pmi(["bat", "tea"], frequencies) == pytest.approx(math.log(1e-12 / (0.5 * 0.5)))
    assert umass(["bat", "tea"], frequencies) == pytest.approx(math.log(1e-12 / 0.5))
    assert umass_counts(["bat", "tea"], frequencies) == 0
    assert pmi(["bat", "owl"], frequencies) == 0
    assert umass(["owl", "bat"], frequencies) == 0


@pytest.mark.parametrize("topic", [[], ["bat"]])
def test_without_a_pair_there_is_no_score(topic: list[str]) -> None:
    for units in (DOCUMENTS, []):
        frequencies = DocumentFrequencies.of_documents(units)
        for measure in (pmi, umass, umass_counts):
            assert math.isnan(measure(topic, frequencies))


@given(corpora, st.permutations(list(WORDS)))
def test_agree_with_counting_by_sets(documents: list[list[str]], words: list[str]) -> None:
    holds = {w: {i for i, document in enumerate(documents) if w in document} for w in WORDS}
    n = len(documents)
    expected_pmi, expected_umass = [], []
    for a, b in combinations(words, 2):
        together = len(holds[a] & holds[b]) / n + 1e-12
        known = bool(holds[a] and holds[b])
        single = len(holds[a]) * len(holds[b]) / n**2
        expected_pmi.append(math.log(together / single) if known else 0)
        expected_umass.append(math.log(together / (len(holds[a]) / n)) if holds[a] else 0)
    frequencies = DocumentFrequencies.of_documents(documents)
    assert pmi(words, frequencies) == pytest.approx(np.mean(expected_pmi))
    assert umass(words, frequencies) == pytest.approx(np.mean(expected_umass))


@given(st.lists(st.sets(st.integers(0, 19)), max_size=40), st.lists(st.integers(0, 21)))
def test_any_number_of_words_is_counted(units: list[set[int]], words: list[int]) -> None:
    frequencies = DocumentFrequencies.of_documents([map(str, unit) for unit in units])
    expected = [[sum({a, b} <= unit for unit in units) for b in words] for a in words]
    assert frequencies.together([str(word) for word in words]).tolist() == expected


@given(corpora)
def test_agree_with_gensim(
    gensim_coherence: Callable[[list[str], list[list[str]], str], float], documents: list[list[str]]
) -> None:
    topic = sorted({word for document in documents for word in document})
    if len(topic) > 1:
        frequencies = DocumentFrequencies.of_documents(documents)
        expected = gensim_coherence(topic, documents, "u_mass")
        assert umass(topic, frequencies) == pytest.approx(expected, abs=1e-9)
        expected = gensim_coherence(topic, documents, "c_uci")
        assert pmi(topic, frequencies) == pytest.approx(expected, abs=1e-9)


def test_survives_pickling_and_stays_small() -> None:
    words = [f"word{i}" for i in range(1000)]
    frequencies = DocumentFrequencies.of_documents([words] * 1000)
    stored = pickle.dumps(frequencies)
    assert len(stored) < 2.1 * 1000 * 1000
    assert pickle.loads(stored).together(words[:2]).tolist() == [[1000, 1000], [1000, 1000]]


def test_spelled_words_hold_the_words_of_topics() -> None:
    sentences = ["The bats’ cave — a Bat's cave.", "Bats hunt; bats hear."]
    assert set(prepare(sentences).words) <= set(spelled_words(sentences))


def test_windows_overlap_by_half_and_miss_no_word() -> None:
    assert list(windows("abcdefg", 4)) == ["abcd", "cdef", "efg"]
    assert list(windows("abcd", 4)) == ["abcd"]
    assert list(windows("ab", 4)) == ["ab"]
    assert list(windows("abc", 1)) == ["a", "b", "c"]
    assert list(windows("", 4)) == [""]


def test_stems_are_one_name_for_many_spellings() -> None:
    assert len(set(stemmed(["cut", "cuts", "cutting"]))) == 1


@pytest.mark.data
def test_the_paper_preset_on_textbook(data: Path) -> None:
    documents = list(DATASETS["textbook"].load(data))
    prepared = [prepare(document.sentences) for document in documents]
    whole = DocumentFrequencies.of_documents(spelled_words(d.sentences) for d in documents)
    parts = DocumentFrequencies.of_documents(
        window
        for p in prepared
        for window in windows(stemmed(p.words[i] for ids in p.sequence for i in ids))
    )
    scores = []
    for document, p in list(zip(documents, prepared, strict=True))[::4]:
        sentences = DocumentFrequencies.of_documents(
            [p.words[i] for i in ids] for ids in p.sequence
        )
        result = analyze(document.sentences, k=len(document.segments), preset="paper")
        topics = [[scored.word for scored in topic.words] for topic in result.topics]
        words = [word for topic in topics for word in topic]
        mixed = [words[i :: len(topics)] for i in range(len(topics))]
        scores.append(
            [
                np.nanmean([pmi(topic, whole) for topic in topics]),
                np.nanmean([pmi(stemmed(topic), parts) for topic in topics]),
                np.nanmean([pmi(stemmed(topic), parts) for topic in mixed]),
                np.nanmean([umass(topic, sentences) for topic in topics]),
            ]
        )
    over_documents, over_windows, of_mixed, of_sentences = np.mean(scores, axis=0)
    assert over_documents == pytest.approx(0.55, abs=0.02)
    assert over_windows == pytest.approx(0.62, abs=0.3)  # the paper's figure
    assert of_mixed < -2
    assert of_sentences == pytest.approx(-10.28, abs=0.5)  # the paper's figure

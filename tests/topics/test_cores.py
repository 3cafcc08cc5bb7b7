"""Topics that grow from cores of words that keep company."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.topics.sample_counts import count, matrices, of_array

from docbats import topics as cores
from docbats.matrix import SentenceWordCounts, award, bond, laplacian, leading_singular_vectors
from docbats.text.tags import CLASSES
from docbats.topics import Company, find_company

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.topics import FoundTopics

NOUN, VERB = CLASSES.index("NOUN"), CLASSES.index("VERB")

TEXT = """
bat moth wing echo
bat echo moth night
moth bat wing
echo bat night
tea water leaf cup
water tea cup
leaf tea water
cup tea leaf water
""".strip().splitlines()


def find_topics(
    counts: SentenceWordCounts, k: int, seed: int = 0, classes: NDArray[np.float64] | None = None
) -> FoundTopics:
    """Do what the pipeline does with the preset "sharp"."""
    if not counts.words:
        return cores.find_topics(np.empty((0, k)), counts, classes)
    X = bond(award(counts, 1.0), 1, 0.4)
    V = leading_singular_vectors(laplacian(X), min(k, len(counts.words)), seed).V
    return cores.find_topics(V, counts, classes)


def named(topics: FoundTopics, counts: SentenceWordCounts) -> list[list[str]]:
    return [[counts.words[j] for j in topic] for topic in topics.words]


def check(topics: FoundTopics, counts: SentenceWordCounts, k: int) -> None:
    """Check all that the docstrings promise of any document."""
    n = len(counts.words)
    used = counts.occurrences.sum(axis=0)
    found = [j for topic in topics.words for j in topic.tolist()]
    assert len(topics.words) == min(k, n)
    assert all(len(topic) >= min(5, n // max(1, min(k, n))) for topic in topics.words)
    assert len(found) == len(set(found))
    assert set(found) <= set(range(n))
    assert topics.scores.shape == (n,)
    assert (topics.scores[np.setdiff1d(np.arange(n), found)] == 0).all()
    for topic in topics.words:
        scores = topics.scores[topic]
        assert (np.diff(scores) <= 1e-12 * scores[0]).all()
        assert scores.sum() == pytest.approx(used[topic].sum())
        assert (scores > 0).all() or not used[topic].any()
    weights = [used[topic].sum() for topic in topics.words]
    assert all(a >= b for a, b in pairwise(weights))


def test_two_subjects_become_two_topics() -> None:
    counts = count(TEXT)
    topics = find_topics(counts, 2)
    check(topics, counts, 2)
    bats, tea = named(topics, counts)  # both used 14 times: the earlier goes first
    assert set(tea) == {"tea", "water", "leaf", "cup"}
    assert set(bats) == {"bat", "moth", "wing", "echo", "night"}
    assert (tea[0], bats[0]) == ("tea", "bat")
    assert bats.index("wing") > bats.index("moth")


def test_the_score_of_a_pair_worked_by_hand() -> None:
    # Both words load alike on the one topic and are in both sentences, which are adjacent: they
    # share 2 sentences and meet twice across, so log cosine = log((2 + 0.2 + 0.03) / 2).
    counts = count(["red fox", "red fox"])
    company = find_company(np.array([[0, 1]]), counts.occurrences)
    assert company.cosine[0, 0, 1] == pytest.approx(math.log(2.23 / 2))
    np.testing.assert_allclose(find_topics(counts, 1).scores, [2, 2])


@pytest.mark.parametrize("case", range(20))
def test_planted_topics_are_found(case: int) -> None:
    rng = np.random.default_rng(case)
    k = int(rng.integers(2, 7))
    X = np.zeros((k * 30, k * 12))
    for i in range(len(X)):
        own = rng.choice(12, 5, replace=False) + 12 * (i // 30)
        X[i, own] = 1
        X[i, rng.integers(X.shape[1])] = 1  # noise
    counts = of_array(X)
    topics = find_topics(counts, k)
    check(topics, counts, k)
    best = [set((topic[:10] // 12).tolist()) for topic in topics.words]
    assert all(len(origins) == 1 for origins in best)
    assert set.union(*best) == set(range(k))


def test_of_two_words_alike_the_noun_ranks_first() -> None:
    counts = count([s.replace("moth", "moth flies") for s in TEXT])
    for first, second in (("moth", "flies"), ("flies", "moth")):
        classes = np.zeros((len(counts.words), len(CLASSES)))
        classes[:, NOUN] = 4
        classes[counts.words.index(second)] = np.eye(len(CLASSES))[VERB]
        (bats,) = (t for t in named(find_topics(counts, 2, 0, classes), counts) if "bat" in t)
        assert bats.index(first) < bats.index(second)


def test_words_without_a_class_count_as_others() -> None:
    counts = count(TEXT)
    classes = np.zeros((len(counts.words), len(CLASSES)))
    check(find_topics(counts, 2, 0, classes), counts, 2)


def test_a_core_ends_where_words_no_longer_meet() -> None:
    # Six words share sentences; the others follow one by one and meet one of the six at most.
    group = "ant bee cow dog eel fox"
    others = [f"x{i} {word}" for i, word in enumerate(group.split())]
    counts = count([group] * 4 + others)
    (topic,) = named(find_topics(counts, 1), counts)
    assert set(topic) == set(group.split())


def test_short_sentences_do_not_leave_words_out() -> None:
    # Pairs of the same ten words, each in a sentence of its own: any word meets two others only.
    ring = [f"w{i} w{(i + 1) % 10}" for i in range(10)]
    counts = count(ring * 2)
    (topic,) = named(find_topics(counts, 1), counts)
    assert sorted(topic) == sorted(counts.words)


ODD = {
    "one sentence": (["red fox runs"], 1),
    "one word": (["fox", "fox"], 1),
    "more topics than words": (["red fox", "red fox"], 9),
    "a topic for each word": (["red fox runs", "red fox", "runs red"], 3),
    "identical sentences": (["red fox runs"] * 6, 3),
    "identical sentences of one word": (["fox"] * 6, 6),
    "empty sentences": (["", "red fox", "", "", "old tea", ""], 2),
    "no sentence shares a word": ([f"w{i} v{i}" for i in range(20)], 7),
    "all words in every sentence": ([" ".join(f"w{i}" for i in range(30))] * 5, 4),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_documents(name: str) -> None:
    sentences, k = ODD[name]
    counts = count(sentences)
    check(find_topics(counts, k), counts, k)


@pytest.mark.parametrize("shape", [(0, 0), (1, 0), (5, 0)])
def test_no_word_no_topic(shape: tuple[int, int]) -> None:
    topics = find_topics(of_array(np.zeros(shape)), 3)
    assert topics.words == ()
    assert topics.scores.shape == (0,)


def test_words_that_never_occur_do_not_matter() -> None:
    counts = of_array(np.zeros((4, 3)))
    check(find_topics(counts, 2), counts, 2)


def test_a_sentence_of_thousands_of_words_stays_small() -> None:
    X = np.ones((3, 20_000))
    X[1, ::2] = 0
    X[2, ::3] = 0
    counts = of_array(X)
    check(find_topics(counts, 3), counts, 3)


@given(matrices, st.integers(1, 30))
def test_promises_hold_for_any_counts(X: np.ndarray, k: int) -> None:
    counts = of_array(X[:, X.any(axis=0)].astype(float))
    check(find_topics(counts, k), counts, k)


@pytest.mark.parametrize("size", [40, 400])
def test_runs_repeat_bit_for_bit(size: int) -> None:
    rng = np.random.default_rng(size)
    counts = of_array((rng.random((size, size)) < 4 / size).astype(float))
    first, second = (find_topics(counts, 6, seed=3) for _ in range(2))
    assert [t.tolist() for t in first.words] == [t.tolist() for t in second.words]
    assert first.scores.tobytes() == second.scores.tobytes()


def grow_slowly(
    strength: np.ndarray, cosine: np.ndarray, met: np.ndarray, start: int, wanted: float
) -> tuple[float, list[int]]:
    """Grow one core of one topic, a word at a time, and tell what it is worth."""
    core = [start]
    while len(core) < 10:
        scores = {
            j: round(float(strength[j] + cosine[j, core].mean()), 9)
            for j in range(len(strength))
            if j not in core and (len(core) < 5 or met[j, core].mean() >= wanted)
        }
        if not scores:
            break
        core.append(max(scores, key=lambda j: (scores[j], -j)))
    pairs = [cosine[a, b] for i, a in enumerate(core) for b in core[:i]]
    worth = strength[core].mean() + (np.mean(pairs) if pairs else 0) + 2 * math.log(len(core))
    return round(float(worth), 9), core


@pytest.mark.parametrize("case", range(100))
def test_cores_equal_those_grown_word_by_word(case: int) -> None:
    rng = np.random.default_rng(case)
    k, size = int(rng.integers(1, 5)), int(rng.integers(1, 25))
    strength = -np.sort(rng.exponential(size=(k, size)), axis=1)
    cosine = -rng.exponential(size=(k, size, size))
    cosine = (cosine + cosine.transpose(0, 2, 1)) / 2
    met = np.triu(rng.random((k, size, size)) < rng.choice([0.2, 0.5, 0.9]))
    met = (met | met.transpose(0, 2, 1)).astype(float)
    lengths = rng.integers(1, size + 1, size=k)
    strength[np.arange(size) >= lengths[:, None]] = -np.inf
    found = cores._grow_cores(strength, Company(cosine, met), end_early=True)
    salient = [
        met[i, a, b]
        for i, n in enumerate(np.minimum(lengths, 10))
        for a in range(n)
        for b in range(n)
        if a != b
    ]
    wanted = min(0.5, 2 * np.mean(salient) ** 2) if salient else 0.5
    for i, n in enumerate(lengths.tolist()):
        runs = [
            grow_slowly(strength[i, :n], cosine[i, :n, :n], met[i, :n, :n], start, wanted)
            for start in range(min(10, n))
        ]
        assert found[i][found[i] >= 0].tolist() == max(runs, key=lambda run: run[0])[1]

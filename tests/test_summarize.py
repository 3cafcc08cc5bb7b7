from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from docbats.describe import _REPETITION_FACTOR, choose_sentences, rate_sentences, weigh_words
from docbats.document import Document

CASES = range(100)


def random_case(case: int) -> tuple[Document, sparse.csr_array, np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(case)
    m, n = (int(size) for size in rng.integers(1, 15, size=2))
    X = sparse.csr_array(rng.poisson(0.4, size=(m, n)).astype(float))
    words = ["He", "so", "walks", "there.", "ever?", "after"]
    sentences = [" ".join(rng.choice(words, size=rng.integers(1, 50))) for _ in range(m)]
    scores = rng.choice([0.0, 0.5, 1.0, 2.5], size=n)
    labels = rng.integers(0, 3, size=n)
    return (
        Document.from_sentences(sentences),
        X,
        scores,
        [np.flatnonzero(labels == label) for label in range(3)],
    )


def random_starts(case: int, m: int) -> np.ndarray:
    rng = np.random.default_rng(case)
    cuts = rng.choice(m, size=rng.integers(0, m), replace=False)
    return np.unique([0, *cuts.tolist()])


@pytest.mark.parametrize("case", CASES)
def test_equals_looking_at_every_sentence_each_time(case: int) -> None:
    document, X, scores, topics = random_case(case)
    m = len(document)
    starts = random_starts(case, m)
    fitness, worth = rate_sentences(document, starts), weigh_words(scores, topics)
    segment = np.searchsorted(starts, np.arange(m), side="right") - 1
    rows = [np.flatnonzero(row) for row in X.toarray()]
    chosen: list[int] = []
    for n in range(1, m + 1):
        covered = {int(segment[i]) for i in chosen}
        free = [i for i in range(m) if i not in chosen]
        if len(covered) < len(starts):
            free = [i for i in free if segment[i] not in covered]
        best = max(free, key=lambda i: (round(float(worth[rows[i]].sum()) * fitness[i], 9), -i))
        chosen.append(best)
        worth[rows[best]] *= _REPETITION_FACTOR
        found = choose_sentences(document, X, scores, topics, starts, n=n)
        assert found == tuple(sorted(chosen))


@pytest.mark.parametrize("case", CASES)
def test_every_segment_is_covered_before_one_gives_two(case: int) -> None:
    document, X, scores, topics = random_case(case)
    starts = random_starts(case, len(document))
    for n in (1, len(starts), len(starts) + 1, len(document), len(document) + 5):
        chosen = choose_sentences(document, X, scores, topics, starts, n=n)
        assert len(chosen) == min(n, len(document))
        assert list(chosen) == sorted(set(chosen))
        covered = set((np.searchsorted(starts, chosen, side="right") - 1).tolist())
        assert len(covered) == min(n, len(starts))


def choose(sentences: list[str], n: int, starts: tuple[int, ...] = (0,)) -> tuple[int, ...]:
    """Choose where every sentence has the same one word."""
    X = sparse.csr_array(np.ones((len(sentences), 1)))
    document = Document.from_sentences(sentences)
    return choose_sentences(document, X, np.ones(1), [np.arange(1)], np.array(starts), n=n)


PLAIN = "The moths of the valley can hear every bat that flies."


@pytest.mark.parametrize(
    "other",
    [
        "Can the moths of the valley hear every bat there?",
        '"Can the moths of the valley hear every bat there?"',
        "The moths of the valley and every bat that flies",
        "However, the moths of the valley can hear every bat.",
        "They and the moths of the valley can hear every bat.",
        "“This,” he said, “is what the moths can hear in the valley.”",
        "Moths hear bats.",
        "The moths of the valley can hear " + "the bats and " * 12 + "the owls.",
    ],
)
def test_a_sentence_that_stands_by_itself_wins(other: str) -> None:
    assert choose(["", other, PLAIN], 1) == (2,)
    assert choose(["", PLAIN, other], 1) == (1,)


def test_equal_sentences_and_the_opening_of_a_segment() -> None:
    assert choose([PLAIN] * 4, 1) == (0,)
    assert choose([PLAIN] * 4, 2, starts=(0, 2)) == (0, 2)
    assert choose(["They fly.", PLAIN, PLAIN], 2) == (1, 2)


def test_a_case_by_hand() -> None:
    sentences = [f"{name} one two three four five six seven." for name in "ABCD"]
    # A and B say the same two words; C says one that is worth more than what B adds to A.
    X = sparse.csr_array(np.array([[1, 1, 0, 0], [2, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], float))
    scores = np.array([1.0, 1.0, 1.1, 0.1])
    topics = [np.array([0, 1, 2, 3])]
    document = Document.from_sentences(sentences)
    chosen = [choose_sentences(document, X, scores, topics, np.array([0]), n=n) for n in range(5)]
    assert chosen == [(), (0,), (0, 2), (0, 1, 2), (0, 1, 2, 3)]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_without_kept_words(n: int) -> None:
    document = Document.from_sentences(["", "a", " "])
    X = sparse.csr_array((3, 0))
    chosen = choose_sentences(document, X, np.zeros(0), [], np.array([0, 1]), n=n)
    assert chosen == tuple(range(min(n, 3)))

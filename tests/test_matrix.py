from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from docbats.document import Document
from docbats.matrix import award, bond, count, laplacian, tf_idf
from docbats.text.words import find_words, tokenize

CASES = range(200)


def random_counts(case: int) -> tuple[np.random.Generator, np.ndarray]:
    rng = np.random.default_rng(case)
    shape = rng.integers(1, 15, size=2)
    return rng, rng.poisson(0.5, size=shape) * rng.choice([1.0, 0.5, 2.0], size=shape)


@pytest.mark.parametrize("case", CASES)
def test_counts_and_award_equal_counting_word_by_word(case: int) -> None:
    rng = np.random.default_rng(case)
    sentences = [
        " ".join(rng.choice(["ash", "bay", "cod", "dew", "elm", "the", "7"], size=rng.integers(6)))
        for _ in range(int(rng.integers(1, 8)))
    ]
    if not any(sentences):
        sentences[0] = "ash"
    lambda_, min_sentences = float(rng.choice([0, 1, 2.5])), int(rng.integers(1, 4))
    document = Document.from_sentences(sentences)
    tokens = tokenize(document)
    flags = rng.random(len(tokens)) < 0.4
    words = find_words(document, tokens, {"the"})
    counts = count(words, tokens, flags, len(document), min_sentences)

    occurrences = [Counter(s.split()) for s in sentences]
    degree = Counter(word for c in occurrences for word in c)
    kept = [w for w in degree if w not in {"the", "7"} and degree[w] >= min_sentences]
    assert set(counts.words) == set(kept)
    tagged = {
        (int(tokens.sentence[t]), tokens.forms[tokens.form[t]]) for t in np.flatnonzero(flags)
    }
    expected = [
        [c[w] + (lambda_ if (i, w) in tagged and c[w] else 0) for w in counts.words]
        for i, c in enumerate(occurrences)
    ]
    result = award(counts, lambda_).toarray()
    np.testing.assert_array_equal(result, np.reshape(expected, result.shape))


@pytest.mark.parametrize("case", CASES)
def test_tf_idf_equals_the_textbook_formula(case: int) -> None:
    _, X_a = random_counts(case)
    m, n = X_a.shape
    expected = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            if X_a[i, j]:
                in_sentences = sum(X_a[other, j] > 0 for other in range(m))
                expected[i, j] = X_a[i, j] / max(X_a[i]) * math.log2(m / in_sentences)
    np.testing.assert_allclose(tf_idf(sparse.csr_array(X_a)).toarray(), expected)


@pytest.mark.parametrize("case", CASES)
def test_bonding_equals_eq_2(case: int) -> None:
    rng, X_a = random_counts(case)
    w, d = int(rng.integers(0, 7)), float(rng.choice([0, 0.3, 0.7, 1]))
    m = len(X_a)
    expected = np.zeros_like(X_a)
    for i in range(m):
        for ell in range(i - w, i + w + 1):
            if 0 <= ell < m:
                expected[i] += d ** abs(ell - i) * X_a[ell]
    np.testing.assert_allclose(bond(sparse.csr_array(X_a), w, d).toarray(), expected)


@pytest.mark.parametrize("case", CASES)
def test_laplacian_equals_eq_3(case: int) -> None:
    rng, X = random_counts(case)
    m, n = X.shape
    tau_p, tau_o = ((None, 0.5, 3.0)[i] for i in rng.integers(3, size=2))
    P, O = X.sum(axis=0), X.sum(axis=1)  # noqa: E741
    added_p = P.sum() / n if tau_p is None else tau_p
    added_o = O.sum() / m if tau_o is None else tau_o
    expected = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            if X[i, j]:
                expected[i, j] = X[i, j] / math.sqrt((O[i] + added_o) * (P[j] + added_p))
    np.testing.assert_allclose(laplacian(sparse.csr_array(X), tau_p, tau_o).toarray(), expected)


def test_without_regularisation_a_sentence_without_words_keeps_its_zeros() -> None:
    X = sparse.csr_array(np.array([[1.0, 3.0], [0.0, 0.0]]))
    L = laplacian(X, 0, 0).toarray()
    np.testing.assert_allclose(L, np.array([[1 / 2, math.sqrt(3) / 2], [0, 0]]))


def test_bonding_without_decay_is_the_matrix_itself() -> None:
    X_a = sparse.csr_array(np.arange(12.0).reshape(4, 3))
    assert (bond(X_a, 5, 0) != X_a).nnz == 0
    assert bond(X_a, 5, 0).nnz == X_a.nnz

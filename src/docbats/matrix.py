"""The sentence-word matrix: counts, award (eq. 1), tf-idf, bonding (eq. 2), Laplacian (eq. 3)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from docbats.errors import InputError
from docbats.limits import BONDED_CELLS
from docbats.text.tags import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Scaling = Callable[[sparse.csr_array, float | None, float | None], sparse.csr_array]


@dataclass(frozen=True, eq=False)
class SentenceWordCounts:
    """What section 3.1 counts: rows are sentences, columns are kept words.

    Both matrices have entries in the same places, in the same order.

    Attributes
    ----------
    words
        The kept words, in order of first appearance.
    occurrences
        X^o: how often each word occurs in each sentence.
    nouns_and_verbs
        T: 1 where the word occurs in the sentence as a noun or a verb.
    """

    words: tuple[str, ...]
    occurrences: sparse.csr_array
    nouns_and_verbs: sparse.csr_array


def count(
    words: Words,
    tokens: Tokens,
    is_noun_or_verb: NDArray[np.bool_],
    n_sentences: int,
    min_sentences: int,
) -> SentenceWordCounts:
    """Count the words that occur in at least `min_sentences` sentences (section 3.1)."""
    n_words = max(1, len(words.names))
    cells = tokens.sentence[words.token] * n_words + words.word
    order = np.argsort(cells, kind="stable")
    first = np.flatnonzero(np.diff(cells[order], prepend=-1))
    cell, occurrences = cells[order[first]], np.diff(first, append=len(cells))
    tagged = np.logical_or.reduceat(is_noun_or_verb[words.token[order]], first)
    sentence, word = np.divmod(cell, n_words)
    kept = np.bincount(word, minlength=len(words.names)) >= min_sentences
    used = kept[word]
    columns = (np.cumsum(kept) - 1)[word[used]]
    edges = np.searchsorted(sentence[used], np.arange(n_sentences + 1))

    def matrix(cells: NDArray[Any]) -> sparse.csr_array:
        shape = (n_sentences, int(np.count_nonzero(kept)))
        return sparse.csr_array((cells[used].astype(float), columns, edges), shape=shape)

    names = tuple(compress(words.names, kept.tolist()))
    return SentenceWordCounts(names, matrix(occurrences), matrix(tagged))


def count_classes(
    words: Words, classes: NDArray[np.int64], kept_words: tuple[str, ...]
) -> NDArray[np.float64]:
    """Return how often each kept word occurs in each word class; `classes` are those of tokens."""
    kept = {name: i for i, name in enumerate(kept_words)}
    column = np.array([kept.get(name, -1) for name in words.names], np.int64)[words.word]
    used = column >= 0
    cells = column[used] * len(CLASSES) + classes[words.token[used]]
    counts = np.bincount(cells, minlength=len(kept) * len(CLASSES))
    return counts.reshape(-1, len(CLASSES)).astype(float)


def award(counts: SentenceWordCounts, lambda_: float) -> sparse.csr_array:
    """Eq. 1: X^a = X^o + λT."""
    X_o, T = counts.occurrences, counts.nouns_and_verbs
    return with_entries(X_o, X_o.data + lambda_ * T.data)


def tf_idf(X_a: sparse.csr_array) -> sparse.csr_array:
    """F: the tf-idf of X^a, a sentence standing for a document.

    As in the book that the paper cites (Rajaraman & Ullman 2011, section 1.3.1): term frequency is
    relative to the most frequent word of the sentence, and the inverse document frequency is
    log2(m / number of sentences with the word).
    """
    if X_a.nnz == 0:
        return X_a
    in_sentence = np.diff(X_a.indptr)
    filled = in_sentence > 0
    largest = np.maximum.reduceat(X_a.data, X_a.indptr[:-1][filled])
    idf = np.log2(X_a.shape[0] / np.maximum(np.bincount(X_a.indices, minlength=X_a.shape[1]), 1))
    tf = X_a.data * np.repeat(1 / largest, in_sentence[filled])
    return with_entries(X_a, tf * idf[X_a.indices])


def bond(X_a: sparse.csr_array, w: int, d: float) -> sparse.csr_array:
    """Eq. 2: X_i = sum of d^|l - i| X^a_l over the sentences l within w of i."""
    m = X_a.shape[0]
    reach = min(w, m - 1) if d > 0 else 0
    if m * (2 * reach + 1) > BONDED_CELLS.value:
        msg = (
            f"a window of {w} sentences for {m:,} sentences makes {m * (2 * reach + 1):,} cells, "
            f"and {BONDED_CELLS.value:,} are allowed: give a smaller window, or "
            f"{BONDED_CELLS.advice}"
        )
        raise InputError(msg)
    steps = range(-reach, reach + 1)
    near = np.arange(m)[:, None] + np.array(steps)
    inside = (near >= 0) & (near < m)
    weights = np.broadcast_to([float(d) ** abs(step) for step in steps], near.shape)
    edges = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
    return sparse.csr_array((weights[inside], near[inside], edges), shape=(m, m)) @ X_a


def with_entries(matrix: sparse.csr_array, entries: NDArray[np.float64]) -> sparse.csr_array:
    """Return a matrix with other numbers in the same places."""
    return sparse.csr_array((entries, matrix.indices, matrix.indptr), shape=matrix.shape)


def laplacian(
    X: sparse.csr_array, tau_p: float | None = None, tau_o: float | None = None
) -> sparse.csr_array:
    """Eq. 3: L = (O + τ_o I)^-1/2 X (P + τ_p I)^-1/2.

    O and P are the degrees of sentences and of words, the row and column sums of X; a τ of ``None``
    is the average degree. A sentence of degree zero keeps its row of zeros, also where τ is zero.
    """
    if X.nnz == 0:
        return X
    in_row = np.diff(X.indptr)
    O = np.zeros(X.shape[0])  # noqa: E741  (the paper's symbols)
    O[in_row > 0] = np.add.reduceat(X.data, X.indptr[:-1][in_row > 0])
    P = np.bincount(X.indices, X.data, X.shape[1])
    O_root = _inverse_root(O + (O.mean() if tau_o is None else tau_o))
    P_root = _inverse_root(P + (P.mean() if tau_p is None else tau_p))
    return with_entries(X, np.repeat(O_root, in_row) * X.data * P_root[X.indices])


def _inverse_root(degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(degrees > 0, degrees, np.inf) ** -0.5


LAPLACIANS: Mapping[str, Scaling] = MappingProxyType(
    {
        "regularized": laplacian,
        "plain": lambda X, _tau_p, _tau_o: laplacian(X, 0, 0),
        "none": lambda X, _tau_p, _tau_o: X,
    }
)
"""Eq. 3 and the paper's two ablations of it, by the names that the setting `laplacian` has."""

"""From counts to singular vectors: award, tf-idf, bonding, Laplacian and spectrum (eqs. 1-5).

SciPy takes longer to load than all else, so functions load what they need of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import InputError
from docbats.runtime import BONDED_CELLS, VECTOR_CELLS
from docbats.text.tags import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.text.words import Tokens, Words

    Scaling = Callable[[sparse.csr_array, float | None, float | None], sparse.csr_array]


@dataclass(frozen=True, eq=False)
class SentenceWordCounts:
    """The counts of section 3.1: rows are sentences, columns are kept words.

    Both matrices have entries at the same positions, in the same order.

    Attributes
    ----------
    words
        The kept words, in order of first appearance.
    kept
        The index of each of them among all words of the document.
    occurrences
        X^o: how often each word occurs in each sentence.
    nouns_and_verbs
        T: 1 where the word occurs in the sentence as a noun or a verb.
    """

    words: tuple[str, ...]
    kept: NDArray[np.int64]
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

    from scipy import sparse

    def matrix(cells: NDArray[Any]) -> sparse.csr_array:
        shape = (n_sentences, int(np.count_nonzero(kept)))
        return sparse.csr_array((cells[used].astype(float), columns, edges), shape=shape)

    names = tuple(compress(words.names, kept.tolist()))
    return SentenceWordCounts(names, np.flatnonzero(kept), matrix(occurrences), matrix(tagged))


def count_classes(
    words: Words, classes: NDArray[np.int64], counts: SentenceWordCounts
) -> NDArray[np.float64]:
    """Return how often each kept word occurs in each word class, given the class of each token."""
    n_classes = len(CLASSES)
    cells = words.word * n_classes + classes[words.token]
    uses = np.bincount(cells, minlength=len(words.names) * n_classes)
    return uses.reshape(-1, n_classes)[counts.kept].astype(float)


def award(counts: SentenceWordCounts, lambda_: float) -> sparse.csr_array:
    """Eq. 1: X^a = X^o + λT."""
    X_o, T = counts.occurrences, counts.nouns_and_verbs
    return with_entries(X_o, X_o.data + lambda_ * T.data)


def tf_idf(X_a: sparse.csr_array) -> sparse.csr_array:
    """F: the tf-idf of X^a, with sentences as documents.

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
    from scipy import sparse

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
    """Return a matrix with other numbers at the same positions."""
    from scipy import sparse

    return sparse.csr_array((entries, matrix.indices, matrix.indptr), shape=matrix.shape)


def laplacian(
    X: sparse.csr_array, tau_p: float | None = None, tau_o: float | None = None
) -> sparse.csr_array:
    """Eq. 3: L = (O + τ_o I)^-1/2 X (P + τ_p I)^-1/2.

    O and P are the degrees of sentences and words, the row and column sums of X; a τ of ``None`` is
    the average degree. A sentence of degree zero keeps its row of zeros, even if τ is zero.
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
"""Eq. 3 and the paper's two ablations of it, by their names in the setting `laplacian`."""


# A dense solver is faster than an iterative one up to
_SMALL = 160  # rows,
_MEDIUM = 1000  # rows if k is more than an eighth of them,
_LARGE = 4000  # and rows if k is more than a quarter, or if the iterative solver fails.
_ZERO_VALUE = 1e-7  # of the largest singular value; a Gram matrix does not resolve smaller ones
_ZERO_ROW = 1e-10  # of the longest row; smaller ones are rounding errors


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The k leading singular triplets, largest first.

    If the matrix has fewer than k singular values above zero, the rest are zero with columns of
    zeros, rather than an arbitrary basis.

    Attributes
    ----------
    U
        Left vectors, a row for each sentence.
    sigma
        Singular values.
    V
        Right vectors, a row for each word.
    """

    U: NDArray[np.float64]
    sigma: NDArray[np.float64]
    V: NDArray[np.float64]

    def first(self, k: int) -> Spectrum:
        """Return the first k triplets."""
        return Spectrum(self.U[:, :k], self.sigma[:k], self.V[:, :k])


def leading_singular_vectors(L: sparse.csr_array, k: int, seed: int = 0) -> Spectrum:
    """Eq. 4, for the k largest singular values.

    Signs are fixed: on the shorter side, the largest entry of each vector is positive. Both solvers
    decompose the Gram matrix of that side and project the vectors to the longer one: a dense solver
    for small documents, a seeded Lanczos iteration for large ones.
    """
    m, n = L.shape
    _check_size(m + n, min(k, max(m, n)))
    short = L if m <= n else L.T.tocsr()
    tall = short.T.tocsr()
    size = min(m, n)
    if size == 0:
        return Spectrum(np.zeros((m, k)), np.zeros(k), np.zeros((n, k)))
    if size <= max(_SMALL, k, min(8 * k, _MEDIUM), min(4 * k, _LARGE)):
        values, vectors = _dense_eigenpairs(short, tall, min(k, size))
    else:
        values, vectors = _lanczos_eigenpairs(short, tall, k, seed)
    sigma = np.sqrt(np.maximum(values, 0))
    rank = int((sigma > _ZERO_VALUE * sigma.max(initial=_ZERO_VALUE)).sum())
    sigma, near = _pad(sigma[:rank], k), vectors[:, :rank]
    near = near * np.where(near[np.abs(near).argmax(axis=0), np.arange(rank)] < 0, -1.0, 1.0)
    far = (tall @ near) / sigma[:rank]
    U, V = (near, far) if m <= n else (far, near)
    return Spectrum(_pad(U, k), sigma, _pad(V, k))


def _check_size(n_rows: int, k: int) -> None:
    if n_rows * k > VECTOR_CELLS.value:
        msg = (
            f"k={k} singular vectors of {n_rows:,} sentences and words have {n_rows * k:,} "
            f"numbers, and {VECTOR_CELLS.value:,} are allowed: give a smaller k or n_topics, or "
            f"{VECTOR_CELLS.advice}"
        )
        raise InputError(msg)


def unit_rows(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. 5: scale each row to length 1; rows of (all but) zeros become zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    zero = lengths <= _ZERO_ROW * lengths.max(initial=0)
    return np.where(zero, 0, vectors / np.where(zero, 1, lengths))


Eigenpairs = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


def _dense_eigenpairs(short: sparse.csr_array, tall: sparse.csr_array, k: int) -> Eigenpairs:
    from scipy.linalg import eigh

    size = short.shape[0]
    gram = (short @ tall).toarray()
    values, vectors = eigh(gram, subset_by_index=(size - k, size - 1))
    return values[::-1], vectors[:, ::-1]


def _lanczos_eigenpairs(
    short: sparse.csr_array, tall: sparse.csr_array, k: int, seed: int
) -> Eigenpairs:
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    size = short.shape[0]
    gram = LinearOperator((size, size), matvec=lambda x: short @ (tall @ x), dtype=np.float64)
    rng = np.random.default_rng(seed)
    try:
        # The generator matters, too: it draws new directions when the first are exhausted.
        values, vectors = eigsh(gram, k=k, v0=rng.uniform(0.5, 1.5, size), rng=rng)
    except ArpackError as error:
        if size > _LARGE:
            msg = f"the singular vectors were not found ({error}): try another seed or a smaller k"
            raise InputError(msg) from None
        return _dense_eigenpairs(short, tall, k)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _pad(columns: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Add zeros up to k entries along the last axis."""
    missing = k - columns.shape[-1]
    if missing == 0:
        return columns
    return np.pad(columns, [(0, 0)] * (columns.ndim - 1) + [(0, missing)])


_BUCKETS_PER_SCORE = 2  # more leave fewer scores to be sorted, but take longer themselves


def may_be_top(
    group: NDArray[np.int64], score: NDArray[np.float64], n_groups: int, n: int
) -> NDArray[np.int64]:
    """Return the indices of the scores that may be among the n highest of their group.

    The scores of a group are dealt out to buckets. If n buckets have a score above some bound, what
    is below the bound is not among the n highest. This leaves few scores to sort.
    """
    n_buckets = _BUCKETS_PER_SCORE * n
    highest = np.full(n_groups * n_buckets, -np.inf)
    np.maximum.at(highest, group * n_buckets + np.arange(len(group)) % n_buckets, score)
    bound = np.partition(highest.reshape(n_groups, n_buckets), n_buckets - n, axis=1)
    return np.flatnonzero(score >= bound[:, n_buckets - n][group])

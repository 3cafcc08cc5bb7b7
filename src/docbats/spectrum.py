"""Leading singular vectors and unit rows (eqs. 4, 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from docbats.errors import InputError
from docbats.limits import VECTOR_CELLS

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

_SMALL = 160  # up to so many rows a dense solver is faster than an iterative one,
_MEDIUM = 1000  # and up to so many where k is more than an eighth of them,
_LARGE = 4000  # and up to so many where it is more than a quarter, or where the iterative one fails
_ZERO_VALUE = 1e-7  # of the largest singular value; a Gram matrix does not resolve smaller ones
_ZERO_ROW = 1e-10  # of the longest row; smaller ones are rounding errors


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The k leading singular triplets, largest first.

    Where the matrix has fewer than k singular values above zero, the rest are zero with columns of
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


def leading_singular_vectors(L: sparse.csr_array, k: int, seed: int = 0) -> Spectrum:
    """Eq. 4, for the k largest singular values.

    Signs are fixed: on the shorter side the largest entry of each vector is positive. Both solvers
    decompose the Gram matrix of that side and carry the vectors over to the longer one: a dense one
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
    size = short.shape[0]
    gram = (short @ tall).toarray()
    values, vectors = scipy.linalg.eigh(gram, subset_by_index=(size - k, size - 1))
    return values[::-1], vectors[:, ::-1]


def _lanczos_eigenpairs(
    short: sparse.csr_array, tall: sparse.csr_array, k: int, seed: int
) -> Eigenpairs:
    # Imported here: small texts need not wait for it.
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    size = short.shape[0]
    gram = LinearOperator((size, size), matvec=lambda x: short @ (tall @ x), dtype=np.float64)
    rng = np.random.default_rng(seed)
    try:
        # The generator matters too: it draws new directions where the first ones are exhausted.
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

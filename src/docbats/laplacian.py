"""The regularised graph Laplacian (eq. 3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from docbats.matrix import with_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray
    from scipy import sparse

    Scaling = Callable[[sparse.csr_array, float | None, float | None], sparse.csr_array]

__all__ = ["LAPLACIANS", "laplacian"]


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

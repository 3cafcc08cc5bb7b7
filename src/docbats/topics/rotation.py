"""Rotate singular vectors until each column loads on the words of one topic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["rotate"]

_SETTLING_ROWS = 4000  # the longest rows of V settle the rotation; more take longer
_SWEEPS = 5  # of varimax; more change next to nothing
_DECIMALS = 9  # to which two lengths must differ for one to be longer
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def rotate(V: Floats) -> Floats:
    """Rotate V until each column loads on the words of one topic.

    It starts where each column lies along one of a few long rows that point in different directions
    (Damle, Minden & Ying 2019) and goes on with some sweeps of varimax (Kaiser 1958), which finds
    the topics in singular vectors (Rohe & Zeng 2023).
    """
    longest = np.argsort(-(V**2).sum(axis=1).round(_DECIMALS), kind="stable")[:_SETTLING_ROWS]
    rows = V[longest]
    rotation = _nearest_rotation(rows[_spread_rows(rows)].T)
    for _ in range(_SWEEPS):
        loadings = rows @ rotation
        squares = loadings**2
        rotation = _nearest_rotation(rows.T @ (loadings * (squares - squares.mean(axis=0))))
    loadings = V @ rotation
    return loadings * np.where((loadings**2 * loadings).sum(axis=0) < 0, -1.0, 1.0)


def _spread_rows(rows: Floats) -> list[int]:
    """Pick as many rows as there are columns: each the longest, less what the others span."""
    picked: list[int] = []
    lengths = (rows**2).sum(axis=1)
    basis = np.zeros((rows.shape[1], rows.shape[1]))
    for i in range(len(basis)):
        picked.append(int(lengths.round(_DECIMALS).argmax()))
        row = rows[picked[-1]]
        left = row - (basis[:i] @ row) @ basis[:i]
        basis[i] = left / max(math.sqrt(left @ left), _TINY)
        lengths -= (rows @ basis[i]) ** 2
    return picked


def _nearest_rotation(matrix: Floats) -> Floats:
    left, _, right = np.linalg.svd(matrix)
    rotation: Floats = left @ right
    return rotation

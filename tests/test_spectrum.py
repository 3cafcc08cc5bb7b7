from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from tests.matrices import slow_except

import docbats.matrix
from docbats.matrix import leading_singular_vectors, unit_rows


def random_matrix(case: int) -> tuple[np.random.Generator, np.ndarray]:
    """Small ones for the dense solver, larger for the iterative one, some without full rank."""
    rng = np.random.default_rng(case)
    m, n = rng.integers(2, 60, size=2) + 170 * (case % 2)
    matrix = rng.random((m, n)) * (rng.random((m, n)) < 0.3)
    if case % 5 == 0:
        matrix = matrix[:, :2] @ rng.random((2, n))
    return rng, matrix


@pytest.mark.parametrize("case", slow_except(range(60), range(200)))
def test_equals_a_dense_svd(case: int) -> None:
    rng, matrix = random_matrix(case)
    k = int(rng.integers(1, min(8, *matrix.shape) + 1))
    spectrum = leading_singular_vectors(sparse.csr_array(matrix), k)
    U, sigma, Vt = np.linalg.svd(matrix, full_matrices=False)
    real = sigma[:k] > 1e-6 * max(sigma[0], 1e-9)
    np.testing.assert_allclose(spectrum.sigma, np.where(real, sigma[:k], 0), atol=1e-7)
    # Vectors are unique only up to sign, and up to rotation where singular values are equal; the
    # part of the matrix that they span is unique.
    expected = (U[:, :k] * np.where(real, sigma[:k], 0)) @ Vt[:k]
    found = (spectrum.U * spectrum.sigma) @ spectrum.V.T
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert spectrum.U.shape == (len(matrix), k)
    assert spectrum.V.shape == (matrix.shape[1], k)
    columns = np.diag(real.astype(float))
    np.testing.assert_allclose(spectrum.U.T @ spectrum.U, columns, atol=1e-6)
    np.testing.assert_allclose(spectrum.V.T @ spectrum.V, columns, atol=1e-6)


@pytest.mark.parametrize("size", [20, 300])
def test_signs_are_fixed_and_runs_repeat_bit_for_bit(size: int) -> None:
    matrix = np.random.default_rng(size).random((size, size + 7))
    first, second = (leading_singular_vectors(sparse.csr_array(matrix), 5) for _ in range(2))
    assert first.U.tobytes() == second.U.tobytes()
    assert first.V.tobytes() == second.V.tobytes()
    largest = first.U[np.abs(first.U).argmax(axis=0), range(5)]
    assert (largest > 0).all()


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (5, 4), (400, 300)])
def test_a_matrix_of_zeros_has_no_singular_vectors(shape: tuple[int, int]) -> None:
    spectrum = leading_singular_vectors(sparse.csr_array(shape, dtype=float), 3)
    assert not spectrum.sigma.any()
    assert not spectrum.U.any()
    assert spectrum.V.shape == (shape[1], 3)


def test_more_vectors_than_rows_are_padded_with_zeros() -> None:
    spectrum = leading_singular_vectors(sparse.csr_array(np.eye(2)), 5)
    np.testing.assert_allclose(spectrum.sigma, [1, 1, 0, 0, 0])
    assert spectrum.U.shape == spectrum.V.shape == (2, 5)


@pytest.mark.parametrize(("medium", "k"), [(300, 37), (0, 74)])
def test_both_solvers_agree_where_one_takes_over_from_the_other(
    monkeypatch: pytest.MonkeyPatch, medium: int, k: int
) -> None:
    monkeypatch.setattr(docbats.matrix, "_MEDIUM", medium)
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((300, 310), density=0.05, rng=rng, format="csr")
    few, many = (leading_singular_vectors(matrix, k) for k in (k, k + 1))
    np.testing.assert_allclose(few.sigma, many.sigma[:k], atol=1e-9)
    np.testing.assert_allclose(few.U, many.U[:, :k], atol=1e-6)


def test_unit_rows() -> None:
    rows = unit_rows(np.array([[3.0, 4.0], [0, 0], [1e-14, 0], [0, -2]]))
    np.testing.assert_allclose(rows, np.array([[0.6, 0.8], [0, 0], [0, 0], [0, -1]]))
    assert unit_rows(np.zeros((0, 3))).shape == (0, 3)
    assert not unit_rows(np.zeros((2, 0))).any()

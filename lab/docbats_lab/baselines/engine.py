"""The engine itself as a method: the paper's preset, and ours with and without a given k.

As a segmenter, ours detects the language, as it does for its users.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.errors import NoKeptWordsError
from docbats.matrix import count_classes
from docbats.pipeline import analyze
from docbats.topics import find_topics
from docbats_lab.methods import Segmenter, TopicMethod

if TYPE_CHECKING:
    from docbats.document import Source
    from docbats.result import Result
    from docbats_lab.methods import Prepared, Topics

_PAPER = (
    "Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic Modeling and "
    "Segmentation (arXiv:2008.02218); docbats, preset paper"
)
_SHARP = "docbats, preset sharp"
_PARAMETERS = {"preset": "sharp"}


# Topics


def _analyze(prepared: Prepared, k: int, seed: int, preset: str) -> Result | None:
    k = min(k, len(prepared.sentences))  # the engine refuses more segments than sentences
    try:
        return analyze(prepared.sentences, k=k, n_topics=k, preset=preset, seed=seed)
    except NoKeptWordsError:
        return None


def _find(prepared: Prepared, k: int, seed: int, *, preset: str) -> Topics:
    """Return all words of each topic."""
    result = _analyze(prepared, k, seed, preset)
    return [[word.word for word in topic.words] for topic in result.topics] if result else []


def _find_ten(prepared: Prepared, k: int, seed: int) -> Topics:
    """Find the topics of the preset sharp, each with ten words even if they do not go together.

    Short lists score better in UMass; this shows by how much.
    """
    result = _analyze(prepared, k, seed, "sharp")
    if result is None:
        return []
    text, V = result.analysis.text, result.analysis.spectrum.V
    classes = count_classes(text.words, text.classes, text.counts)
    found = find_topics(V, text.counts, classes, end_early=False)
    return [[text.counts.words[j] for j in topic.tolist()] for topic in found.words]


BATS_TOPICS = TopicMethod(
    "BATS", _PAPER, partial(_find, preset="paper"), {"preset": "paper"}, disjoint=True
)
DOCBATS_TOPICS = TopicMethod(
    "docbats", _SHARP, partial(_find, preset="sharp"), _PARAMETERS, disjoint=True
)
TEN_WORDS = TopicMethod(
    "docbats (ten words)",
    _SHARP + ", without lists that end early",
    _find_ten,
    _PARAMETERS,
    disjoint=True,
)


# Segments


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
        msg = f"the text is cut into {len(document)} sentences that differ from the scored ones"
        raise ValueError(msg)
    return document


def _cut_with_vectors(prepared: Prepared, k: int, seed: int) -> list[int]:
    from docbats_lab.baselines.minilm import encode

    return _cut(prepared.sentences, k, seed, embeddings=encode)


BATS = Segmenter("BATS", _PAPER, _cut_as_published, parameters={"preset": "paper"})
DOCBATS = Segmenter("docbats", _SHARP, _cut_with_own_k, parameters=_PARAMETERS, takes_k=False)
DOCBATS_K = Segmenter("docbats (k)", _SHARP, _cut_into_k, parameters=_PARAMETERS)
DOCBATS_PARAGRAPHS = Segmenter(
    "docbats, paragraphs",
    _SHARP + ", given the paragraphs",
    _cut_paragraphs_with_own_k,
    takes_k=False,
    parameters=_PARAMETERS,
    uses_paragraphs=True,
)
DOCBATS_PARAGRAPHS_K = Segmenter(
    "docbats (k), paragraphs",
    _SHARP + ", given the paragraphs",
    _cut_paragraphs_into_k,
    parameters=_PARAMETERS,
    uses_paragraphs=True,
)
DOCBATS_MINILM = Segmenter(
    "docbats + MiniLM (k)",
    _SHARP + ", with all-MiniLM-L6-v2 for embeddings",
    _cut_with_vectors,
    parameters={**_PARAMETERS, "embeddings": "all-MiniLM-L6-v2"},
    is_neural=True,
)

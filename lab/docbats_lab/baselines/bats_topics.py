"""The engine's own presets as topic methods."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from docbats.errors import NoKeptWordsError
from docbats.matrix import count_classes
from docbats.pipeline import analyze
from docbats.topics import find_topics
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from docbats.result import Result
    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared

_PAPER = (
    "Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic Modeling and "
    "Segmentation (arXiv:2008.02218); docbats, preset paper"
)


def _analyze(prepared: Prepared, k: int, seed: int, preset: str) -> Result | None:
    k = min(k, len(prepared.sentences))  # the engine refuses more segments than sentences
    try:
        return analyze(prepared.sentences, k=k, preset=preset, seed=seed)
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


METHODS = (
    TopicMethod("BATS", _PAPER, partial(_find, preset="paper"), {"preset": "paper"}, disjoint=True),
    TopicMethod(
        "docbats",
        "docbats, preset sharp",
        partial(_find, preset="sharp"),
        {"preset": "sharp"},
        disjoint=True,
    ),
)
TEN_WORDS = TopicMethod(
    "docbats (ten words)",
    "docbats, preset sharp, without lists that end early",
    _find_ten,
    {"preset": "sharp"},
    disjoint=True,
)

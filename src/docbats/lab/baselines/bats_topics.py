"""The engine's own presets as topic methods."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from docbats.errors import NoKeptWordsError
from docbats.lab.methods import TopicMethod
from docbats.pipeline import analyze

if TYPE_CHECKING:
    from docbats.lab.methods import Topics
    from docbats.lab.preparation import Prepared

__all__ = ["METHODS"]

_NAMES = {"paper": "BATS", "sharp": "docbats"}  # of each preset, as it stands in the tables


def _find(prepared: Prepared, k: int, seed: int, *, preset: str) -> Topics:
    """Give all words of each topic; no word is in two."""
    k = min(k, len(prepared.sentences))  # the engine refuses more segments than sentences
    try:
        result = analyze(prepared.sentences, k=k, preset=preset, seed=seed)
    except NoKeptWordsError:
        return []
    return [[scored.word for scored in topic.words] for topic in result.topics]


METHODS = tuple(
    TopicMethod(
        name=name,
        citation="Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic "
        f"Modeling and Segmentation (arXiv:2008.02218); docbats, preset {preset}",
        find=partial(_find, preset=preset),
        parameters={"preset": preset},
    )
    for preset, name in _NAMES.items()
)

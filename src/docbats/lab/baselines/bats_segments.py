"""The engine's own presets as segmenters."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from docbats.lab.methods import Segmenter
from docbats.pipeline import analyze

if TYPE_CHECKING:
    from docbats.lab.preparation import Prepared

__all__ = ["METHODS"]


def _cut(prepared: Prepared, k: int, seed: int, *, preset: str) -> list[int]:
    result = analyze(prepared.sentences, k=k, preset=preset, seed=seed)
    return [segment.sentences[0] for segment in result.segments]


METHODS = (
    Segmenter(
        name="BATS",
        citation="Wu et al. 2020, BATS: A Spectral Biclustering Approach to Single Document Topic "
        "Modeling and Segmentation (arXiv:2008.02218); docbats, preset paper",
        cut=partial(_cut, preset="paper"),
        parameters={"preset": "paper"},
    ),
)

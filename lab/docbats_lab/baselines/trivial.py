"""Segmenters that ignore the text: what every other method must beat.

Pevzner & Hearst, "A Critique and Improvement of an Evaluation Metric for Text Segmentation",
Computational Linguistics 28(1), 2002, show how well such cuts can score under Pk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from docbats_lab.preparation import Prepared

_CITATION = "Pevzner & Hearst 2002, Computational Linguistics 28(1)"


def cut_nowhere(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Leave the document whole."""
    return [0]


def cut_evenly(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut into k parts whose numbers of sentences differ by one at most."""
    m = len(prepared.sentences)
    return [i * m // k for i in range(k)]


def cut_randomly(prepared: Prepared, k: int, seed: int) -> list[int]:
    """Draw k - 1 of the gaps between sentences, each set of gaps as likely as any other."""
    m = len(prepared.sentences)
    gaps = np.random.default_rng(seed).choice(m - 1, size=k - 1, replace=False)
    return [0, *(np.sort(gaps) + 1).tolist()]


METHODS = (
    Segmenter("None", _CITATION, cut_nowhere, takes_k=False),
    Segmenter("Even (k)", _CITATION, cut_evenly),
    Segmenter("Random (k)", _CITATION, cut_randomly),
)

"""The document that all pictures show."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import docbats

if TYPE_CHECKING:
    from docbats.result import Result

_TEXT = Path(__file__).parents[3] / "examples" / "annual-report.txt"


@cache
def analyze(preset: str) -> Result:
    """Analyze the example sentence by sentence, into as many segments as `sharp` finds."""
    text = _TEXT.read_text(encoding="utf-8")
    settings = {"k": 6, "n_topics": 6, "vectors": True, "structure": "ignore"}
    return docbats.analyze(text, preset=preset, **settings)


def starts_of(result: Result) -> list[int]:
    """Return the first sentence of each segment, and the end of the last one."""
    return [*(segment.sentences[0] for segment in result.segments), len(result.document)]


def segment_of(result: Result) -> list[int]:
    """Return the segment of each sentence."""
    return np.repeat(np.arange(len(result.segments)), np.diff(starts_of(result))).tolist()

"""The words of Chinese and Japanese, which put no space between them: libraries of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

__all__ = ["Segmenter", "find_segmenter", "is_missing"]

Segmenter = Callable[[str], list[str]]
"""Cuts a run of characters into its words, which joined give it again."""

_LIBRARY = {"chinese": "rjieba", "japanese": "fugashi"}


@cache
def find_segmenter(name: str | None) -> Segmenter | None:
    """Load the segmenter of this name; None where it is not installed, or nothing needs one."""
    if name is None or is_missing(name):
        return None
    return _chinese() if name == "chinese" else _japanese()


@cache
def is_missing(name: str) -> bool:
    """Tell whether the library behind a segmenter is not installed."""
    return find_spec(_LIBRARY[name]) is None


def _chinese() -> Segmenter:
    import rjieba

    cut: Segmenter = rjieba.cut
    return cut


def _japanese() -> Segmenter:
    import fugashi

    tagger = fugashi.Tagger()
    return lambda run: [word.surface for word in tagger(run)]

"""Libraries that find the words of languages that put no space between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

__all__ = ["Segmenter", "SegmenterLibrary", "find_segmenter", "is_missing"]

Segmenter = Callable[[str], list[str]]
"""Cuts a run of characters into its words, which joined give it again."""


@dataclass(frozen=True)
class SegmenterLibrary:
    """An optional library that segments one language.

    Attributes
    ----------
    extra
        The extra of docbats that installs it.
    module
        The module that is there if it is installed.
    load
        Imports it and returns its segmenter.
    """

    extra: str
    module: str
    load: Callable[[], Segmenter]


@cache
def find_segmenter(library: SegmenterLibrary | None) -> Segmenter | None:
    """Load a segmenter; None where its library is not installed, or nothing needs one."""
    return None if library is None or is_missing(library) else library.load()


@cache
def is_missing(library: SegmenterLibrary) -> bool:
    """Whether the library is not installed."""
    return find_spec(library.module) is None

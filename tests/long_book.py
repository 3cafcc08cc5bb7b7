"""A book of any length whose parts, chapters and sections are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Book", "make_book"]

_SYLLABLES = ["ba", "ko", "ri", "tu", "me", "lo", "san", "dir", "fel", "gor", "hun", "jav"]
_WORDS_PER_SENTENCE = 10
_SHARES = (0.2, 0.2, 0.15)  # of the words: those of a part, of a chapter, of a section


@dataclass(frozen=True)
class Book:
    """A text and the first sentences of its parts, chapters and sections."""

    text: str
    starts: tuple[list[int], list[int], list[int]]


def make_book(
    n_sentences: int, parts: int = 4, chapters: int = 4, sections: int = 4, *, seed: int = 0
) -> Book:
    """Draw words from those of the part, the chapter, the section, or of the whole book."""
    rng = np.random.default_rng(seed)
    counts = (parts, parts * chapters, parts * chapters * sections)
    units = [np.arange(n_sentences) * count // n_sentences for count in counts]
    shape = (n_sentences, _WORDS_PER_SENTENCE)
    kind = np.searchsorted(np.cumsum(_SHARES), rng.random(shape), side="right")
    word = rng.integers(0, 20, shape) + 20 * np.choose(
        kind, [counts[0] + units[0][:, None], 100 + units[1][:, None], 1000 + units[2][:, None], 0]
    )
    word = np.where(kind == 3, rng.integers(0, 60, shape), word + 100)
    sentences = (" ".join(map(_word, row)).capitalize() + "." for row in word.tolist())
    starts = tuple(np.flatnonzero(np.diff(unit, prepend=-1)).tolist() for unit in units)
    return Book(" ".join(sentences), (starts[0], starts[1], starts[2]))


def _word(number: int) -> str:
    letters = []
    for _ in range(4):
        number, digit = divmod(number, len(_SYLLABLES))
        letters.append(_SYLLABLES[digit])
    return "".join(letters)

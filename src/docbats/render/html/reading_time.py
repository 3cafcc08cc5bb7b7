"""How long it takes to read a stretch of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.result import Result

__all__ = ["count_words", "minutes_to_read"]

_WORDS_PER_MINUTE = 230  # of silent reading


def count_words(result: Result, starts: Sequence[int]) -> list[int]:
    """Return the number of words in each stretch of sentences; `starts` are their first ones."""
    tokens = result.analysis.text.tokens
    is_word = np.array([any(map(str.isalnum, form)) for form in tokens.forms], bool)
    of_sentence = np.bincount(tokens.sentence[is_word[tokens.form]], minlength=len(result.document))
    return [int(n) for n in np.add.reduceat(of_sentence, list(starts))]


def minutes_to_read(words: int) -> int:
    """Return whole minutes, at least one.

    >>> minutes_to_read(12), minutes_to_read(1000)
    (1, 4)
    """
    return max(1, round(words / _WORDS_PER_MINUTE))

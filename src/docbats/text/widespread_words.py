"""Words that are all over a text: what stands for stop words in an unknown language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.text.words import normal_form

if TYPE_CHECKING:
    from docbats.text.tokens import Tokens

__all__ = ["find_widespread_words"]

_MAX_SHORT = 2  # letters of a word that is taken for grammar wherever it stands
_MAX_LETTERS = 5  # of a word that is taken for grammar if it is widespread
_N_PARTS, _MIN_PARTS = 10, 6  # a word in six tenths of the text is widespread
_MIN_SENTENCES = 20  # in a shorter text a tenth is too small to tell


def find_widespread_words(tokens: Tokens, n_sentences: int) -> frozenset[str]:
    """Find the words that are so short, or so short and so widespread, that they must be grammar.

    In scripts without small letters one character may say a lot, so no word counts as short there.
    """
    names = [normal_form(form) for form in tokens.forms]
    part = np.unique(tokens.form * _N_PARTS + tokens.sentence * _N_PARTS // n_sentences) // _N_PARTS
    is_long = n_sentences >= _MIN_SENTENCES
    parts = np.bincount(part, minlength=len(names)) if is_long else [0] * len(names)
    return frozenset(
        name
        for name, count in zip(names, parts, strict=True)
        if name.islower()
        and (len(name) <= _MAX_SHORT or (len(name) <= _MAX_LETTERS and count >= _MIN_PARTS))
    )

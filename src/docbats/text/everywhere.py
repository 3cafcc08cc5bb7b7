"""Words that are everywhere in a text: what stands for stop words where nobody knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.text.words import normal_form

if TYPE_CHECKING:
    from docbats.text.tokens import Tokens

__all__ = ["find_words_everywhere"]

_SHORT = 2  # letters of a word that is taken for grammar wherever it stands
_LONG = 5  # letters of a word that is never taken for grammar
_PARTS, _MOST = 10, 6  # a word in six tenths of the text is everywhere
_FEW = 20  # sentences, below which a tenth is too small to tell


def find_words_everywhere(tokens: Tokens, n_sentences: int) -> frozenset[str]:
    """Find the words that are so short, or so short and so widespread, that they must be grammar.

    In scripts without small letters one character may say a lot, so no word counts as short there.
    """
    names = [normal_form(form) for form in tokens.forms]
    part = np.unique(tokens.form * _PARTS + tokens.sentence * _PARTS // n_sentences) // _PARTS
    parts = np.bincount(part, minlength=len(names)) if n_sentences >= _FEW else [0] * len(names)
    return frozenset(
        name
        for name, count in zip(names, parts, strict=True)
        if name.islower() and (len(name) <= _SHORT or (len(name) <= _LONG and count >= _MOST))
    )

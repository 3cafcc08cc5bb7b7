"""Where segments begin that show again some of what comes before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.settings import Unit
    from docbats.text.tokens import Tokens

__all__ = ["overlap_starts"]


def overlap_starts(
    document: Document, tokens: Tokens, starts: NDArray[np.int64], overlap: int, unit: Unit
) -> list[int]:
    """Return the character where each segment begins with so much of what comes before it."""
    first = document.spans[:, 0]
    if unit == "sentences" or overlap == 0:
        earlier = np.maximum(starts - overlap, 0)
        return [int(first[sentence]) if sentence > 0 else 0 for sentence in earlier.tolist()]
    begin = np.concatenate([[0], first[starts[1:]]])
    is_word = np.array([form[0].isalnum() for form in tokens.forms])[tokens.form]
    words = tokens.start[is_word]
    after = np.searchsorted(words, begin)  # the first word of each segment
    if unit == "words":
        before = np.maximum(after - overlap, 0)
    else:
        before = np.searchsorted(words, begin - overlap)
    # A word that begins in the segment itself adds nothing to it.
    return [
        int(words[word]) if word < own else int(offset)
        for word, own, offset in zip(before.tolist(), after.tolist(), begin.tolist(), strict=True)
    ]

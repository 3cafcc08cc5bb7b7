"""What is true of the token before or after each token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.text.tokens import Tokens

    Flags = NDArray[np.bool_]

__all__ = ["following", "is_first", "previous"]


def is_first(tokens: Tokens) -> Flags:
    """Flag the first token of each sentence."""
    first = np.ones(len(tokens), np.bool_)
    np.not_equal(tokens.sentence[1:], tokens.sentence[:-1], out=first[1:])
    return first


def previous(flags: Flags) -> Flags:
    """Return for each token the flag of the token before it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[1:] = flags[:-1]
    return shifted


def following(flags: Flags) -> Flags:
    """Return for each token the flag of the token after it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[:-1] = flags[1:]
    return shifted

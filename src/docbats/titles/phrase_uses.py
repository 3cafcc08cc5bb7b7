"""Where phrases occur, in a form that features are counted from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PhraseUses"]


@dataclass(frozen=True, eq=False)
class PhraseUses:
    """Where phrases occur, each counted once in a sentence; sorted by phrase, then by place.

    Attributes
    ----------
    occurrence
        Of each use, its place among the occurrences of
        :class:`docbats.titles.phrases.Phrases`.
    phrase, sentence, weight
        Of each use, as in :class:`docbats.titles.phrases.Phrases`.
    number, total, capital
        Of each phrase, its number of uses, their weight, and the share of its occurrences that have
        a capital of their own.
    """

    occurrence: Ints
    phrase: Ints
    sentence: Ints
    weight: Floats
    number: Ints
    total: Floats
    capital: Floats

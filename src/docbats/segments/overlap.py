"""Where segments begin that show again some of what comes before them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.measure import largest_size, measured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.segments.measure import Measure
    from docbats.settings import Unit
    from docbats.text.tokens import Tokens

__all__ = ["overlap_starts"]


def overlap_starts(
    document: Document,
    tokens: Tokens,
    starts: NDArray[np.int64],
    overlap: int,
    unit: Unit | Measure,
    *,
    max_size: int | None = None,
) -> list[int]:
    """Return the character where each segment begins with so much of what comes before it.

    By a function that measures texts, the segment with its overlap is at most `max_size` large.
    """
    first = document.spans[:, 0]
    if unit == "sentences" or overlap == 0:
        earlier = np.maximum(starts - overlap, 0)
        return [int(first[sentence]) if sentence > 0 else 0 for sentence in earlier.tolist()]
    begin = np.concatenate([[0], first[starts[1:]]])
    words = tokens.start[tokens.is_word]
    after = np.searchsorted(words, begin)  # the first word of each segment
    if not isinstance(unit, str):
        room = _Room(document.text, unit, overlap, max_size)
        ends = [*begin[1:].tolist(), len(document.text)]
        return [
            room.earliest(words[:own], start, end)
            for own, start, end in zip(after.tolist(), begin.tolist(), ends, strict=True)
        ]
    if unit == "words":
        before = np.maximum(after - overlap, 0)
    else:
        before = np.searchsorted(words, begin - overlap)
    # A word that begins in the segment itself adds nothing to it.
    return [
        int(words[word]) if word < own else int(offset)
        for word, own, offset in zip(before.tolist(), after.tolist(), begin.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class _Room:
    """How much of a text the overlap, and a segment with it, have room for."""

    text: str
    measure: Measure
    overlap: int
    max_size: int | None

    def earliest(self, words: NDArray[np.int64], begin: int, end: int) -> int:
        """Return the earliest of the words before a segment that it can begin with."""
        back = 1
        while back < len(words) and self._holds(int(words[-back]), begin):
            back *= 2
        candidates = words[-back:].tolist()
        first = bisect_left(candidates, True, key=lambda start: self._holds(start, begin))
        for start in candidates[first:]:
            if self._holds(start, begin) and self._holds_all(start, end):
                return int(start)
        return begin

    def _holds(self, start: int, begin: int) -> bool:
        return measured(self.measure, self.text[start:begin]) <= self.overlap

    def _holds_all(self, start: int, end: int) -> bool:
        if self.max_size is None:
            return True
        return largest_size(self.measure, self.text[start:end]) <= self.max_size

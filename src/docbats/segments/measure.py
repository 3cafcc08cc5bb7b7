"""Sizes by a function from a text to its size, such as its number of tokens for a model."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.costs.size_limits import SizeLimits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.settings import Unit

__all__ = [
    "Measure",
    "largest_size",
    "measured",
    "measured_limits",
    "sentence_regions",
    "unit_name",
]

Measure = Callable[[str], int]
"""Takes a text and returns its size."""


def measured(measure: Measure, text: str) -> int:
    """Return the size of a text, if it is one.

    >>> measured(lambda text: len(text.split()), "Bats fly.")
    2
    """
    size = measure(text)
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 0:
        msg = f"size_unit must return a whole number, at least 0, for each text, got {size!r}"
        raise SettingsError(msg)
    return int(size)


def largest_size(measure: Measure, text: str) -> int:
    """Return the size of a text, or of the same without the blanks around it if that is larger.

    Tokens may take the blank before them in, so fewer characters can be more tokens.
    """
    stripped = text.strip()
    size = measured(measure, text)
    return size if stripped == text else max(size, measured(measure, stripped))


def unit_name(unit: Unit | Measure) -> str:
    """Return what messages call a unit of sizes.

    >>> unit_name("words"), unit_name(len)
    ('words', 'units of len')
    """
    if isinstance(unit, str):
        return unit
    return f"units of {getattr(unit, '__name__', type(unit).__name__)}"


def sentence_regions(document: Document) -> NDArray[np.int64]:
    """Find where the part of each sentence begins if they tile the text, and the text's end."""
    return np.concatenate([[0], document.spans[1:, 0], [len(document.text)]])


def measured_limits(
    document: Document, measure: Measure, minimum: int, maximum: int | None
) -> SizeLimits:
    """Return the limits of segments; no sentence is larger than the maximum."""
    found = _SentenceSizes(document.text, sentence_regions(document), measure)
    if maximum is None:
        return SizeLimits(found.sizes, max(0, minimum - found.edge))
    most = max(1, maximum - found.edge)
    least = max(0, min(minimum, maximum) - found.edge)
    sizes = np.minimum(found.sizes, most)
    return SizeLimits(sizes, least, most, found.between, maximum)


class _SentenceSizes:
    """The size of each sentence of a text, where sizes of texts need not add up.

    What a sentence adds is measured after the sentence before it. Two sentences may be smaller
    together than alone, since a tokenizer adds marks of its own to every text and joins blanks to
    words: `edge` is by how much, usually, the first sentence of a segment is larger.
    """

    def __init__(self, text: str, regions: NDArray[np.int64], measure: Measure) -> None:
        self._text = text
        self._regions = regions.tolist()
        self._measure = measure
        self._known: dict[tuple[int, int], int] = {}
        spans = list(pairwise(self._regions))
        alone = [measured(measure, text[start:end]) for start, end in spans]
        added = [
            measured(measure, text[before:end]) - size
            for (before, _), (_, end), size in zip(spans, spans[1:], alone, strict=False)
        ]
        edges = np.array(alone[1:]) - added
        empty = measured(measure, "")
        self.edge = max(empty, int(np.ceil(np.median(edges)))) if added else empty
        self.sizes = np.maximum([alone[0] - self.edge, *added], 0).astype(np.int64)

    def between(self, first: int, end: int) -> int:
        """Return the size of the sentences from `first` to before `end`, measured together."""
        if (first, end) not in self._known:
            piece = self._text[self._regions[first] : self._regions[end]]
            self._known[first, end] = largest_size(self._measure, piece)
        return self._known[first, end]

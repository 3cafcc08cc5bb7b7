"""What is known of how many parts people give a text; the constants are fitted.

``docbats lab run carry-over`` fits them to documents of many sources; docs/lab/carry-over.md has
how well they do on sources that they were not fitted to.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["PARTS", "PLAIN", "KModel", "PartsRule", "PlainRule"]


@dataclass(frozen=True)
class PartsRule:
    """How many parts people give a text, whatever its length.

    Attributes
    ----------
    gain
        The weight of what k segments gain, divided by `power` of the number of words.
    boundary
        What each boundary takes from the score.
    spread
        What the squared logarithm of k over `usual` takes from it.
    usual
        How many parts are the most usual, up to `book` words.
    book, growth, most
        A text of more words has more parts by this power of their number, at most so many times as
        many: a book has chapters.
    power
        By which gains grow with the number of words, where boundaries are equally plain.
    """

    gain: float
    boundary: float
    spread: float
    usual: float = 5.0
    power: float = 0.8
    book: float = 8_000
    growth: float = 0.9
    most: float = 3.0


@dataclass(frozen=True)
class PlainRule:
    """When the breaks of a text are plain, as between texts on subjects of their own.

    The breaks are plain where `gain` times the mean share of their cost that neighbours save by
    being apart, `vocabulary` times the log of distinct words per word and `length` times the log of
    words per segment, in sum, exceed `threshold`.

    Attributes
    ----------
    penalty
        What a boundary must gain, times the root of the number of words.
    share
        Of the mean gain of the boundaries, that each must gain.
    """

    gain: float = 215.0
    vocabulary: float = 5.3
    length: float = 1.5
    threshold: float = 4.6
    penalty: float = 0.15
    share: float = 0.12


PARTS = PartsRule(gain=27.0, boundary=3.5, spread=3.53)
PLAIN = PlainRule()


@dataclass(frozen=True, eq=False)
class KModel:
    """What to expect of the number of segments of one text.

    Attributes
    ----------
    n_tokens, n_roots
        How many words there are, and how many different ones.
    openings
        What the look of each sentence adds to the gain of a segment that begins with it, in a usual
        number of segments.
    parts, plain
        How many parts people give a text, and when its breaks are plain.
    temperature
        For each k, by what to divide costs for them to be logarithms of odds.
    scale
        How much more than the words alone other evidence, such as vectors, lets cuts gain.
    """

    n_tokens: float
    n_roots: int
    openings: Floats
    parts: PartsRule
    temperature: Callable[[int], float]
    scale: float = 1.0
    plain: PlainRule = PLAIN

    @property
    def unit(self) -> float:
        """Gains over this are the logarithms of odds."""
        return float(self.scale * max(1.0, self.n_tokens) ** self.parts.power / self.parts.gain)

    @property
    def plain_penalty(self) -> float:
        """What a boundary must gain where breaks are plain."""
        return self.scale * self.plain.penalty * sqrt(max(1.0, self.n_tokens))

    @property
    def is_book(self) -> bool:
        """Whether a text is so long that nobody would leave it in one piece."""
        return self.n_tokens > self.parts.book

    def log_odds(self, gains: Floats, factor: float) -> Floats:
        """Return for 1, 2, ... segments how well they do, but for a constant.

        `factor` says how many times as many parts as usual are wanted.
        """
        rule, k = self.parts, np.arange(1, len(gains) + 1)
        if self.is_book:
            factor *= min(rule.most, (self.n_tokens / rule.book) ** rule.growth)
        expected = rule.boundary / factor * (k - 1)
        expected = expected + rule.spread * np.log(k / (factor * rule.usual)) ** 2
        return np.asarray(gains / self.unit - expected)

    def is_plain(self, savings: Floats) -> bool:
        """Whether the breaks are plain, by the share of their cost that neighbours save."""
        if not len(savings) or self.n_tokens < 1:
            return False
        rule = self.plain
        sign = (
            rule.gain / self.scale * float(np.mean(savings))
            + rule.vocabulary * log(max(1, self.n_roots) / self.n_tokens)
            + rule.length * log(self.n_tokens / (len(savings) + 1))
        )
        return sign > rule.threshold

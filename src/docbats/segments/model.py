"""The fitted constants of the cut and of the number of segments; docs/sharp.md has how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.evidence import OPENING_FEATURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


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


_USUAL_WORDS = 300  # of a segment


@dataclass(frozen=True)
class CutModel:
    """What the cut by likelihood expects of texts.

    Attributes
    ----------
    priors
        Concentrations of the Dirichlet prior; the costs under each are averaged, since no one fits
        all texts.
    root_letters
        Letters of a stem that count: "biolog(ical)" and "biolog(y)" are one root. 0 is all.
    rare_roots
        Whether roots of a single sentence count.
    function_word_weight
        The weight of pronouns and auxiliaries.
    openings
        The weight of the log odds that a segment begins with a sentence, by its look.
    opening_weights
        In these log odds, the weights of the features of a sentence.
    heading
        Log odds that a segment begins with a heading.
    length
        How firmly lengths are expected around their mean, as the weight of a squared log ratio.
    first_length, first_share, last_length, last_share
        The same for the first and the last segment where they are short: they are then expected at
        a share of the mean.
    short_ends
        How likely these are short.
    expectations
        By how much these expectations count in segments of the usual number of words.
    growth
        With more words they count for more, since the likelihood then is too sure of itself: by
        which power of the number.
    boundary_penalty
        What a boundary must gain to be drawn, times the root of the number of words; larger: fewer
        segments.
    parts
        How many parts people give a text.
    vectors
        The weight of a sentence's vector, in units of the logarithm of a likelihood.
    """

    priors: tuple[float, ...] = (0.1, 0.3, 1.0)
    root_letters: int = 6
    rare_roots: bool = False
    function_word_weight: float = 0.4
    openings: float = 1.0
    opening_weights: tuple[float, ...] = tuple(OPENING_FEATURES.values())
    heading: float = 6.0
    length: float = 0.3
    first_length: float = 1.2
    first_share: float = 0.25
    last_length: float = 0.6
    last_share: float = 0.4
    short_ends: float = 0.5
    expectations: float = 5.0
    growth: float = 0.7
    boundary_penalty: float = 0.35
    parts: PartsRule = PARTS
    vectors: float = 80.0

    def expectation_scale(self, n_tokens: float, k: float) -> float:
        """Return by which factor expectations count where so many words make k segments."""
        return float(self.expectations * (max(n_tokens, 1) / k / _USUAL_WORDS) ** self.growth)


FLAT = CutModel()
"""For a text that is but a list of sentences."""

STRUCTURED = CutModel(
    priors=(0.4, 1.0), expectations=2.5, growth=1.0, length=0.6, first_share=0.3, last_share=1.0,
    short_ends=1.0, boundary_penalty=0.23, parts=replace(PARTS, gain=90.0),
)  # fmt: skip
"""For a text whose author left breaks."""

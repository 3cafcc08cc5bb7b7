"""The constants of the cut by likelihood; docs/sharp.md has how they were chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docbats.segments.k_model import PARTS, PartsRule
from docbats.segments.opening_odds import OPENING_FEATURES

__all__ = ["FLAT", "STRUCTURED", "CutModel"]

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

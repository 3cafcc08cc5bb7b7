"""The constants of the cut by likelihood; docs/sharp.md has how they were chosen."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FLAT", "STRUCTURED", "CutModel"]


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
    continuing, shifting, heading
        Log odds that a segment begins with a sentence that goes on with what was said, one that
        turns to something else, and a heading.
    length
        How firmly lengths are expected around their mean, as the weight of a squared log ratio.
    first_length, first_share
        The same for the first segment, which is expected at a share of the mean.
    reference
        Words of a segment at which these expectations count as they are written; with more words
        they count for more, since the likelihood then is too sure of itself. None: always so.
    boundary_penalty
        What a boundary must gain to be drawn, times the root of the number of words; larger: fewer
        segments.
    vectors
        The weight of a sentence's vector, in units of the logarithm of a likelihood.
    """

    priors: tuple[float, ...] = (0.05, 0.15, 0.4)
    root_letters: int = 6
    rare_roots: bool = False
    function_word_weight: float = 0.4
    continuing: float = -0.6
    shifting: float = 0.4
    heading: float = 6.0
    length: float = 0.6
    first_length: float = 1.2
    first_share: float = 0.3
    reference: float | None = 60.0
    boundary_penalty: float = 0.35
    vectors: float = 80.0

    def expectation_scale(self, n_tokens: float, k: int) -> float:
        """Return by which factor expectations count where so many words make k segments."""
        return 1.0 if self.reference is None else max(n_tokens, 1) / k / self.reference


FLAT = CutModel()
"""For a text that is but a list of sentences."""

STRUCTURED = CutModel(priors=(0.4, 1.0), reference=120.0, boundary_penalty=0.23)
"""For a text whose author left breaks."""

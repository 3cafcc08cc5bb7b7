"""The rules that are fitted, together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.segments.choose_k import PLAIN, STRENGTH
from docbats.segments.costs import FLAT, PARTS, STRUCTURED
from docbats.segments.evidence import OPENING_FEATURES

if TYPE_CHECKING:
    from docbats.segments.choose_k import PlainRule, StrengthRule
    from docbats.segments.costs import CutModel, PartsRule


@dataclass(frozen=True)
class Rules:
    """What the cut and the choice of k have learned; by default what docbats has.

    Attributes
    ----------
    openings
        The weights of the features of a sentence that opens a segment.
    plain
        When the breaks of a text are plain.
    parts
        How many parts people give a text.
    structured_gain
        The weight of gains where the author left breaks, in place of that of `parts`.
    strength
        How likely a person would draw a boundary.
    """

    openings: tuple[float, ...] = tuple(OPENING_FEATURES.values())
    plain: PlainRule = PLAIN
    parts: PartsRule = PARTS
    structured_gain: float = STRUCTURED.parts.gain
    strength: StrengthRule = STRENGTH

    @property
    def flat_model(self) -> CutModel:
        """The constants of the cut of a list of sentences."""
        return replace(FLAT, opening_weights=self.openings, parts=self.parts)

    @property
    def structured_model(self) -> CutModel:
        """The constants of the cut of a text whose author left breaks."""
        return replace(STRUCTURED, parts=replace(self.parts, gain=self.structured_gain))

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON-ready values."""
        return {
            "openings": dict(zip(OPENING_FEATURES, self.openings, strict=True)),
            "plain": asdict(self.plain),
            "parts": asdict(self.parts),
            "structured gain": self.structured_gain,
            "strength": asdict(self.strength),
        }

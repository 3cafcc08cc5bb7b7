"""The number of segments, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.block_gains import BlockGains

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost
    from docbats.settings import Granularity

    Floats = NDArray[np.float64]
    _Numbers = tuple[int, int | None] | None  # the least and the most segments

__all__ = ["Choice", "choose_k", "choose_k_by_gains", "heading_starts", "worth_penalty"]

_MAX_SECTIONS = 60  # of the author's that are followed; more are too many for one list
_MAX_COARSE_SECTIONS = 5  # more are gathered into parts where the segments are to be coarse
_PARTS_FACTOR = {"coarse": 0.5, "medium": 1.0, "fine": 2.0}  # of the number that is usual
_COARSER, _FINER = 2 / 3, 1.5  # times the usual number of segments at most, at least
_MIN_GAIN_SHARE = 0.15  # of the mean gain, that a boundary must gain by a cost without a model of k


@dataclass(frozen=True)
class Choice:
    """How many segments a document has, and why.

    Attributes
    ----------
    k
        The number chosen.
    runner_up
        The next best number, or None where there is no other.
    gains
        How much less the best 1, 2, ... segments cost than one segment does; for the cut by
        likelihood in logarithms of likelihoods.
    penalty
        What a boundary must gain to be worth it.
    scores
        For 1, 2, ... segments, the gain minus what so many segments must gain; k has the largest of
        those that `granularity` allows.
    confidence
        From 0 to 1, how far k stands out among the other numbers; None where it is not rated.
    has_plain_breaks
        Whether the parts are as different as texts on subjects of their own.
    follows_headings
        Whether the author's headings decided.
    n_sections
        How many sections these headings make; more than k where sections are gathered into parts.
    reason
        Why k was chosen, in a sentence or two.
    """

    k: int
    runner_up: int | None
    gains: tuple[float, ...] = field(repr=False)
    penalty: float
    scores: tuple[float, ...] = field(default=(), repr=False)
    confidence: float | None = None
    has_plain_breaks: bool = field(default=False, repr=False)
    follows_headings: bool = False
    n_sections: int | None = field(default=None, repr=False)
    reason: str = field(default="", compare=False, repr=False)

    def _repr_html_(self) -> str:
        """Show the reason and the numbers around k in a notebook."""
        from docbats.render.notebook import choice_card

        return choice_card(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON-ready values."""
        return {
            "k": self.k,
            "runner_up": self.runner_up,
            "confidence": None if self.confidence is None else round(self.confidence, 3),
            "reason": self.reason,
            "penalty": round(self.penalty, 6),
            "scores": [round(score, 6) for score in self.scores],
        }


def choose_k(cost: SegmentCost, n_sentences: int, granularity: Granularity = "medium") -> Choice:
    """Find how many segments the words, and what is known of people's habits, speak for.

    A text stays whole where no cut is worth its penalty. Where the breaks are plain, each is kept
    that gains its penalty and a fair share of what the others gain. Elsewhere gains are weighed
    against the number of parts that people give a text. A cost of the user's own has nothing but
    its penalty.
    """
    if cost.penalty is None:
        msg = 'k must be a whole number, got "auto": the cost of the setting cut has no penalty'
        raise SettingsError(msg)
    factor = _PARTS_FACTOR[granularity]
    sections = heading_starts(cost, granularity)
    if sections is not None:
        n = k = len(sections)
        if granularity == "coarse" and n > _MAX_COARSE_SECTIONS:
            k = round(sqrt(n))
        return Choice(k, None, (), cost.penalty / factor, follows_headings=True, n_sections=n)
    return choose_k_by_gains(BlockGains(cost, n_sentences), granularity)


def choose_k_by_gains(blocks: BlockGains, granularity: Granularity) -> Choice:
    """Do the same without the author's headings."""
    medium = _weigh(blocks)
    if granularity == "medium":
        return medium
    factor = _PARTS_FACTOR[granularity]
    return _weigh(blocks, factor, _other_numbers(medium.k, granularity))


def _weigh(blocks: BlockGains, factor: float = 1.0, allowed: _Numbers = None) -> Choice:
    """Weigh what cuts gain where `factor` times the usual number of parts is wanted."""
    penalty, model, gains = blocks.cost.penalty or 0.0, blocks.cost.k_model, blocks.gains()
    if model is None:
        return worth_penalty(gains, penalty / factor, _MIN_GAIN_SHARE, allowed)
    alone = worth_penalty(gains, penalty / factor, 0.0)
    if alone.k == 1 and not model.is_book:
        return _rated(alone, model.unit)
    penalty, share = model.plain_penalty, model.plain.share
    plain = worth_penalty(gains, penalty, share)
    # Whether breaks are plain does not depend on how many are wanted.
    if plain.k > 1 and model.is_plain(blocks.savings(plain.k)):
        wanted = worth_penalty(gains, penalty / factor, share / factor, allowed)
        return _rated(wanted, model.unit, has_plain_breaks=True)
    gains = blocks.gains(model.openings)
    scores = model.log_odds(gains, factor) * model.unit
    penalty = model.parts.boundary / factor * model.unit
    return _rated(_choice(gains, scores - scores[0], penalty, allowed), model.unit)


def _other_numbers(medium: int, granularity: Granularity) -> _Numbers:
    """Return the least and the most segments, where they are to be coarser or finer than usual."""
    if medium == 1:
        return None
    if granularity == "coarse":
        return 1, int(_COARSER * medium)
    return ceil(_FINER * medium), None


def heading_starts(cost: SegmentCost, granularity: Granularity) -> NDArray[np.int64] | None:
    """Return where the sections begin by which the author's headings divide the text.

    Where segments are to be fine, sections of the next level count, too, if there are any. None
    where headings do not divide the text, or into too many sections for one list.
    """
    levels = [cost.section_starts]
    if granularity == "fine":
        levels.insert(0, cost.subsection_starts)
    for starts in levels:
        if starts is not None and len(starts) <= _MAX_SECTIONS:
            return starts
    return None


def worth_penalty(
    gains: Floats, penalty: float, min_share: float, allowed: _Numbers = None
) -> Choice:
    """Keep boundaries that gain the penalty, and a share of what they gain on average.

    In a text of plain breaks the small ones inside its parts are not meant. `allowed` may bound the
    number of segments.
    """
    number = np.arange(len(gains))
    k = _best(gains - penalty * number)
    while k > 1:
        larger = max(penalty, min_share * float(gains[k - 1]) / (k - 1))
        fewer = _best(gains - larger * number)
        if fewer >= k:
            break
        k, penalty = fewer, larger
    return _choice(gains, gains - penalty * number, penalty, allowed)


def _choice(gains: Floats, scores: Floats, penalty: float, allowed: _Numbers) -> Choice:
    least, most = allowed or (1, None)
    least = min(least, len(scores))
    k = least - 1 + _best(scores[least - 1 : most])
    numbers = (least + i for i in np.argsort(-scores[least - 1 : most], kind="stable").tolist())
    runner_up = next((number for number in numbers if number != k), None)
    return Choice(k, runner_up, tuple(gains.tolist()), penalty, tuple(scores.round(6).tolist()))


def _rated(choice: Choice, unit: float, *, has_plain_breaks: bool = False) -> Choice:
    """Add how far k stands out; scores divided by the unit are log odds."""
    odds = np.exp((np.array(choice.scores) - max(choice.scores)) / unit)
    confidence = float(odds[choice.k - 1] / odds.sum())
    return replace(choice, confidence=confidence, has_plain_breaks=has_plain_breaks)


def _best(scores: Floats) -> int:
    """Return the number of segments of the largest score, the smallest of equals."""
    return int(np.argmax(scores.round(6))) + 1

"""The number of segments, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import SettingsError
from docbats.segments.dynamic_programming import least_costs
from docbats.segments.search import block_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.costs.cost import SegmentCost
    from docbats.settings import Granularity

__all__ = ["Choice", "choose_k", "heading_starts"]

_MAX_BLOCKS = 256  # a longer text is cut between so many blocks of sentences; more take longer
_MAX_K = 100
_MAX_SECTIONS = 60  # of the author's that are followed; more are too many for one list
_MAX_COARSE_SECTIONS = 5  # more are gathered into parts where the segments are to be coarse
_PENALTY_FACTOR = {"coarse": 2.0, "medium": 1.0, "fine": 0.5}
_MIN_GAIN_SHARE = 0.15  # of the mean gain of the boundaries, that one must gain; larger: fewer


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
    follows_headings
        Whether the author's headings decided.
    n_sections
        How many sections these headings make; more than k where sections are gathered into parts.
    """

    k: int
    runner_up: int | None
    gains: tuple[float, ...] = field(repr=False)
    penalty: float
    follows_headings: bool = False
    n_sections: int | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """For 1, 2, ... segments, the gain minus a penalty for each boundary; k has the largest."""
        return tuple(gain - self.penalty * i for i, gain in enumerate(self.gains))

    @property
    def reason(self) -> str:
        """Why k was chosen, in one sentence."""
        if self.follows_headings and self.n_sections not in {None, self.k}:
            return f"The {self.n_sections} sections of the text are gathered into {self.k} parts."
        if self.follows_headings:
            return f"The headings of the text divide it into {self.k} parts."
        if len(self.gains) == 1:
            return "The text is too short to be cut."
        if self.k == 1:
            return (
                "The text stays in one piece: no cut explains its words so much better that it "
                "would be worth it."
            )
        text = f"{self.k} segments explain the words best"
        if self.runner_up is None:
            return text + "."
        behind = self.scores[self.k - 1] - self.scores[self.runner_up - 1]
        closeness = "closely followed by" if behind < self.penalty / 2 else "ahead of"
        return f"{text} for the boundaries they take, {closeness} {self.runner_up}."

    def _repr_html_(self) -> str:
        """Show the reason and the numbers around k in a notebook."""
        from docbats.render.notebook import choice_card

        return choice_card(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON-ready values."""
        return {
            "k": self.k,
            "runner_up": self.runner_up,
            "reason": self.reason,
            "penalty": round(self.penalty, 6),
            "scores": [round(score, 6) for score in self.scores],
        }


def choose_k(cost: SegmentCost, n_sentences: int, granularity: Granularity = "medium") -> Choice:
    """Find the number of segments beyond which a further boundary gains too little.

    A boundary has to gain the penalty of the cost, twice or half of it where the segments are to be
    coarse or fine; and a fair share of what the boundaries gain on average, since in a text of
    plain breaks the small ones inside its parts are not meant.
    """
    if cost.penalty is None:
        msg = 'k must be a whole number, got "auto": the cost of the setting cut has no penalty'
        raise SettingsError(msg)
    m, penalty = n_sentences, cost.penalty * _PENALTY_FACTOR[granularity]
    sections = heading_starts(cost, granularity)
    if sections is not None:
        n = k = len(sections)
        if granularity == "coarse" and n > _MAX_COARSE_SECTIONS:
            k = round(sqrt(n))
        return Choice(k, None, (), penalty, follows_headings=True, n_sections=n)
    edges = block_edges(cost, m, _MAX_BLOCKS)
    n_blocks = len(edges) - 1
    costs = cost.table(edges, n_blocks)
    totals = least_costs(costs, min(n_blocks, _MAX_K, ceil(2.5 * sqrt(m))))
    gains = (totals[0] - totals).round(6)
    k = _best(gains, penalty)
    while k > 1:
        larger = max(penalty, _MIN_GAIN_SHARE * float(gains[k - 1]) / (k - 1))
        fewer = _best(gains, larger)
        if fewer >= k:
            break
        k, penalty = fewer, larger
    scores = gains - penalty * np.arange(len(gains))
    others = [i + 1 for i in np.argsort(-scores, kind="stable").tolist() if i + 1 != k]
    return Choice(k, others[0] if others else None, tuple(gains.tolist()), penalty)


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


def _best(gains: NDArray[np.float64], penalty: float) -> int:
    """Return the number of segments of the largest score, the smallest of equals."""
    return int(np.argmax((gains - penalty * np.arange(len(gains))).round(6))) + 1

"""The number of segments, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.segments.costs.dirichlet import block_costs
from docbats.segments.dynamic_programming import least_costs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence

__all__ = ["Choice", "boundary_penalty", "choose_k"]

_BLOCKS = 256  # a longer text is cut between so many blocks of sentences to choose k
_MOST = 100
PENALTY_SCALE = 0.35  # of a boundary, times the root of the number of words
_SHARE = 0.15  # of what the boundaries gain on average, that one must gain to count


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
        How much better the best 1, 2, ... segments explain the words than one segment does, as
        logarithms of likelihoods.
    penalty
        What a boundary must gain to be worth it.
    """

    k: int
    runner_up: int | None
    gains: tuple[float, ...]
    penalty: float

    @property
    def scores(self) -> tuple[float, ...]:
        """For 1, 2, ... segments, the gain minus a penalty for each boundary; k has the largest."""
        return tuple(gain - self.penalty * i for i, gain in enumerate(self.gains))

    @property
    def reason(self) -> str:
        """Say in one sentence why k was chosen."""
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

    def to_dict(self) -> dict[str, Any]:
        """Give the choice as JSON-ready values."""
        return {
            "k": self.k,
            "runner_up": self.runner_up,
            "reason": self.reason,
            "penalty": round(self.penalty, 6),
            "scores": [round(score, 6) for score in self.scores],
        }


def choose_k(evidence: Evidence) -> Choice:
    """Find the number of segments beyond which a further boundary gains too little.

    A boundary has to gain in proportion to the root of the number of words, since the likelihood
    takes words for independent; and a fair share of what the boundaries gain on average, since in a
    text of plain breaks the small ones inside its parts are not meant.
    """
    m = len(evidence)
    step = ceil(m / _BLOCKS)
    edges = np.append(np.arange(0, m, step), m)
    n_blocks = len(edges) - 1
    costs = block_costs(evidence, edges, n_blocks)
    totals = least_costs(costs, min(n_blocks, _MOST, ceil(2.5 * sqrt(m))))
    gains = (totals[0] - totals).round(6)
    penalty = boundary_penalty(evidence)
    k = _best(gains, penalty)
    while k > 1:
        dearer = max(penalty, _SHARE * float(gains[k - 1]) / (k - 1))
        fewer = _best(gains, dearer)
        if fewer >= k:
            break
        k, penalty = fewer, dearer
    scores = gains - penalty * np.arange(len(gains))
    others = [i + 1 for i in np.argsort(-scores, kind="stable").tolist() if i + 1 != k]
    return Choice(k, others[0] if others else None, tuple(gains.tolist()), penalty)


def boundary_penalty(evidence: Evidence) -> float:
    """Tell what a boundary should gain at least, given how many words there are."""
    return PENALTY_SCALE * sqrt(max(1, evidence.n_tokens))


def _best(gains: NDArray[np.float64], penalty: float) -> int:
    """Give the number of segments of the largest score, the smallest of equals."""
    return int(np.argmax((gains - penalty * np.arange(len(gains))).round(6))) + 1

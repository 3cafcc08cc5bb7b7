"""Rank the phrases of each segment, or of each topic, by a linear model."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.titles.features import FEATURES, find_candidates
from docbats.titles.title_text import SCORE_DECIMALS
from docbats.titles.title_weights import TITLE_WEIGHTS
from docbats.top_scores import may_be_top

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from docbats.titles.features import SentenceGroups
    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]

__all__ = ["RankedPhrase", "rank_phrases"]

MAX_CANDIDATES = 12
"""The most phrases of a segment that are looked at."""

_WEAK = 1000.0  # taken off the score of what is no title, so that anything else goes before it
_SAYS_LITTLE = 2000.0  # likewise, of what says little


class RankedPhrase(NamedTuple):
    """A phrase of a segment.

    With its score there, whether it is good for a title, and whether it is good as the second
    phrase of one.
    """

    phrase: int
    score: float
    is_good: bool
    is_second: bool


def rank_phrases(
    phrases: Phrases,
    groups: SentenceGroups,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
    allowed: Flags | None = None,
) -> list[list[RankedPhrase]]:
    """Rank the phrases of each group of sentences, best first, the earliest of equals.

    `allowed` tells for each phrase and group whether it may be among them; all may by default.
    """
    found = find_candidates(phrases, groups, None if allowed is not None else MAX_CANDIDATES)
    score = sum((weights[name] * found.features[name] for name in FEATURES), np.zeros(1))
    score -= np.where(phrases.says_little[found.phrase], _SAYS_LITTLE, _WEAK * ~found.is_title)
    score = score.round(SCORE_DECIMALS)
    if allowed is None:
        order = may_be_top(found.group, score, len(groups.size), MAX_CANDIDATES)
    else:
        order = np.flatnonzero(allowed[found.phrase, found.group])
    start = phrases.start[found.use[order]]
    order = order[np.lexsort((start, -score[order], found.group[order]))]
    edges = np.searchsorted(found.group[order], np.arange(len(groups.size) + 1)).tolist()
    tops = [order[low : min(high, low + MAX_CANDIDATES)] for low, high in pairwise(edges)]
    return [
        [
            RankedPhrase(*row)
            for row in zip(
                found.phrase[top].tolist(),
                score[top].tolist(),
                found.is_title[top].tolist(),
                (found.is_own[top] & found.is_title[top]).tolist(),
                strict=True,
            )
        ]
        for top in tops
    ]

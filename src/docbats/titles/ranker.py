"""Rank the phrases of each segment, or of each topic, by a linear model."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.titles.features import FEATURES, find_candidates
from docbats.titles.title_text import SCORE_DECIMALS
from docbats.titles.title_weights import TITLE_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from docbats.titles.features import Candidates, SentenceGroups
    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]

__all__ = ["RankedPhrase", "is_no_title", "rank_phrases"]

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
    found = find_candidates(phrases, groups)
    score = found.features @ np.array([weights[name] for name in FEATURES])
    is_bad = is_no_title(phrases, found)
    score -= np.where(phrases.says_little[found.phrase], _SAYS_LITTLE, _WEAK * is_bad)
    score = score.round(SCORE_DECIMALS)
    order = np.lexsort((phrases.start[found.use], -score, found.group))
    if allowed is not None:
        order = order[allowed[found.phrase[order], found.group[order]]]
    edges = np.searchsorted(found.group[order], np.arange(len(groups.size) + 1)).tolist()
    tops = [order[low : min(high, low + MAX_CANDIDATES)] for low, high in pairwise(edges)]
    return [
        [
            RankedPhrase(*row)
            for row in zip(
                found.phrase[top].tolist(),
                score[top].tolist(),
                (~is_bad[top]).tolist(),
                (found.is_own[top] & ~is_bad[top]).tolist(),
                strict=True,
            )
        ]
        for top in tops
    ]


def is_no_title(phrases: Phrases, found: Candidates) -> Flags:
    """Flag what says little, words that may only happen to meet, and the document's subject.

    And what the text has in oblique cases only.
    """
    is_subject = (phrases.n_words == 1) | phrases.is_name
    is_bad = phrases.says_little | phrases.is_oblique
    no_title: Flags = (
        is_bad[found.phrase] | found.is_chance | (is_subject[found.phrase] & found.is_everywhere)
    )
    return no_title

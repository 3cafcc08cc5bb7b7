"""How likely a segment begins with each sentence, by its first word and by what stands around it.

The weights were fitted by ``docbats lab run carry-over`` to documents of many sources whose
sections are known; docs/lab/carry-over.md has how well they do on sources that they were not fitted
to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.segments.evidence import Evidence

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["OPENING_FEATURES", "heads_what_follows", "opening_features"]

_SPANS = (2, 5, 12, 30)  # sentences before and after a place that are compared
_HEADED = 5  # sentences, in which the words of a heading come again

OPENING_FEATURES = {
    "a word that goes on": -1.23,
    "likeness of 2 sentences": -0.89,
    "likeness of 5 sentences": -0.54,
    "likeness of 12 sentences": -0.25,
    "likeness of 30 sentences": -0.12,
}
"""The features of a sentence, and what each adds to the log odds."""


def opening_features(evidence: Evidence) -> Floats:
    """Return the features of each sentence; zeros for the first, which has to open the text."""
    places = _Occurrences(evidence)
    columns = [evidence.continues, *(places.likeness(span) for span in _SPANS)]
    features = np.column_stack(columns).astype(float)
    features[:1] = 0
    return features


def heads_what_follows(evidence: Evidence) -> Bools:
    """Find the headings more of whose words come again right after them than came right before."""
    places = _Occurrences(evidence)
    after = places.following - evidence.sentence <= _HEADED
    before = evidence.sentence - places.preceding <= _HEADED
    balance = np.bincount(evidence.sentence, after.astype(float) - before, minlength=len(evidence))
    return np.asarray(evidence.is_heading & (balance > 0))


class _Occurrences:
    """Each use of a root, with the sentences of its uses before and after; nowhere is far away."""

    def __init__(self, evidence: Evidence) -> None:
        self._m = m = len(evidence)
        sentence, far = evidence.sentence, 4 * m + 4 * max(_SPANS)
        is_same = np.diff(evidence.root) == 0
        self.sentence = sentence
        self.preceding = np.full(len(sentence), -far)
        self.preceding[1:][is_same] = sentence[:-1][is_same]
        self.following = np.full(len(sentence), far)
        self.following[:-1][is_same] = sentence[1:][is_same]
        uses = np.bincount(evidence.root, minlength=len(evidence.weight))
        rarity = np.log((m + 1) / (uses + 0.5)) * evidence.weight
        self._square = (rarity**2)[evidence.root]

    def likeness(self, span: int) -> Floats:
        """Return the cosine of the sets of roots before and from each sentence on, standardized.

        A root is in both sets of a place where two uses of it that follow each other lie on either
        side, near enough: all places of such a pair are one range, and all ranges one running sum.
        """
        at, following = self.sentence, self.following
        both = self._sum(np.maximum(at + 1, following - span + 1), np.minimum(following, at + span))
        before = self._sum(at + 1, np.minimum(at + span, following))
        after = self._sum(np.maximum(at - span, self.preceding) + 1, at)
        cosine = both / np.sqrt(np.maximum(before * after, 1e-12))
        inner = cosine[1:]
        scatter = inner.std() if len(inner) else 0.0
        if scatter < 1e-9:
            return np.zeros(self._m)
        return np.asarray((cosine - inner.mean()) / scatter)

    def _sum(self, first: Ints, last: Ints) -> Floats:
        """Add the weight of each use to the places from `first` to `last`."""
        m = self._m
        kept = last >= first
        weight = self._square[kept]
        steps = np.bincount(np.clip(first[kept], 0, m), weight, minlength=m + 1)
        steps -= np.bincount(np.clip(last[kept] + 1, 0, m), weight, minlength=m + 1)
        return np.asarray(np.cumsum(steps)[:m], float)

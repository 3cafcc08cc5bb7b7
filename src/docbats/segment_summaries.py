"""One sentence for each segment, which sums it up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.sentence_fitness import OPENING_FACTOR, find_prose, stand_alone
from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Document
    from docbats.text.languages.language import Language

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["SegmentSummaries", "SegmentSummary"]

_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too
_DECIMALS = 9  # to which worths must differ for one to be the larger


@dataclass(frozen=True)
class SegmentSummary:
    """The sentence that sums up a segment, and how much of the whole document it says."""

    sentence: int
    worth: float


class SegmentSummaries:
    """Chooses for each segment the sentence that says most of what it says, and stands alone.

    A sentence is worth its likeness to its segment and to the document, each the cosine between its
    tf-idf and the sum of theirs, times how well it can stand by itself.
    """

    def __init__(
        self, document: Document, tf_idf: sparse.csc_array, language: Language = ENGLISH
    ) -> None:
        self._document, self._language = document, language
        n, n_words = tf_idf.shape
        self._row = tf_idf.indices
        self._word = np.repeat(np.arange(n_words), np.diff(tf_idf.indptr))
        norm = np.sqrt(np.bincount(self._row, tf_idf.data**2, n))
        self._unit = tf_idf.data / np.maximum(norm, _TINY)[self._row]
        total = np.bincount(self._word, self._unit, n_words).astype(float)
        total /= max(float(np.sqrt((total**2).sum())), _TINY)
        self._to_document = np.bincount(self._row, self._unit * total[self._word], n).astype(float)
        self._is_prose = find_prose(document)
        self._fitness: dict[int, float] = {}

    def choose(self, starts: Ints) -> list[SegmentSummary | None]:
        """Return the best sentence of each segment, of equals the earliest; None without prose."""
        worth = (self._likeness_to_segments(starts) + self._to_document) * self._is_prose
        worth[starts] *= OPENING_FACTOR
        edges = [*starts.tolist(), len(self._document)]
        return [self._best(worth[low:high], low) for low, high in pairwise(edges)]

    def _likeness_to_segments(self, starts: Ints) -> Floats:
        n, k = len(self._document), len(starts)
        segment = np.repeat(np.arange(k), np.diff(np.append(starts, n)))[self._row]
        # Sorted by words, the uses of a word in one segment lie together.
        first = np.flatnonzero(np.diff(self._word * k + segment, prepend=-1))
        if not len(first):
            return np.zeros(n)
        sums = np.add.reduceat(self._unit, first)
        norm = np.sqrt(np.bincount(segment[first], sums**2, k))
        sums /= np.maximum(norm, _TINY)[segment[first]]
        of_use = np.repeat(sums, np.diff(np.append(first, len(self._unit))))
        return np.asarray(np.bincount(self._row, self._unit * of_use, n), float)

    def _best(self, worth: Floats, first: int) -> SegmentSummary | None:
        """Return the best of the sentences from `first` on, if they stood alone equally well."""
        prose = np.flatnonzero(self._is_prose[first : first + len(worth)])
        if not len(prose):
            return None
        best, most = int(prose[0]), -1.0
        # None is worth more than it would be if it stood alone, so few have to be looked at.
        for i in prose[np.argsort(-worth[prose], kind="stable")].tolist():
            if worth[i].round(_DECIMALS) < most:
                break
            found = round(float(worth[i]) * self._stands_alone(first + i), _DECIMALS)
            if found > most or (found == most and i < best):
                best, most = i, found
        sentence = first + best
        central = float(self._to_document[sentence]) * self._stands_alone(sentence)
        central *= OPENING_FACTOR if best == 0 else 1
        return SegmentSummary(sentence, round(central, _DECIMALS))

    def _stands_alone(self, sentence: int) -> float:
        if sentence not in self._fitness:
            text = self._document.sentences[sentence]
            self._fitness[sentence] = stand_alone(text, self._language)
        return self._fitness[sentence]

"""What a report tells about a run, gathered row by row in little memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.corpus.rows import Brief

__all__ = ["LENGTHS", "Overview"]

LENGTHS = (1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Where the classes of lengths begin, in sentences."""

_FAILURES, _DOCUMENTS = 100, 200  # that are listed
_WORDS = 400_000  # that are counted; the rarest half is let go of beyond that


class Overview:
    """Counts over the rows of a run.

    Attributes
    ----------
    documents, sentences, characters
        Of all documents that were analysed, but for `documents`, which has the failed ones, too.
    ks
        How many documents have so many segments.
    lengths
        How many documents have a length of each class, by its index in `LENGTHS`.
    kinds
        How many documents failed, by why.
    failures, listed
        The first documents that failed, and the first that did not.
    """

    def __init__(self) -> None:
        self.documents = self.sentences = self.characters = 0
        self.ks: Counter[int] = Counter()
        self.lengths: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()
        self.failures: list[Brief] = []
        self.listed: list[Brief] = []
        self._words: Counter[str] = Counter()

    def add(self, brief: Brief) -> None:
        """Count a row."""
        self.documents += 1
        if brief.failure is not None:
            self.kinds[brief.failure.kind] += 1
            if len(self.failures) < _FAILURES:
                self.failures.append(brief)
            return
        self.sentences += brief.sentences
        self.characters += brief.characters
        self.ks[brief.k] += 1
        self.lengths[sum(start <= brief.sentences for start in LENGTHS) - 1] += 1
        self._words.update({word for topic in brief.words for word in topic})
        if len(self._words) > _WORDS:
            self._words = Counter(dict(self._words.most_common(_WORDS // 2)))
        if len(self.listed) < _DOCUMENTS:
            self.listed.append(brief)

    @property
    def analysed(self) -> int:
        """How many documents did not fail."""
        return self.documents - self.kinds.total()

    @property
    def median_k(self) -> int:
        """The number of segments that half of the documents do not exceed; 0 without documents."""
        behind = 0
        for k in sorted(self.ks):
            behind += self.ks[k]
            if 2 * behind >= self.analysed:
                return k
        return 0

    def commonest_words(self, most: int) -> list[tuple[str, int]]:
        """Give the words that are in the topics of most documents, with how many those are."""
        return sorted(self._words.items(), key=lambda item: (-item[1], item[0]))[:most]

"""The numbers of a report on a run, gathered row by row in little memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from docbats.corpus.output.themes import Themes

if TYPE_CHECKING:
    from docbats.corpus.output.document_rows import RowSummary

__all__ = ["LENGTH_CLASSES", "RunStatistics"]

LENGTH_CLASSES = (1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Where the classes of lengths begin, in sentences."""

_MAX_FAILURES, _MAX_DOCUMENTS = 100, 1000  # that are listed
_MAX_WORDS = 400_000  # that are counted; beyond that the rarest half is dropped


class RunStatistics:
    """Counts over the rows of a run.

    Attributes
    ----------
    documents, sentences, characters
        Of all documents that were analyzed, but for `documents`, which has the failed ones, too.
    ks
        How many documents have so many segments.
    lengths
        How many documents have a length of each class, by its index in `LENGTH_CLASSES`.
    kinds
        How many documents failed, by why.
    failures, listed
        The first documents that failed, and the first that did not.
    themes
        Topics of different documents that share their words.
    """

    def __init__(self) -> None:
        self.documents = self.sentences = self.characters = 0
        self.ks: Counter[int] = Counter()
        self.lengths: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()
        self.failures: list[RowSummary] = []
        self.listed: list[RowSummary] = []
        self.themes = Themes()
        self._words: Counter[str] = Counter()

    def add(self, row: RowSummary) -> None:
        """Count a row."""
        self.documents += 1
        if row.failure is not None:
            self.kinds[row.failure.kind] += 1
            if len(self.failures) < _MAX_FAILURES:
                self.failures.append(row)
            return
        self.sentences += row.sentences
        self.characters += row.characters
        self.ks[row.k] += 1
        if row.sentences:  # which are not counted where documents are only cut into chunks
            self.lengths[sum(start <= row.sentences for start in LENGTH_CLASSES) - 1] += 1
        self.themes.add(row)
        self._words.update({word for topic in row.words for word in topic})
        if len(self._words) > _MAX_WORDS:
            self._words = Counter(dict(self._words.most_common(_MAX_WORDS // 2)))
        if len(self.listed) < _MAX_DOCUMENTS:
            self.listed.append(row)

    @property
    def analyzed(self) -> int:
        """How many documents did not fail."""
        return self.documents - self.kinds.total()

    @property
    def common_folder(self) -> str:
        """What the ids of all listed documents begin with, up to a slash."""
        ids = [row.id for row in self.listed] or [""]
        first, last = min(ids), max(ids)
        size = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
        return first[: first.rfind("/", 0, size) + 1]

    @property
    def median_k(self) -> int:
        """The number of segments that half of the documents do not exceed; 0 without documents."""
        behind = 0
        for k in sorted(self.ks):
            behind += self.ks[k]
            if 2 * behind >= self.analyzed:
                return k
        return 0

    def commonest_words(self, n_words: int) -> list[tuple[str, int]]:
        """Return the words that are in the topics of most documents, with how many those are."""
        return sorted(self._words.items(), key=lambda item: (-item[1], item[0]))[:n_words]

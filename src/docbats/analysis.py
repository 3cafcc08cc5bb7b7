"""What is known of a document once it is analyzed; a result keeps it, to be cut anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.segments.cuts import find_cut
from docbats.segments.sizes import SizeLimits, measured_limits, unit_sizes
from docbats.spectrum import leading_singular_vectors
from docbats.summary import SegmentSummaries
from docbats.titles.phrases import find_phrases
from docbats.titles.titles import HeadingTitle, find_heading_titles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.blocks import Block
    from docbats.parts import Topic
    from docbats.prepare import PreparedText
    from docbats.segments.costs import SegmentCost
    from docbats.settings import Settings
    from docbats.spectrum import Spectrum
    from docbats.titles.phrases import Phrases

_MADE_AGAIN = frozenset({"summaries", "tf_idf_by_word"})


@dataclass(frozen=True, eq=False)
class Analysis:
    """The matrices of a document and what was made of them.

    Attributes
    ----------
    text
        The document with its words.
    settings
        Those of the analysis.
    X_a
        The awarded counts (eq. 1).
    F
        Their tf-idf.
    L
        The matrix that is decomposed (eqs. 2, 3).
    spectrum
        Its leading singular vectors, as many as there are topics (eq. 4).
    """

    text: PreparedText
    settings: Settings
    X_a: sparse.csr_array
    F: sparse.csr_array
    L: sparse.csr_array
    spectrum: Spectrum
    known_cost: SegmentCost | None = field(default=None, repr=False)
    known_phrases: Phrases | None = field(default=None, repr=False)

    @cached_property
    def cost(self) -> SegmentCost:
        """What segments cost; found only now if the analysis did without."""
        if self.known_cost is not None:
            return self.known_cost
        return find_cut(self.settings.cut).cost(self.text, self.settings)

    @cached_property
    def tf_idf_by_word(self) -> sparse.csc_array:
        """The tf-idf again, sorted by words: the keywords of any segments are sums of it."""
        return self.F.tocsc()

    @cached_property
    def summaries(self) -> SegmentSummaries:
        """What chooses the sentences that sum up segments."""
        text = self.text
        return SegmentSummaries(text.document, self.tf_idf_by_word, text.language)

    @property
    def headings(self) -> tuple[Block, ...]:
        """The author's headings, unless they are to be ignored."""
        if self.settings.structure == "ignore":
            return ()
        return tuple(block for block in self.text.document.blocks if block.kind == "heading")

    def heading_titles(self, offsets: Sequence[int]) -> list[HeadingTitle]:
        """Return what the author's headings say of the stretches that begin at these characters.

        It is nothing where the headings are to be ignored.
        """
        if self.settings.structure == "ignore":
            return [HeadingTitle(None, ()) for _ in offsets]
        return find_heading_titles(self.text.document, offsets)

    def words_of_topics(self, topics: Sequence[Topic]) -> list[NDArray[np.int64]]:
        """Return the places of each topic's words among the kept words."""
        place = {word: i for i, word in enumerate(self.text.counts.words)}
        return [np.array([place[word] for word, _ in topic.words], np.int64) for topic in topics]

    @cached_property
    def limits(self) -> SizeLimits | None:
        """What the settings say of the size of segments."""
        settings = self.settings
        if not settings.min_size and settings.max_size is None:
            return None
        unit = settings.size_unit
        maximum = None if settings.max_size is None else settings.max_size - settings.overlap
        if isinstance(unit, str):
            sizes = unit_sizes(self.text.document, unit, self.text.tokens)
            return SizeLimits(sizes, settings.min_size, maximum)
        return measured_limits(self.text.document, unit, settings.min_size, maximum)

    @cached_property
    def phrases(self) -> Phrases:
        """What titles and labels are made of; found only now if the analysis did without."""
        return phrases_of(self.text) if self.known_phrases is None else self.known_phrases

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again."""
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_AGAIN}

    def spectrum_of(self, k: int) -> Spectrum:
        """Return the k leading singular vectors (eq. 4); no more than there can be."""
        k = min(k, max(1, *self.L.shape[1:]))
        if self.spectrum.V.shape[1] == k:
            return self.spectrum
        return leading_singular_vectors(self.L, k, self.settings.seed)


def phrases_of(text: PreparedText) -> Phrases:
    """Return the phrases of a document."""
    return find_phrases(text.document, text.tokens, text.words, text.classes, text.language)

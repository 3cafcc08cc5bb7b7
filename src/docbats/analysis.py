"""What is known of a document before it is cut; a result keeps it, to be cut anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.describe import describe_segments
from docbats.errors import SettingsError
from docbats.laplacian import laplacian
from docbats.matrix import award, bond, tf_idf
from docbats.segments.choose_k import boundary_penalty
from docbats.segments.costs.size_limits import Limits
from docbats.segments.costs.vectors import embed, embed_by_words
from docbats.segments.evidence import find_evidence
from docbats.segments.linkage import average_linkage_starts
from docbats.segments.long_sentences import unit_sizes
from docbats.segments.search import boundary_gains, likelihood_starts, limited_starts
from docbats.spectrum import leading_singular_vectors, unit_rows
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tagger import CLASSES
from docbats.text.tags import usable_tagger
from docbats.titles.noun_phrases import find_phrases
from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Document
    from docbats.matrix import SentenceWordCounts
    from docbats.result import Segment
    from docbats.segments.evidence import Evidence
    from docbats.settings import Settings
    from docbats.spectrum import Spectrum
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words
    from docbats.titles.phrases import Phrases

    Ints = NDArray[np.int64]

__all__ = ["Analysis"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """The words of a document, and what follows from them as soon as it is asked for."""

    document: Document
    settings: Settings
    tokens: Tokens
    words: Words
    classes: Ints
    counts: SentenceWordCounts
    language: Language = ENGLISH
    _spectra: dict[int, Spectrum] = field(default_factory=dict, repr=False)

    @cached_property
    def X_a(self) -> sparse.csr_array:  # noqa: N802  (the paper's name)
        """Eq. 1."""
        return award(self.counts, self.settings.award)

    @cached_property
    def F(self) -> sparse.csr_array:  # noqa: N802  (the paper's name)
        """The tf-idf of X^a."""
        return tf_idf(self.X_a)

    @cached_property
    def L(self) -> sparse.csr_array:  # noqa: N802  (the paper's name)
        """The matrix whose singular vectors count: eqs. 2 and 3, or one of the ablations."""
        settings = self.settings
        X = bond(self.X_a, settings.window, settings.decay)
        if settings.laplacian == "none":
            return X
        if settings.laplacian == "plain":
            return laplacian(X, 0, 0)
        return laplacian(X, settings.tau_p, settings.tau_o)

    @property
    def is_tagged(self) -> bool:
        """Whether a tagger told the word classes."""
        return usable_tagger(self.settings.tagger, self.language) is not None

    @cached_property
    def evidence(self) -> Evidence:
        """What the likelihood of a cut is made of."""
        settings = self.settings
        evidence = find_evidence(
            self.document,
            self.tokens,
            self.words,
            self.classes,
            dict(settings.class_weights) if self.is_tagged else {},
            stem=settings.stem,
            language=self.language,
        )
        return replace(evidence, vectors=self._sentence_vectors())

    def _sentence_vectors(self) -> NDArray[np.float64] | None:
        settings, words = self.settings, self.words
        if settings.embeddings is None:
            return None
        if settings.embedding_unit == "sentences":
            return embed(settings.embeddings, self.document.sentences)
        sentence = self.tokens.sentence[words.token]
        return embed_by_words(
            settings.embeddings, words.names, words.word, sentence, len(self.document)
        )

    @cached_property
    def phrases(self) -> Phrases:
        """What titles and labels are made of."""
        return find_phrases(self.document, self.tokens, self.words, self.classes, self.language)

    @cached_property
    def limits(self) -> Limits | None:
        """What the settings say of the size of segments."""
        settings = self.settings
        if not settings.min_size and settings.max_size is None:
            return None
        sizes = unit_sizes(self.document, settings.size_unit, self.tokens)
        most = None if settings.max_size is None else settings.max_size - settings.overlap
        return Limits(sizes, settings.min_size, most)

    @cached_property
    def class_counts(self) -> NDArray[np.float64] | None:
        """How often each kept word occurs in each word class; None if nothing was tagged."""
        if not self.is_tagged:
            return None
        kept = {name: i for i, name in enumerate(self.counts.words)}
        column = np.array([kept.get(name, -1) for name in self.words.names], np.int64)
        columns = column[self.words.word]
        used = columns >= 0
        classes = self.classes[self.words.token]
        cells = np.bincount(
            columns[used] * len(CLASSES) + classes[used], minlength=len(kept) * len(CLASSES)
        )
        return cells.reshape(-1, len(CLASSES)).astype(float)

    def spectrum(self, k: int) -> Spectrum:
        """Eq. 4."""
        if k not in self._spectra:
            self._spectra[k] = leading_singular_vectors(self.L, k, self.settings.seed)
        return self._spectra[k]

    def starts(self, k: int) -> Ints:
        """Cut the document into k segments; the first sentence of each."""
        if self.settings.cut == "linkage":
            return average_linkage_starts(unit_rows(self.spectrum(k).U), k)
        starts = likelihood_starts(self.evidence, k, self.limits)
        if starts is None:
            msg = (
                f"k={k} segments of at most {self.settings.max_size} {self.settings.size_unit} "
                "cannot hold this text: give a larger k or max_size, or leave k out"
            )
            raise SettingsError(msg)
        return np.array(starts, np.int64)

    def free_starts(self, penalty: float) -> Ints:
        """Cut the document within the limits, wherever a boundary is worth its penalty."""
        if self.limits is None:
            msg = "there are no limits to keep to"
            raise ValueError(msg)
        starts = limited_starts(self.evidence, penalty, self.limits)
        if self.evidence.vectors is not None:
            return self.starts(len(starts))  # a penalty is one of words: it only tells how many
        return np.array(starts, np.int64)

    def segments(self, starts: Ints, topics: Sequence[Ints]) -> tuple[Segment, ...]:
        """Describe the segments that begin at these sentences."""
        by_linkage = self.settings.cut == "linkage"
        return describe_segments(
            self.document,
            starts,
            topics=topics,
            words=self.counts.words,
            X_a=self.X_a,
            F=self.F,
            titles=None if by_linkage else title_segments(self.document, self.phrases, starts),
            strengths=None if by_linkage else self._strengths(starts),
            overlap_starts=self._overlap_starts(starts),
        )

    def _strengths(self, starts: Ints) -> list[float]:
        """Rate each boundary from 0 to 1; at 0.5 it gains as much as a boundary should cost."""
        gains = np.maximum(boundary_gains(self.evidence, starts.tolist()), 0)
        strengths: list[float] = (gains / (gains + boundary_penalty(self.evidence))).tolist()
        return strengths

    def _overlap_starts(self, starts: Ints) -> list[int]:
        """Find where each segment begins with as much before it as `overlap` asks for."""
        first = self.document.spans[:, 0]
        begin = np.concatenate([[0], first[starts[1:]]])
        overlap, unit = self.settings.overlap, self.settings.size_unit
        if unit == "sentences" or overlap == 0:
            earlier = np.maximum(starts - overlap, 0)
            return [int(first[sentence]) if sentence > 0 else 0 for sentence in earlier.tolist()]
        is_word = np.array([form[0].isalnum() for form in self.tokens.forms])[self.tokens.form]
        words = self.tokens.start[is_word]
        after = np.searchsorted(words, begin)  # the first word of each segment
        if unit == "words":
            before = np.maximum(after - overlap, 0)
        else:
            before = np.searchsorted(words, begin - overlap)
        # A word that begins in the segment itself adds nothing to it.
        return [
            int(words[word]) if word < own else int(offset)
            for word, own, offset in zip(
                before.tolist(), after.tolist(), begin.tolist(), strict=True
            )
        ]

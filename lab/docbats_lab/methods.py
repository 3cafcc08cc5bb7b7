"""What a method is: from a document, prepared once and the same for all, to topics or segments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import SettingsError, TooFewSentencesError
from docbats.matrix import award
from docbats.pipeline import prepare as prepare_text
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats_lab.documents import SegmentedDocument

_DECIMALS = 9  # of a weight over the topic's largest; fewer would make more weights equal

Topics = list[list[str]]
"""The words of each topic, best first."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Sentences, words and counts of one document.

    Attributes
    ----------
    sentences
        As they were given.
    words
        The kept words (section 3.1): no stop words, in two sentences or more, merged by stem.
    counts
        X^a, sentences by kept words: the input of topic models.
    sequence
        For each sentence, its kept words in their order, as indices of `words`.
    content
        For each sentence, all words but the stop words in their order, as indices of
        `content_words`: the input of classical segmenters.
    content_words
        A larger vocabulary that also holds the words of one sentence only.
    language
        The code of the language whose stop words and stems these are; None if docbats does not know
        the language.
    text
        The text with its paragraphs, cut into the same sentences; None where only these are known.
    """

    sentences: tuple[str, ...]
    words: tuple[str, ...]
    counts: sparse.csr_array
    sequence: tuple[NDArray[np.int64], ...]
    content: tuple[NDArray[np.int64], ...]
    content_words: tuple[str, ...]
    language: str | None = "en"
    text: str | None = None

    @property
    def content_size(self) -> int:
        """The size of the larger vocabulary."""
        return len(self.content_words)


def prepare(sentences: Sequence[str], settings: Settings = PRESETS["paper"]) -> Prepared:
    """Prepare a document as the engine does (section 3.1)."""
    text = prepare_text(sentences, settings)
    words, kept_words = text.words, text.counts.words
    sentence = text.tokens.sentence[words.token]
    place = {name: i for i, name in enumerate(kept_words)}
    kept = np.array([place.get(name, -1) for name in words.names], np.int64)
    content = np.split(words.word, np.searchsorted(sentence, np.arange(1, len(text))))
    return Prepared(
        sentences=text.sentences,
        words=kept_words,
        counts=award(text.counts, settings.award),
        sequence=tuple(kept[ids][kept[ids] >= 0] for ids in content),
        content=tuple(content),
        content_words=words.names,
        language=text.language.code,
    )


def prepare_document(document: SegmentedDocument) -> Prepared:
    """Prepare a document in its own language, with its paragraphs where they are known."""
    settings = replace(PRESETS["paper"], language=document.language)
    return replace(prepare(document.sentences, settings), text=document.text)


@dataclass(frozen=True)
class TopicMethod:
    """A way to find k topics in one document.

    Attributes
    ----------
    name
        As shown in the tables.
    citation
        The paper that it comes from, or the library and its function.
    find
        From a prepared document, k and a seed to topics. It must not change the document, may
        return fewer than k topics, and returns the same topics for the same arguments.
    parameters
        The settings, for the record.
    disjoint
        Whether no word is in two topics.
    """

    name: str
    citation: str
    find: Callable[[Prepared, int, int], Topics]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    disjoint: bool = False


@dataclass(frozen=True)
class Segmenter:
    """A way to cut one document into contiguous segments.

    Attributes
    ----------
    name, citation, parameters
        As for :class:`TopicMethod`.
    find_starts
        From a prepared document, k and a seed to the index of each segment's first sentence, in
        ascending order from 0. The same arguments give the same segments. If the method takes k,
        it is never larger than the number of sentences.
    takes_k
        Whether there are exactly k segments; otherwise the method finds their number itself.
    is_neural
        Whether it needs ``docbats-lab[neural]``, imported inside `find_starts`.
    uses_paragraphs
        Whether it is meant for documents whose paragraphs are known.
    """

    name: str
    citation: str
    find_starts: Callable[[Prepared, int, int], list[int]]
    takes_k: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_neural: bool = False
    uses_paragraphs: bool = False

    def cut(self, document: Prepared, k: int, seed: int) -> list[int]:
        """Return the first sentence of each segment.

        Raises
        ------
        SettingsError, TooFewSentencesError
            If the method takes k, and k is below 1 or above the number of sentences.
        """
        n_sentences = len(document.sentences)
        if self.takes_k and not 1 <= k <= n_sentences:
            msg = f"k must be between 1 and {n_sentences}, the number of sentences, got {k}"
            raise SettingsError(msg) if k < 1 else TooFewSentencesError(msg)
        return self.find_starts(document, k, seed)


def rank_words(weights: NDArray[np.float64], words: Sequence[str]) -> Topics:
    """Return the words of each topic, best first, from weights of topics by words.

    Words without weight are left out, and so are topics that have no other words. Of equal weights
    the word that the text uses first comes first, so that rounding errors decide nothing.
    """
    topics = []
    for row in weights:
        largest = row.max(initial=0.0)
        if largest > 0:
            shares = (row / largest).round(_DECIMALS)
            order = np.argsort(-shares, kind="stable")[: np.count_nonzero(shares > 0)]
            topics.append([words[i] for i in order.tolist()])
    return topics

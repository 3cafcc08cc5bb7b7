"""A document as every method of the laboratory sees it: preprocessed once, the same for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.matrix import award, count
from docbats.settings import PRESETS, Settings
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats.text.tags import find_nouns_and_verbs
from docbats.text.tokens import tokenize
from docbats.text.words import find_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

__all__ = ["Prepared", "prepare"]


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
        X^a, sentences by kept words: what topic models are fed.
    sequence
        For each sentence, its kept words in their order, as indices of `words`.
    content
        For each sentence, all words but the stop words in their order, as indices of a larger
        vocabulary that also holds the words of one sentence only: what classical segmenters are
        fed.
    content_words
        That larger vocabulary.
    """

    sentences: tuple[str, ...]
    words: tuple[str, ...]
    counts: sparse.csr_array
    sequence: tuple[NDArray[np.int64], ...]
    content: tuple[NDArray[np.int64], ...]
    content_words: tuple[str, ...]

    @property
    def content_size(self) -> int:
        """The size of the larger vocabulary."""
        return len(self.content_words)


def prepare(sentences: Sequence[str], settings: Settings = PRESETS["paper"]) -> Prepared:
    """Do what section 3.1 asks for, with the engine's own stages."""
    document = Document.from_sentences(sentences)
    tokens = tokenize(document)
    stop_words = ENGLISH if isinstance(settings.stop_words, str) else settings.stop_words
    words = find_words(document, tokens, stop_words, stem=settings.stem)
    flags = find_nouns_and_verbs(tokens, settings.tagger if settings.award > 0 else None)
    counts = count(words, tokens, flags, len(document), settings.min_sentences)
    sentence = tokens.sentence[words.token]
    place = {name: i for i, name in enumerate(counts.words)}
    kept = np.array([place.get(name, -1) for name in words.names], np.int64)
    in_sentence = np.searchsorted(sentence, np.arange(1, len(document)))
    content = np.split(words.word, in_sentence)
    return Prepared(
        sentences=document.sentences,
        words=counts.words,
        counts=award(counts, settings.award),
        sequence=tuple(kept[ids][kept[ids] >= 0] for ids in content),
        content=tuple(content),
        content_words=words.names,
    )

"""A document as every method of the laboratory sees it: preprocessed once, the same for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.matrix import award
from docbats.prepare import prepare as prepare_text
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats_lab.segmented_document import SegmentedDocument


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
    language
        The code of the language whose stop words and stems these are; None is one that docbats does
        not know.
    text
        The text with its paragraphs, whose sentences are `sentences`; None where only these are
        known.
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

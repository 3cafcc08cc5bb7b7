"""From a source to counted words (section 3.1), the input of every later stage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.matrix import count
from docbats.segments.cuts import find_cut
from docbats.segments.sizes import split_long
from docbats.text.languages import load_language
from docbats.text.languages.english import STOP_WORDS as ENGLISH_STOP_WORDS
from docbats.text.tags import find_classes, flag_classes, usable_tagger
from docbats.text.words import find_widespread_words, find_words, tokenize
from docbats.topics import TOPIC_FINDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

    from docbats.document import Source
    from docbats.matrix import SentenceWordCounts
    from docbats.settings import Settings, Tagger
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens, Words


@dataclass(frozen=True, eq=False)
class PreparedText:
    """A document with its words, found and counted.

    Attributes
    ----------
    document
        The text and the spans of its sentences.
    language
        Its language.
    tokens
        Its words and punctuation marks.
    words
        The tokens that are counted.
    classes
        The word class of each token.
    is_tagged
        Whether a tagger found the classes; if not, all are OTHER.
    counts
        X^o and T: how often each kept word occurs in each sentence, and whether as a noun or verb.
    """

    document: Document
    language: Language
    tokens: Tokens
    words: Words
    classes: NDArray[np.int64]
    is_tagged: bool
    counts: SentenceWordCounts

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.document)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text of each sentence."""
        return self.document.sentences

    @cached_property
    def sentence_words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each sentence in their order, without stop words, numbers and debris."""
        sentence = self.tokens.sentence[self.words.token]
        edges = np.searchsorted(sentence, np.arange(len(self) + 1))
        names = [self.words.names[word] for word in self.words.word.tolist()]
        return tuple(tuple(names[low:high]) for low, high in pairwise(edges.tolist()))


def prepare(
    source: Source, settings: Settings, lap: Callable[[str], None] = lambda _: None
) -> PreparedText:
    """Split a source into sentences and tokens, and count its words.

    `lap` is called with the name of each stage when it ends.
    """
    document = Document.of(source, sentences=settings.sentences, language=settings.language)
    language = load_language(
        document.language.code if settings.language == "auto" else settings.language
    )
    if settings.max_size is not None:
        longest = settings.max_size - settings.overlap
        document = split_long(document, longest, settings.size_unit, language)
    lap("sentences")
    tokens = tokenize(document, language)
    lap("tokens")
    stop_words = _stop_words(len(document), tokens, settings, language)
    words = find_words(document, tokens, stop_words, stem=settings.stem, language=language)
    lap("words")
    tagger = _tagger(settings, language)
    classes = find_classes(tokens, tagger)
    lap("tags")
    flags = flag_classes(classes, "NOUN", "PROPN", "VERB")
    counts = count(words, tokens, flags, len(document), settings.min_sentences)
    lap("counts")
    return PreparedText(
        document=document,
        language=language,
        tokens=tokens,
        words=words,
        classes=classes,
        is_tagged=tagger is not None,
        counts=counts,
    )


def _stop_words(
    n_sentences: int, tokens: Tokens, settings: Settings, language: Language
) -> Collection[str]:
    if isinstance(settings.stop_words, frozenset):
        return settings.stop_words
    if settings.stop_words == "auto" and language.code is None:
        return language.stop_words | find_widespread_words(tokens, n_sentences)
    return language.stop_words if settings.stop_words == "auto" else ENGLISH_STOP_WORDS


def _tagger(settings: Settings, language: Language) -> str | Tagger | None:
    """Return the tagger, or None if no stage uses it or it does not know the language."""
    is_used = (
        settings.award > 0
        or find_cut(settings.cut).uses_word_classes
        or TOPIC_FINDERS[settings.ranking].uses_word_classes
    )
    return usable_tagger(settings.tagger, language) if is_used else None

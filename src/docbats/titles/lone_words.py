"""Which words can be a title by themselves: nouns and names, but no form of address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tagger import CLASSES
from docbats.titles.neighbours import following, is_first, previous
from docbats.titles.token_flags import BARE_ARTICLE, DOT, HONORIFIC, MARKER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]

__all__ = ["find_lone_words", "find_untagged_verbs"]

_MAX_ADDRESSED_SHARE = 0.3  # of the uses of a word that follow "Mr"; above it is a form of address
_MIN_GOVERNING_SHARE = 0.25  # of the uses of a verb that an article follows


def find_lone_words(
    tokens: Tokens,
    words: Words,
    flags: NDArray[np.uint16],
    language: Language,
    classes: Ints | None,
) -> Flags:
    """Find the words that can stand alone, with the classes of the tokens where these are known.

    Where they are not, what seems to be a verb cannot.
    """
    n = len(words.names)
    uses = np.bincount(words.word, minlength=n)
    honorific = flags & HONORIFIC > 0
    before = previous(honorific) | (previous(flags & DOT > 0) & previous(previous(honorific)))
    addressed = np.bincount(words.word, before[words.token], n)
    alone: Flags = addressed <= _MAX_ADDRESSED_SHARE * uses
    if classes is not None:
        kind = classes[words.token]
        is_noun = (kind == CLASSES.index("NOUN")) | (kind == CLASSES.index("PROPN"))
        return alone & (2 * np.bincount(words.word, is_noun, n) >= uses)
    return alone & ~find_untagged_verbs(tokens, words, flags, language)


def find_untagged_verbs(
    tokens: Tokens, words: Words, flags: NDArray[np.uint16], language: Language
) -> Flags:
    """Find the words that are verbs, as far as endings and articles tell.

    A verb never follows an article or the like; it ends as verbs do, or an article often follows
    it, as in "montre la grille".
    """
    n = len(words.names)
    if not language.verb_endings:
        return np.zeros(n, np.bool_)
    first = is_first(tokens)
    marked = np.bincount(words.word, (previous(flags & MARKER > 0) & ~first)[words.token], n)
    before = following((flags & BARE_ARTICLE > 0) & ~first)
    governs = np.bincount(words.word, before[words.token], n)
    uses = np.bincount(words.word, minlength=n)
    endings = tuple(language.verb_endings)
    verbal = np.array([name.endswith(endings) for name in words.names], np.bool_)
    found: Flags = (marked == 0) & (verbal | (governs >= _MIN_GOVERNING_SHARE * uses))
    return found

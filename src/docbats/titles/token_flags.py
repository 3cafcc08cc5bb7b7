"""What the form of a token says about its place in a phrase, in one byte."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.word_cache import WordCache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

__all__ = [
    "ARTICLE",
    "CAPITAL",
    "DOT",
    "HYPHEN",
    "LETTER",
    "PREPOSITION",
    "VAGUE_ADJECTIVE",
    "flag_tokens",
]

LETTER, CAPITAL, VAGUE_ADJECTIVE, HYPHEN, DOT, PREPOSITION, ARTICLE = (1 << bit for bit in range(7))

_HYPHENS = frozenset("-\u2010\u2011&")


def flag_tokens(tokens: Tokens, language: Language) -> NDArray[np.uint8]:
    """Return the flags of each token: those that hold of it, added up."""
    flags = _flag_cache(language)(tokens.forms)
    return np.frombuffer(b"".join(flags), np.uint8)[tokens.form]


@cache
def _flag_cache(language: Language) -> WordCache[bytes]:
    vague_adjectives = language.vague_adjectives
    prepositions, articles = language.phrase_prepositions, language.phrase_articles

    def flag_forms(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            flags = LETTER * form[0].isalpha() | CAPITAL * form[0].isupper()
            flags |= VAGUE_ADJECTIVE * (form.lower() in vague_adjectives)
            flags |= HYPHEN * (form in _HYPHENS) | DOT * (form == ".")
            flags |= PREPOSITION * (form in prepositions)
            flags |= ARTICLE * (form in articles)
            yield bytes([flags])

    return WordCache(flag_forms)

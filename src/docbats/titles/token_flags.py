"""What the form of a token says about its place in a phrase, in two bytes."""

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
    "BARE_ARTICLE",
    "CAPITAL",
    "DETERMINER",
    "DOT",
    "GERUND",
    "HONORIFIC",
    "HYPHEN",
    "INFLECTED",
    "JOINING",
    "LETTER",
    "MARKER",
    "PARTICLE",
    "PREPOSITION",
    "TO",
    "VAGUE_ADJECTIVE",
    "flag_tokens",
]

LETTER, CAPITAL, VAGUE_ADJECTIVE, HYPHEN, DOT, PREPOSITION, ARTICLE = (1 << bit for bit in range(7))
HONORIFIC, MARKER = 1 << 7, 1 << 8
DETERMINER, PARTICLE, TO, GERUND, INFLECTED = (1 << bit for bit in range(9, 14))  # English only
BARE_ARTICLE, JOINING = 1 << 14, 1 << 15

_HYPHENS = frozenset("-\u2010\u2011&")
# Forms in -ing that join clauses, as in "judging from what he said".
_JOINING_FORMS = frozenset(
    [
        *("according", "assuming", "being", "compared", "concerning", "considering", "depending"),
        *("excluding", "following", "granting", "including", "judging", "meaning", "owing"),
        *("regarding", "speaking", "starting", "supposing"),
    ]
)
_DETERMINERS = frozenset(
    ["a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "these", "that"]
)
_PARTICLES = frozenset(
    ["up", "out", "off", "down", "on", "over", "back", "with", "for", "to", "into", "about", "from"]
)


def flag_tokens(tokens: Tokens, language: Language) -> NDArray[np.uint16]:
    """Return the flags of each token: those that hold of it, added up."""
    flags = _flag_cache(language)(tokens.forms)
    return np.frombuffer(b"".join(flags), "<u2")[tokens.form]


@cache
def _flag_cache(language: Language) -> WordCache[bytes]:
    vague_adjectives = language.vague_adjectives
    prepositions, articles = language.phrase_prepositions, language.phrase_articles
    honorifics, bare_articles = language.honorifics, language.articles
    noun_markers = language.noun_markers

    def flag_forms(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            lower = form.lower().replace("’", "'")
            flags = LETTER * form[0].isalpha() | CAPITAL * form[0].isupper()
            flags |= VAGUE_ADJECTIVE * (lower in vague_adjectives)
            flags |= HYPHEN * (form in _HYPHENS) | DOT * (form == ".")
            flags |= PREPOSITION * (form in prepositions) | ARTICLE * (form in articles)
            flags |= HONORIFIC * (lower in honorifics)
            flags |= MARKER * (lower in noun_markers)
            flags |= BARE_ARTICLE * (lower in bare_articles)
            flags |= DETERMINER * (lower in _DETERMINERS) | PARTICLE * (lower in _PARTICLES)
            flags |= TO * (lower == "to") | GERUND * (lower.endswith("ing") and len(lower) > 4)
            flags |= JOINING * (lower in _JOINING_FORMS)
            flags |= INFLECTED * lower.endswith(("ed", "s"))
            yield flags.to_bytes(2, "little")

    return WordCache(flag_forms)

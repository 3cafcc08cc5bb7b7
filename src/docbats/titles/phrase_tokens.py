"""Which tokens a phrase may begin with, contain and end with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tagger import CLASSES
from docbats.titles.token_flags import (
    ARTICLE,
    CAPITAL,
    DOT,
    HYPHEN,
    LETTER,
    PREPOSITION,
    VAGUE_ADJECTIVE,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]
    TokenFlags = NDArray[np.uint8]

__all__ = ["PhraseTokens", "each_word", "with_classes", "without_classes"]

_LINE_BREAKS = "\t\n\r\v\f\x85\u2028\u2029"


@dataclass(frozen=True, eq=False)
class PhraseTokens:
    """What each token may do in a phrase; marks inside words are left out.

    Attributes
    ----------
    token
        The index of each token that is not left out.
    key
        What tells phrases apart: the word, or for a token that is no word a number after those.
    inside, opens, closes
        Whether a phrase may contain the token, begin with it, end with it.
    joined
        Whether a phrase may go on from the token before.
    doubtful
        Whether it is a preposition that does not stand between names.
    capital
        Whether a capital here is the word's own.
    must_recur
        Whether any words may make a phrase, so that only those do that often stand together.
    """

    token: Ints
    key: Ints
    inside: Flags
    opens: Flags
    closes: Flags
    joined: Flags
    doubtful: Flags
    capital: Flags
    must_recur: bool = False


def each_word(tokens: Tokens, words: Words) -> PhraseTokens:
    """Let each word be a phrase of its own."""
    every = np.ones(len(words.token), np.bool_)
    capital = ~_is_first(tokens)[words.token]
    return PhraseTokens(words.token, words.word, every, every, every, ~every, ~every, capital)


def with_classes(
    document: Document, tokens: Tokens, words: Words, classes: Ints, flags: TokenFlags
) -> PhraseTokens:
    """Decide by the class of each token what it may do in a phrase."""
    is_hyphen, is_dot = _marks_inside(tokens, flags)
    token = np.flatnonzero(~(is_hyphen | is_dot))
    flag, first = flags[token], _is_first(tokens)[token]
    part = _previous(is_hyphen)[token]  # of a hyphenated word, but not its first part
    more = _next(is_hyphen)[token]
    noun, name, adjective, verb = (
        classes[token] == CLASSES.index(kind) for kind in ("NOUN", "PROPN", "ADJ", "VERB")
    )
    key, word = _keys(tokens, words, token)

    ordinal = (flag & CAPITAL > 0) & ~first & (name | adjective)  # as in the Second World War
    inside = word & (noun | name | adjective | (verb & part))
    inside |= ~word & (flag & LETTER > 0) & (_next(is_dot)[token] | more | ordinal)
    opens = inside & ~part & ((flag & VAGUE_ADJECTIVE == 0) | more | name)
    closes = inside & word & (noun | name) & ~more
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    # A name is taken whole: neither "York University" nor "Bank of New" is one.
    opens &= ~(name & joined & _previous(name))
    closes &= ~(name & _next(name & joined))

    of = (flag & PREPOSITION > 0) & _previous(closes)
    the = (flag & ARTICLE > 0) & _previous(of & _previous(name)) & _next(name & opens)
    between_names = _previous(name) & _next(name | the)
    return PhraseTokens(
        token=token,
        key=key,
        inside=inside | (of & _next(opens | the)) | the,
        opens=opens,
        closes=closes,
        joined=joined,
        doubtful=of & ~between_names,
        capital=~first | name,
    )


def without_classes(
    document: Document, tokens: Tokens, words: Words, flags: TokenFlags, language: Language
) -> PhraseTokens:
    """Let a phrase be any words, with links of the language between them.

    Where nouns have capitals, a phrase ends with one.
    """
    is_hyphen, _ = _marks_inside(tokens, flags)
    token = np.flatnonzero(~is_hyphen)
    first = _is_first(tokens)[token]
    part, more = _previous(is_hyphen)[token], _next(is_hyphen)[token]
    key, word = _keys(tokens, words, token)
    is_link = np.array(
        [form.lower().replace("’", "'") in language.phrase_links for form in tokens.forms]
    )
    link = is_link[tokens.form[token]] & ~word
    link &= _previous(word | link) & _next(word | link)
    noun = word
    if language.capitalizes_nouns:
        noun = word & _find_nouns(key, word & ~first, flags[token] & CAPITAL > 0)[key]
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    return PhraseTokens(
        token=token,
        key=key,
        inside=word | link | part | more,
        opens=word & ~part,
        closes=noun & ~more,
        joined=joined,
        doubtful=np.zeros(len(token), np.bool_),
        capital=~first | (noun if language.capitalizes_nouns else False),
        must_recur=True,
    )


def _keys(tokens: Tokens, words: Words, token: Ints) -> tuple[Ints, Flags]:
    """Return the key of each token, see `PhraseTokens`, and whether it is a word."""
    word_of_token = np.full(len(tokens), -1, np.int64)
    word_of_token[words.token] = words.word
    key = word_of_token[token]
    is_word = key >= 0
    return np.where(is_word, key, len(words.names) + tokens.form[token]), is_word


def _find_nouns(key: Ints, inside: Flags, capital: Flags) -> Flags:
    """Find the words that mostly have a capital inside a sentence."""
    size = int(key.max(initial=0)) + 1
    uses, with_capital = (
        np.bincount(key[inside], minlength=size),
        np.bincount(key[inside & capital]),
    )
    with_capital = np.pad(with_capital, (0, size - len(with_capital)))
    return 2 * with_capital >= uses


def _marks_inside(tokens: Tokens, flags: TokenFlags) -> tuple[Flags, Flags]:
    """Find hyphens between letters and the full stops of initials, as in "J. S. Bach"."""
    touches = ~_is_first(tokens)
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    is_letter = flags & LETTER > 0
    hyphen = (flags & HYPHEN > 0) & touches & _next(touches)
    hyphen &= _previous(is_letter) & _next(is_letter)
    initial = (flags & CAPITAL > 0) & (tokens.end - tokens.start == 1)
    dot = (flags & DOT > 0) & touches & _previous(initial)
    return hyphen, dot


def _is_first(tokens: Tokens) -> Flags:
    """Flag the first token of each sentence."""
    first = np.ones(len(tokens), np.bool_)
    np.not_equal(tokens.sentence[1:], tokens.sentence[:-1], out=first[1:])
    return first


def _previous(flags: Flags) -> Flags:
    """Return for each token the flag of the token before it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[1:] = flags[:-1]
    return shifted


def _next(flags: Flags) -> Flags:
    """Return for each token the flag of the token after it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[:-1] = flags[1:]
    return shifted


def _after_line_breaks(text: str, starts: Ints) -> Ints:
    """Find the tokens that stand first in their lines."""
    # Most texts have one or two of these characters, and to look for one at a time is fast.
    present = [character for character in _LINE_BREAKS if character in text]
    breaks = [match.start() for character in present for match in re.finditer(character, text)]
    places = np.searchsorted(starts, np.array(breaks, np.int64))
    return places[places < len(starts)]

"""Which tokens a phrase may begin with, contain and end with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tagger import CLASSES
from docbats.titles.lone_words import find_untagged_verbs
from docbats.titles.neighbours import following, is_first, previous
from docbats.titles.token_flags import (
    ARTICLE,
    CAPITAL,
    DOT,
    HYPHEN,
    INFLECTED,
    LETTER,
    PREPOSITION,
    VAGUE_ADJECTIVE,
)
from docbats.titles.verbs import find_verbs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]
    TokenFlags = NDArray[np.uint16]

__all__ = ["PhraseTokens", "each_word", "with_classes", "without_classes"]

_MAX_ABBREVIATION = 4  # characters
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
        Whether a phrase that goes on with it must recur: a preposition that does not stand between
        names, and what follows a plural, for that may be a verb.
    capital
        Whether a capital here is the word's own.
    name
        Whether it is part of a name.
    verb
        Whether it is a verb with which a phrase may begin, as in "setting up a server": such a
        phrase ends where the whole run ends.
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
    name: Flags
    verb: Flags
    must_recur: bool = False


def each_word(tokens: Tokens, words: Words) -> PhraseTokens:
    """Let each word be a phrase of its own."""
    every = np.ones(len(words.token), np.bool_)
    capital = ~is_first(tokens)[words.token]
    return PhraseTokens(
        token=words.token,
        key=words.word,
        inside=every,
        opens=every,
        closes=every,
        joined=~every,
        doubtful=~every,
        capital=capital,
        name=~every,
        verb=~every,
    )


def with_classes(
    document: Document, tokens: Tokens, words: Words, classes: Ints, flags: TokenFlags
) -> PhraseTokens:
    """Decide by the class of each token what it may do in a phrase."""
    is_hyphen, is_dot = _marks_inside(tokens, flags)
    verbs = find_verbs(tokens, classes, flags, is_hyphen)
    token = np.flatnonzero(~(is_hyphen | is_dot | verbs.determiner))
    flag, first = flags[token], is_first(tokens)[token]
    part = previous(is_hyphen)[token]  # of a hyphenated word, but not its first part
    more = following(is_hyphen)[token]
    noun, name, adjective, verb = (
        classes[token] == CLASSES.index(kind) for kind in ("NOUN", "PROPN", "ADJ", "VERB")
    )
    key, word = _keys(tokens, words, token)
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    # As the tagger sees it, "New" of "New Deal" is an adjective and "United" a verb.
    capital = flag & CAPITAL > 0
    name |= (
        capital & ~first & word & (adjective | verb) & following(capital & (noun | name) & joined)
    )

    ordinal = (flag & CAPITAL > 0) & ~first & (name | adjective)  # as in the Second World War
    word &= ~_is_abbreviated(tokens, flags)[token]
    inside = word & (noun | name | adjective | (verb & part))
    inside |= ~word & (flag & LETTER > 0) & (following(is_dot)[token] | more | ordinal)
    opens = inside & ~part & ((flag & VAGUE_ADJECTIVE == 0) | more | name)
    closes = inside & word & (noun | name) & ~more
    # A noun in small letters and a name after it only happen to meet: "in those years Adams wrote".
    joined &= ~(name & previous(noun & ~name & (flag & CAPITAL == 0)))
    # A name is taken whole: neither "York University" nor "Bank of New" is one.
    opens &= ~(name & joined & previous(name))
    closes &= ~(name & following(name & joined))

    of = (flag & PREPOSITION > 0) & previous(closes)
    the = (flag & ARTICLE > 0) & previous(of & previous(name)) & following(name & opens)
    between_names = previous(name) & following(name | the)
    plural = noun & ~capital & (flag & INFLECTED > 0)
    after_plural = previous(plural & inside) & joined & noun & ~name  # "most sheds rot"
    particle = verbs.particle[token] & following(opens & joined)
    begins = verbs.verb[token] & word & following((opens | particle) & joined)
    return PhraseTokens(
        token=token,
        key=key,
        inside=inside | (of & following(opens | the)) | the | begins | particle,
        opens=opens | begins,
        closes=closes & ~begins & ~particle,
        joined=joined & ~begins,
        doubtful=(of & ~between_names & ~particle) | after_plural,
        capital=~first | name,
        name=name,
        verb=begins,
    )


def without_classes(
    document: Document, tokens: Tokens, words: Words, flags: TokenFlags, language: Language
) -> PhraseTokens:
    """Let a phrase be any words, with links of the language between them.

    Where nouns have capitals, a phrase ends with one.
    """
    is_hyphen, _ = _marks_inside(tokens, flags)
    token = np.flatnonzero(~is_hyphen)
    first = is_first(tokens)[token]
    part, more = previous(is_hyphen)[token], following(is_hyphen)[token]
    key, word = _keys(tokens, words, token)
    word &= ~_is_abbreviated(tokens, flags)[token]
    has_articles = bool(language.articles)
    if has_articles and len(words.names):
        verb = find_untagged_verbs(tokens, words, flags, language)
        word &= ~verb[np.minimum(key, len(words.names) - 1)]
    is_link = np.array(
        [form.lower().replace("’", "'") in language.phrase_links for form in tokens.forms]
    )
    link = is_link[tokens.form[token]] & ~word
    link &= previous(word | link) & following(word | link)
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
        name=np.zeros(len(token), np.bool_),
        verb=np.zeros(len(token), np.bool_),
        must_recur=not has_articles,
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


def _is_abbreviated(tokens: Tokens, flags: TokenFlags) -> Flags:
    """Flag short tokens with a full stop that ends no sentence; initials are not meant."""
    size = tokens.end - tokens.start
    first = is_first(tokens)
    touches = ~first
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    dot = (flags & DOT > 0) & touches & ~following(first)
    dot[-1:] = False
    is_short = (flags & LETTER > 0) & (size > 1) & (size <= _MAX_ABBREVIATION)
    return is_short & following(dot)


def _marks_inside(tokens: Tokens, flags: TokenFlags) -> tuple[Flags, Flags]:
    """Find hyphens between letters and the full stops of initials, as in "J. S. Bach"."""
    touches = ~is_first(tokens)
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    is_letter = flags & LETTER > 0
    hyphen = (flags & HYPHEN > 0) & touches & following(touches)
    hyphen &= previous(is_letter) & following(is_letter)
    initial = (flags & CAPITAL > 0) & (tokens.end - tokens.start == 1)
    dot = (flags & DOT > 0) & touches & previous(initial)
    return hyphen, dot


def _after_line_breaks(text: str, starts: Ints) -> Ints:
    """Find the tokens that stand first in their lines."""
    # Most texts have one or two of these characters, and to look for one at a time is fast.
    present = [character for character in _LINE_BREAKS if character in text]
    breaks = [match.start() for character in present for match in re.finditer(character, text)]
    places = np.searchsorted(starts, np.array(breaks, np.int64))
    return places[places < len(starts)]

"""Which tokens are words worth counting, and under which name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from Stemmer import Stemmer

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.tokens import Tokens

__all__ = ["Words", "find_words", "normal_form"]

_INVISIBLE = str.maketrans({"\u2019": "'", **dict.fromkeys("\u00ad\u200c\u200d\u2060", "")})

# Addresses are widened to the white space around them; the rest is taken as matched.
_ADDRESS = re.compile(r"://|\bwww\.|\w@\w|\w\.(?:com|org|net|edu|gov|io)\b")
_MARKUP = re.compile(r"<[!/?]?[A-Za-z-][^<>]*>|&(?:#\w{1,8}|[A-Za-z]{2,8}\d?);|\\[A-Za-z]+")
_TO_SPACE = re.compile(r"\S*")


@dataclass(frozen=True, eq=False)
class Words:
    """The words that may be counted: neither stop words nor numbers nor debris.

    Attributes
    ----------
    names
        The distinct words, lower-cased, in order of first appearance. Words with one stem are one
        word, under the name that the text uses most.
    word
        For each occurrence, its place in `names`.
    token
        For each occurrence, the index of its token.
    """

    names: tuple[str, ...]
    word: NDArray[np.int64]
    token: NDArray[np.int64]


def find_words(
    document: Document, tokens: Tokens, stop_words: Collection[str], *, stem: bool = True
) -> Words:
    """Pick the tokens that are words and no stop words, outside addresses and markup."""
    name_of_form = [normal_form(form) for form in tokens.forms]
    names = list(dict.fromkeys(n for n in name_of_form if _is_word(n) and n not in stop_words))
    # A stemmer is not to be shared between threads; to make one costs microseconds.
    stems = Stemmer("english", 0).stemWords(names) if stem else names
    words = {key: i for i, key in enumerate(dict.fromkeys(stems))}
    word_of_name = {name: words[key] for name, key in zip(names, stems, strict=True)}
    word_of_form = np.array([word_of_name.get(name, -1) for name in name_of_form], np.int64)
    word = word_of_form[tokens.form]
    token = np.flatnonzero((word >= 0) & ~_in_debris(document.text, tokens))
    uses = np.bincount(tokens.form[token], minlength=len(tokens.forms)).tolist()
    return Words(_commonest(name_of_form, word_of_name, uses, len(words)), word[token], token)


def _commonest(
    name_of_form: list[str], word_of_name: dict[str, int], uses: list[int], n_words: int
) -> tuple[str, ...]:
    """Name each word by its most used name, the earliest of equals."""
    uses_of_name = dict.fromkeys(word_of_name, 0)
    for name, count in zip(name_of_form, uses, strict=True):
        if name in uses_of_name:
            uses_of_name[name] += count
    best = [""] * n_words
    for name, word in word_of_name.items():
        if not best[word] or uses_of_name[name] > uses_of_name[best[word]]:
            best[word] = name
    return tuple(best)


def normal_form(form: str) -> str:
    """Lower-case a token, without the possessive ending and invisible characters.

    >>> normal_form("Patient’s")
    'patient'
    """
    name = form.lower()
    if not name.isascii():
        name = unicodedata.normalize("NFC", name.translate(_INVISIBLE))
    return name.removesuffix("'s")


def _is_word(name: str) -> bool:
    """Tell words from numbers, single letters and codes that are mostly digits."""
    if name.isalpha():
        return len(name) > 1
    digits = sum(map(str.isdigit, name))
    return len(name) > 1 and name[0].isalpha() and 2 * digits <= len(name)


def _in_debris(text: str, tokens: Tokens) -> NDArray[np.bool_]:
    """Mark the tokens that lie in a web or e-mail address, a tag, an entity or a LaTeX command."""
    inside = np.zeros(len(tokens) + 1, np.int64)
    for start, end in _debris_spans(text):
        first, last = np.searchsorted(tokens.start, [start, end])
        inside[first] += 1
        inside[last] -= 1
    return np.cumsum(inside)[:-1] > 0


def _debris_spans(text: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in _MARKUP.finditer(text)]
    done = 0
    for match in _ADDRESS.finditer(text):
        if match.start() < done:
            continue
        start = match.start()
        while start > done and not text[start - 1].isspace():
            start -= 1
        rest = _TO_SPACE.match(text, match.end())
        done = rest.end() if rest else match.end()
        spans.append((start, done))
    return spans

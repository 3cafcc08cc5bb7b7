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

# An address is widened from what gives it away to the characters around it that addresses have.
_ADDRESS = re.compile(
    r"://|\bwww\.|\w@\w|\w\.(?:com|org|net|edu|gov|info|dev|app|io|co\.uk)\b|\w\.[a-z]{2,6}/\w"
)
_ADDRESS_CHARACTERS = re.compile(r"[\w.~:/?#@!$&'*+,;=%-]*", re.ASCII)
_MARKUP = re.compile(
    r"""
      <!--[^<>]{0,1000}-->
    | </?[A-Za-z][\w:.-]*+
      (?:\s++[\w:@-]++(?:\s*+=\s*+(?:"[^"<>]{0,1000}"|'[^'<>]{0,1000}'|[^\s"'<>]++))?)*+\s*+/?>
    | &(?:\#\w{1,8};|[A-Za-z]{2,8}\d?;|(?:nbsp|amp|lt|gt|quot)\b)
    | \\[A-Za-z]+
    """,
    re.VERBOSE,
)
_PROGRAM = re.compile(r"<(?:script|style)\b[^<>]{0,1000}>", re.IGNORECASE)
_PROGRAM_END = re.compile(r"</(?:script|style)\b", re.IGNORECASE)


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
    """Lower-case a token, without possessive ending, invisible characters and _emphasis_.

    >>> normal_form("Patient’s")
    'patient'
    """
    name = form.lower()
    if not name.isascii():
        name = unicodedata.normalize("NFC", name.translate(_INVISIBLE))
    return name.removesuffix("'s").strip("_")


def _is_word(name: str) -> bool:
    """Tell words from numbers, single letters and codes that are mostly digits."""
    if name.isalpha():
        return len(name) > 1
    digits = sum(map(str.isdigit, name))
    return len(name) > 1 and name[0].isalpha() and 3 * digits <= len(name)


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
    spans += _programs(text)
    done = 0
    for match in _ADDRESS.finditer(text):
        if match.start() < done:
            continue
        start = match.start()
        while start > done and _ADDRESS_CHARACTERS.fullmatch(text, start - 1, start):
            start -= 1
        rest = _ADDRESS_CHARACTERS.match(text, match.end())
        done = rest.end() if rest else match.end()
        spans.append((start, done))
    return spans


def _programs(text: str) -> list[tuple[int, int]]:
    """Find scripts and style sheets, from their opening to their closing tags."""
    spans = []
    done = 0
    for opening in _PROGRAM.finditer(text):
        if opening.start() >= done:
            closing = _PROGRAM_END.search(text, opening.end())
            if closing is None:
                break
            done = closing.start()
            spans.append((opening.start(), done))
    return spans

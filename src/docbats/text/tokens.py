"""Where tokens begin and end, and which sentence each belongs to."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language

    _Ints = NDArray[np.int64]
    _Codes = NDArray[np.uint8] | NDArray[np.uint32]


_LONG_STRETCH = re.compile(r"\S{200,}")
# Python sorts a run of accents by insertion: a run as long as a file would take minutes. No script
# has more than a few in a row, and Unicode's stream-safe format allows thirty.
_MAX_ACCENTS = 100


def compose(text: str) -> str:
    r"""Compose letters and their accents; what has far too many accents in a row stays as it is.

    >>> compose("Cafe\u0301") == "Caf\xe9"
    True
    """
    if text.isascii():
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _accent_runs(text):
        pieces += [normalize("NFC", text[done:start]), text[start:end]]
        done = end
    return "".join([*pieces, normalize("NFC", text[done:])])


def has_accent_run(text: str) -> bool:
    """Whether there are so many accents in a row that other libraries would take minutes."""
    return not text.isascii() and next(_accent_runs(text), None) is not None


def _accent_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where there is no blank around too many accents in a row."""
    for found in _LONG_STRETCH.finditer(text):
        run = 0
        for letter in "" if found[0].isascii() else found[0]:
            run = run + 1 if combining(letter) else 0
            if run > _MAX_ACCENTS:
                yield found.span()
                break


_HAN_OR_KANA = re.compile(
    "[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_JOINERS = "\u00ad\u200c\u200d\u2060"  # soft hyphen, zero-width (non-)joiner, word joiner
_WIDE = f"utf-32-{sys.byteorder[0]}e"  # four bytes a character, in the order that numpy reads
_BLOCK_SIZE = 1 << 20  # characters tokenized at a time: bounds the memory of token strings

# Kinds of characters. Those from _LETTER on make up words.
_BLANK, _MARK, _APOSTROPHE, _LETTER, _HAN = range(5)


@dataclass(frozen=True, eq=False)
class Tokens:
    """Words and punctuation marks in the order of the text.

    Attributes
    ----------
    forms
        The distinct tokens as written, in order of first appearance.
    form
        For each token, its place in `forms`.
    start, end
        For each token, its half-open span in the text.
    sentence
        For each token, the index of its sentence.
    """

    forms: tuple[str, ...]
    form: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    sentence: NDArray[np.int64]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.form)

    @property
    def is_word(self) -> NDArray[np.bool_]:
        """Whether each token is a word or a number, no mark."""
        return np.array([form[0].isalnum() for form in self.forms], np.bool_)[self.form]


class _Ids(dict[str, int]):
    """Number the keys in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


def tokenize(document: Document, language: Language = ENGLISH) -> Tokens:
    """Find the tokens of `document`: runs of letters and digits, and single other marks.

    An apostrophe between letters stays inside its word, but after an elision of the language it
    ends a token: "l'eau" is "l'" and "eau". Chinese and Japanese, which put no space between words,
    are cut by the segmenter of the language if it is installed; else they become overlapping pairs
    of characters.
    """
    ids = _Ids()
    segment = find_segmenter(language.segmenter)
    text = document.text if document.prose is None else document.prose
    forms, starts, ends = [], [], []
    for begin, stop in _blocks(document):
        block = text[begin:stop]
        codes, kinds = _characters(block)
        start, end = _token_spans(block, kinds, segment)
        if language.elisions:
            start, end = _split_elisions(block, kinds, start, end, language.elisions)
        tokens = _strings(codes, start, end)
        forms.append(np.fromiter(map(ids.__getitem__, tokens), np.int64, len(tokens)))
        starts.append(start + begin)
        ends.append(end + begin)
    form, start, end = map(np.concatenate, (forms, starts, ends))
    first, last = np.searchsorted(start, document.spans.T)
    count = last - first
    sentence = np.repeat(np.arange(len(document)), count)
    # Spans of one's own may leave out parts of the text.
    if len(sentence) < len(start):
        inside = np.arange(len(sentence)) + np.repeat(last - np.cumsum(count), count)
        form, start, end = form[inside], start[inside], end[inside]
    return Tokens(tuple(ids), form, start, end, sentence)


def _blocks(document: Document) -> Iterator[tuple[int, int]]:
    """Cut the text at starts of sentences into pieces of about `_BLOCK_SIZE` characters."""
    sentence_starts = document.spans[:, 0]
    begin, size = 0, len(document.text)
    while begin < size:
        place = np.searchsorted(sentence_starts, begin + _BLOCK_SIZE)
        stop = int(sentence_starts[place]) if place < len(sentence_starts) else size
        yield begin, stop
        begin = stop


@lru_cache(maxsize=4096)
def _kind(character: str) -> int:
    if character.isspace():
        return _BLANK
    if character in "'’":
        return _APOSTROPHE
    # Accents of their own and invisible joiners belong inside words though they are no letters.
    is_part = character in _JOINERS or unicodedata.category(character)[0] == "M"
    if is_part or character.isalnum() or character == "_":
        return _HAN if _HAN_OR_KANA.match(character) else _LETTER
    return _MARK


_ASCII_KINDS = bytes(map(_kind, map(chr, range(128)))) + bytes(128)


def _characters(block: str) -> tuple[_Codes, NDArray[np.uint8]]:
    """Return the code points of a text, in one byte each if that suffices, and their kinds."""
    if block.isascii():
        octets = block.encode("ascii")
        kinds = octets.translate(_ASCII_KINDS)
        return np.frombuffer(octets, np.uint8), np.frombuffer(kinds, np.uint8)
    codes = np.frombuffer(block.encode(_WIDE, "surrogatepass"), np.uint32)
    kind_of_code = np.zeros(codes.max() + 1, np.uint8)
    kind_of_code[codes] = 1
    used = np.flatnonzero(kind_of_code)
    kind_of_code[used] = [_kind(chr(code)) for code in used.tolist()]
    return codes, kind_of_code[codes]


def _token_spans(
    block: str, kinds: NDArray[np.uint8], segment: Segmenter | None
) -> tuple[_Ints, _Ints]:
    """Find where tokens begin and end by the kinds of the characters."""
    in_word = kinds >= _LETTER
    inner = (kinds[1:-1] == _APOSTROPHE) & in_word[:-2] & in_word[2:]
    in_word[1:-1] |= inner
    joined = np.zeros(len(kinds) + 1, bool)  # whether a character goes with the one before it
    joined[1:-1] = in_word[:-1] & in_word[1:]
    is_han = kinds == _HAN
    has_han = bool(is_han.any())
    if has_han:
        joined[1:-1] &= is_han[:-1] == is_han[1:]
    is_token = kinds != _BLANK
    start = np.flatnonzero(is_token & ~joined[:-1])
    end = np.flatnonzero(is_token & ~joined[1:]) + 1
    if not has_han:
        return start, end
    # Each character of a run but the last begins a pair; a single one stays a token.
    other = ~is_han[start] | (end - start == 1)
    if segment is None:
        pair = np.flatnonzero(joined[1:] & is_han)
        more = pair, pair + 2
    else:
        more = _segmented(block, start[~other], end[~other], segment)
    start, end = np.append(start[other], more[0]), np.append(end[other], more[1])
    order = np.argsort(start, kind="stable")  # merges the two runs in linear time
    return start[order], end[order]


def _segmented(block: str, start: _Ints, end: _Ints, segment: Segmenter) -> tuple[_Ints, _Ints]:
    """Cut runs of Chinese or Japanese characters into their words."""
    runs = zip(start.tolist(), end.tolist(), strict=True)
    sizes = [np.array([len(word) for word in segment(block[a:b])], np.int64) for a, b in runs]
    ends = [first + np.cumsum(size) for first, size in zip(start.tolist(), sizes, strict=True)]
    if not ends:
        return start, end
    stop = np.concatenate(ends)
    return stop - np.concatenate(sizes), stop


def _split_elisions(
    block: str, kinds: NDArray[np.uint8], start: _Ints, end: _Ints, elisions: frozenset[str]
) -> tuple[_Ints, _Ints]:
    """Split the tokens that begin with an elision after its apostrophe."""
    apostrophe = np.flatnonzero(kinds == _APOSTROPHE)
    token = np.searchsorted(start, apostrophe, side="right") - 1
    first = np.flatnonzero(np.diff(token, prepend=-1))  # of the apostrophes of each token
    apostrophe, token = apostrophe[first], token[first]
    inside = apostrophe + 1 < end[token]
    begins = zip(start[token[inside]].tolist(), apostrophe[inside].tolist(), strict=True)
    found = [stop + 1 for begin, stop in begins if block[begin:stop].lower() in elisions]
    elided = np.array(found, np.int64)
    return np.sort(np.append(start, elided)), np.sort(np.append(end, elided))


def _strings(codes: _Codes, start: _Ints, end: _Ints) -> list[str]:
    """Cut out tokens: written one after the other with blanks between, then split at those."""
    if not len(start):
        return []
    size = end - start + 1
    stop = np.cumsum(size)
    place = np.arange(stop[-1]) + np.repeat(end + 1 - stop, size)
    place[stop - 1] = 0
    line = codes[place]
    line[stop - 1] = ord(" ")
    encoding = "ascii" if codes.dtype == np.uint8 else _WIDE
    tokens: str = line[:-1].tobytes().decode(encoding, "surrogatepass")
    return tokens.split(" ")


Segmenter = Callable[[str], list[str]]
"""Cuts a run of characters into its words, which joined give it again."""


@dataclass(frozen=True)
class SegmenterLibrary:
    """An optional library that segments one language.

    Attributes
    ----------
    extra
        The extra of docbats that installs it.
    module
        The module that is there if it is installed.
    load
        Imports it and returns its segmenter.
    """

    extra: str
    module: str
    load: Callable[[], Segmenter]


@cache
def find_segmenter(library: SegmenterLibrary | None) -> Segmenter | None:
    """Load a segmenter; None where its library is not installed, or nothing needs one."""
    return None if library is None or is_missing(library) else library.load()


@cache
def is_missing(library: SegmenterLibrary) -> bool:
    """Whether the library is not installed."""
    return find_spec(library.module) is None

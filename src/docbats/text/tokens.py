"""Where tokens begin and end, and which sentence each belongs to."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.document import Document

__all__ = ["Tokens", "tokenize"]

_WITHOUT_SPACES = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAN_OR_KANA = re.compile(f"[{_WITHOUT_SPACES}]")
_RUN = re.compile(f"[{_WITHOUT_SPACES}]+|[^{_WITHOUT_SPACES}]+")
_JOINERS = "\u00ad\u200c\u200d\u2060"  # soft hyphen, zero-width (non-)joiner, word joiner
_BLOCK = 1 << 20  # characters tokenised at a time: bounds the memory that token strings take


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


class _Ids(dict[str, int]):
    """Number the keys in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


def tokenize(document: Document) -> Tokens:
    """Find the tokens of `document`: runs of letters and digits, and single other marks.

    An apostrophe between letters stays inside its word. Chinese and Japanese, which put no space
    between words, become overlapping pairs of characters.
    """
    text = document.text
    pattern = _pattern(_marks(text))
    ids = _Ids()
    forms, starts, ends = [], [], []
    for begin, stop in _blocks(document):
        block = text[begin:stop]
        tokens, start, end = _word_spans(block, pattern)
        if not block.isascii() and _HAN_OR_KANA.search(block):
            tokens, start, end = _pair_up(tokens, start)
        forms.append(np.fromiter(map(ids.__getitem__, tokens), np.int64, len(tokens)))
        starts.append(start + begin)
        ends.append(end + begin)
    start = np.concatenate(starts)
    sentence = np.searchsorted(document.spans[:, 0], start, side="right") - 1
    # Spans of one's own may leave out parts of the text.
    inside = (sentence >= 0) & (start < document.spans[sentence, 1])
    return Tokens(
        forms=tuple(ids),
        form=np.concatenate(forms)[inside],
        start=start[inside],
        end=np.concatenate(ends)[inside],
        sentence=sentence[inside],
    )


def _blocks(document: Document) -> Iterator[tuple[int, int]]:
    """Cut the text at starts of sentences into pieces of about `_BLOCK` characters."""
    sentence_starts = document.spans[:, 0]
    begin, size = 0, len(document.text)
    while begin < size:
        place = np.searchsorted(sentence_starts, begin + _BLOCK)
        stop = int(sentence_starts[place]) if place < len(sentence_starts) else size
        yield begin, stop
        begin = stop


def _marks(text: str) -> str:
    r"""Collect the characters of `text` that belong inside words though ``\w`` leaves them out."""
    if text.isascii():
        return ""
    kept = (c for c in set(text) if c in _JOINERS or unicodedata.category(c)[0] == "M")
    return "".join(sorted(kept))


@lru_cache(maxsize=64)
def _pattern(marks: str) -> re.Pattern[str]:
    letter = rf"[\w{re.escape(marks)}]"
    return re.compile(rf"({letter}+(?:['’]{letter}+)*|[^\w\s])")


_Spans = tuple[list[str], "NDArray[np.int64]", "NDArray[np.int64]"]


def _word_spans(block: str, pattern: re.Pattern[str]) -> _Spans:
    # Splitting keeps the gaps between tokens, so that lengths alone give the offsets: twice as
    # fast as asking each match for its span.
    pieces = pattern.split(block)
    edges = np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)))
    return pieces[1::2], edges[0:-1:2], edges[1::2]


def _pair_up(words: list[str], word_starts: NDArray[np.int64]) -> _Spans:
    """Break Chinese and Japanese words into overlapping pairs of characters."""
    tokens, starts = [], []
    for word, start in zip(words, word_starts.tolist(), strict=True):
        if word.isascii():  # to spare the search for most words of other languages
            tokens.append(word)
            starts.append(start)
            continue
        for run in _RUN.finditer(word):
            size = len(run[0])
            width = 2 if _HAN_OR_KANA.match(run[0]) else size
            for i in range(max(1, size - width + 1)):
                tokens.append(run[0][i : i + width])
                starts.append(start + run.start() + i)
    begin = np.array(starts, np.int64)
    return tokens, begin, begin + np.fromiter(map(len, tokens), np.int64, len(tokens))

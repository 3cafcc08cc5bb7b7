"""Sentences longer than a segment may be, split where it hurts least."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.settings import Unit
    from docbats.text.tokens import Tokens

    _Measure = Callable[[list[int]], list[int]]

__all__ = ["split_long", "unit_sizes"]

_CLAUSE = re.compile(
    r"""
      [.?!;:,…][)\]"”’»]*\s+
    | [—。！？，；：、]\s*
    | \s[-–]\s+
    | \s+(?=(?:and|or|nor|but|yet|so|because|although|though|while|whereas|which|who|when|where
             |if|unless|until|since|that|after|before)\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BLANK = re.compile(r"\s+")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
_APOSTROPHES = "'’"
_ZERO_WIDTH_JOINER = "\u200d"


def unit_sizes(document: Document, unit: Unit, tokens: Tokens | None = None) -> NDArray[np.int64]:
    """Measure each sentence in `unit`; without its `tokens` the document is tokenised for words.

    Segments tile the text, so a sentence has all characters up to where the next one begins, and
    the first one those before it, too. A sentence without words has 0 words.
    """
    if unit == "sentences":
        return np.ones(len(document), np.int64)
    if unit == "characters":
        return np.diff(_regions(document))
    tokens = tokenize(document) if tokens is None else tokens
    return np.bincount(tokens.sentence[_is_word(tokens)], minlength=len(document))


def split_long(document: Document, most: int, unit: Unit) -> Document:
    """Split the sentences that are larger than `most`.

    They are split between clauses, where that does not suffice between words, and only words that
    are too long by themselves inside: into as few pieces as that takes, the largest of them as
    small as can be. Every new span lies within an old one, but for those of pieces of mere blanks
    between sentences, which are empty.
    """
    edges = _regions(document)
    # No sentence has more words than characters.
    if unit == "sentences" or np.diff(edges).max() <= most:
        return document
    regions = edges.tolist()
    measure = _measure(document, unit)
    long = np.flatnonzero(np.diff(measure(regions)) > most).tolist()
    if not long:
        return document
    spans, done = [], 0
    for sentence in long:
        spans.extend(document.spans[done:sentence].tolist())
        places = _split(document.text, regions[sentence], regions[sentence + 1], most, measure)
        spans.extend(_spans(document.text, places, *document.spans[sentence].tolist()))
        done = sentence + 1
    spans.extend(document.spans[done:].tolist())
    return replace(document, spans=np.array(spans, np.int64))


def _regions(document: Document) -> NDArray[np.int64]:
    """Find where the part of each sentence begins if they tile the text, and the text's end."""
    return np.concatenate([[0], document.spans[1:, 0], [len(document.text)]])


def _measure(document: Document, unit: Unit) -> _Measure:
    """Make a function that tells how much of the text lies before each of some places."""
    if unit == "characters":
        return list
    tokens = tokenize(document)
    starts = tokens.start[_is_word(tokens)]
    return lambda places: np.searchsorted(starts, places).tolist()


def _is_word(tokens: Tokens) -> NDArray[np.bool_]:
    return np.array([form[0].isalnum() for form in tokens.forms], bool)[tokens.form]


def _split(text: str, begin: int, end: int, most: int, measure: _Measure) -> list[int]:
    """Find the places to split, with both ends; each way of splitting takes what the last left."""
    places = [begin, end]
    for find in (_clauses, _words, _word_ends, _parts_of_words, _letters, _characters):
        sizes = measure(places)
        if max(b - a for a, b in pairwise(sizes)) <= most:
            break
        finer = [begin]
        for (a, b), (size_a, size_b) in zip(pairwise(places), pairwise(sizes), strict=True):
            if size_b - size_a > most:
                inner = [a, *(a + at for at in find(text[a:b]) if 0 < at < b - a), b]
                finer.extend(inner[i] for i in _group(measure(inner), most)[1:])
            else:
                finer.append(b)
        places = finer
    return _join_blanks(text, places, most, measure)


def _join_blanks(text: str, places: list[int], most: int, measure: _Measure) -> list[int]:
    """Leave blanks to the piece before them where they fit in, after all."""
    sizes = measure(places)
    joined, begin = places[:1], sizes[0]
    for (a, b), (size_a, size_b) in zip(pairwise(places), pairwise(sizes), strict=True):
        if len(joined) > 1 and text[a:b].isspace() and size_b - begin <= most:
            joined[-1] = b
        else:
            joined.append(b)
            begin = size_a
    return joined


def _group(ends: list[int], most: int) -> list[int]:
    """Group what lies between `ends` so that groups are at most `most`, if they are not one alone.

    They are as few as can be, and then the largest is as small as can be.
    """
    fewest = len(_groups_within(ends, most))
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        if len(_groups_within(ends, middle)) > fewest:
            low = middle + 1
        else:
            high = middle
    return _groups_within(ends, high)


def _groups_within(ends: list[int], most: int) -> list[int]:
    groups = [0]
    while groups[-1] < len(ends) - 1:
        last = bisect_right(ends, ends[groups[-1]] + most) - 1
        groups.append(max(last, groups[-1] + 1))
    return groups


def _spans(text: str, places: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the span of each piece of the sentence from `start` to `end`."""
    for i, (a, b) in enumerate(pairwise(places)):
        first = a if i else min(max(a, start), b)
        last = min(end, b) if first >= start else first
        if last < end:
            last = first + len(text[first:last].rstrip())
        yield first, max(first, last)


def _clauses(piece: str) -> list[int]:
    return [match.end() for match in _CLAUSE.finditer(piece)]


def _words(piece: str) -> list[int]:
    return [match.end() for match in _BLANK.finditer(piece)]


def _word_ends(piece: str) -> list[int]:
    """Part words from the blanks after them, where these are too many."""
    return [match.end() for match in _WORD_END.finditer(piece)]


def _parts_of_words(piece: str) -> list[int]:
    """Find the letters after a hyphen, a slash and the like."""
    return [
        i
        for i, (before, after) in enumerate(pairwise(piece), 1)
        if after.isalnum()
        and before not in _APOSTROPHES
        and unicodedata.category(before)[0] in "PS"
    ]


def _letters(piece: str) -> list[int]:
    """Find the characters that do not belong to the one before them."""
    return [i for i, pair in enumerate(pairwise(piece), 1) if not _belong_together(*pair)]


def _belong_together(before: str, after: str) -> bool:
    return (
        unicodedata.category(after)[0] == "M"
        or _ZERO_WIDTH_JOINER in (before, after)
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # the skin of the person before it
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
    )


def _characters(piece: str) -> list[int]:
    return list(range(1, len(piece)))

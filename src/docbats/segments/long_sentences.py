"""Sentences longer than a segment may be, split where it hurts least."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import InputError
from docbats.segments.measure import largest_size, measured, sentence_regions
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.segments.measure import Measure
    from docbats.settings import Unit
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

    _Measure = Callable[[list[int]], list[int]]
    _Splitter = Callable[[str], list[int]]

__all__ = ["clause_ends", "split_long", "unit_sizes"]

_CLAUSE_MARKS = r"""
      [.?!;:,…][)\]"”’»]*\s+
    | [—。！？，；：、]\s*
    | \s[-–]\s+
"""
_BLANK = re.compile(r"\s+")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
_APOSTROPHES = "'’"
_ZERO_WIDTH_JOINER = "\u200d"


def unit_sizes(
    document: Document, unit: Unit, tokens: Tokens | None = None, language: Language = ENGLISH
) -> NDArray[np.int64]:
    """Measure each sentence in `unit`; without its `tokens` the document is tokenized for words.

    Segments tile the text, so a sentence has all characters up to where the next one begins, and
    the first one those before it, too. A sentence without words has 0 words.
    """
    if unit == "sentences":
        return np.ones(len(document), np.int64)
    if unit == "characters":
        return np.diff(sentence_regions(document))
    tokens = tokenize(document, language) if tokens is None else tokens
    return np.bincount(tokens.sentence[tokens.is_word], minlength=len(document))


def split_long(
    document: Document, max_size: int, unit: Unit | Measure, language: Language = ENGLISH
) -> Document:
    """Split the sentences that are larger than `max_size`.

    They are split between clauses, where that does not suffice between words, and only words that
    are too long by themselves inside: into as few pieces as that takes, the largest of them as
    small as can be. Every new span lies within an old one, but for those of pieces of mere blanks
    between sentences, which are empty.
    """
    edges = sentence_regions(document)
    # No sentence has more words than characters.
    if unit == "sentences" or (isinstance(unit, str) and np.diff(edges).max() <= max_size):
        return document
    regions = edges.tolist()
    measure = _measure(document, unit, language)
    if isinstance(unit, str):
        is_long = np.diff(measure(regions)) > max_size
    else:
        pieces = [document.text[start:end] for start, end in pairwise(regions)]
        is_long = np.array([largest_size(unit, piece) for piece in pieces]) > max_size
    long = np.flatnonzero(is_long).tolist()
    if not long:
        return document
    split = partial(_split, document.text, measure=measure, splitters=_splitters(language))
    spans, done = [], 0
    for sentence in long:
        spans.extend(document.spans[done:sentence].tolist())
        region = regions[sentence], regions[sentence + 1]
        if isinstance(unit, str):
            places = split(region, max_size=max_size)
        else:
            places = _split_until_it_fits(document.text, region, max_size, unit, split)
        spans.extend(_spans(document.text, places, *document.spans[sentence].tolist()))
        done = sentence + 1
    spans.extend(document.spans[done:].tolist())
    return replace(document, spans=np.array(spans, np.int64))


def _measure(document: Document, unit: Unit | Measure, language: Language) -> _Measure:
    """Make a function that returns how much of the text lies before each of some places."""
    if not isinstance(unit, str):
        return partial(_sum_of_sizes, document.text, unit)
    if unit == "characters":
        return list
    tokens = tokenize(document, language)
    starts = tokens.start[tokens.is_word]
    return lambda places: np.searchsorted(starts, places).tolist()


def _splitters(language: Language) -> tuple[_Splitter, ...]:
    """Return the ways to split a piece of text, from the least harmful on."""
    clauses = partial(clause_ends, language=language)
    return (clauses, _words, _word_ends, _parts_of_words, _letters, _characters)


def clause_ends(piece: str, language: Language) -> list[int]:
    """Return where clauses end, with the blanks after them."""
    return [match.end() for match in _clause_pattern(language).finditer(piece)]


@cache
def _clause_pattern(language: Language) -> re.Pattern[str]:
    """Make the pattern of what stands before a clause."""
    words = "|".join(map(re.escape, sorted(language.clause_words)))
    # Amid blanks none is looked for again: a row of them would take quadratic time.
    before_word = rf"| (?<!\s)\s++(?=(?:{words})\b)" if words else ""
    return re.compile(_CLAUSE_MARKS + before_word, re.VERBOSE | re.IGNORECASE)


def _split(
    text: str,
    region: tuple[int, int],
    *,
    max_size: int,
    measure: _Measure,
    splitters: tuple[_Splitter, ...],
) -> list[int]:
    """Find the places to split, with both ends; each splitter takes what the last one left."""
    places = list(region)
    for find in splitters:
        sizes = measure(places)
        if max(b - a for a, b in pairwise(sizes)) <= max_size:
            break
        finer = [places[0]]
        for (a, b), (size_a, size_b) in zip(pairwise(places), pairwise(sizes), strict=True):
            if size_b - size_a > max_size:
                inner = [a, *(a + at for at in find(text[a:b]) if 0 < at < b - a), b]
                finer.extend(inner[i] for i in _group(measure(inner), max_size)[1:])
            else:
                finer.append(b)
        places = finer
    return _join_blanks(text, places, max_size, measure)


def _sum_of_sizes(text: str, unit: Measure, places: list[int]) -> list[int]:
    """Return how much of the text lies before each place, if sizes added up.

    A blank is left out after what is not blank: most tokenizers join it to the word after it.
    """
    empty = measured(unit, "")
    sums = [0]
    for start, end in pairwise(places):
        is_blank_last = end - start > 1 and text[end - 1].isspace() and not text[end - 2].isspace()
        size = measured(unit, text[start : end - is_blank_last])
        sums.append(sums[-1] + max(0, size - empty))
    return sums


def _split_until_it_fits(
    text: str,
    region: tuple[int, int],
    max_size: int,
    unit: Measure,
    split: Callable[..., list[int]],
) -> list[int]:
    """Find the places to split by sizes that need not add up: into smaller pieces until all fit."""
    limit = max(1, max_size - measured(unit, ""))
    while True:
        places = split(region, max_size=limit)
        large = [text[a:b] for a, b in pairwise(places) if largest_size(unit, text[a:b]) > max_size]
        if not large:
            return places
        if limit == 1:
            msg = (
                f"{large[0][:20]!r} alone has a size of {largest_size(unit, large[0])}, but "
                f"max_size without the overlap is {max_size}: give a larger max_size"
            )
            raise InputError(msg)
        limit = limit * 9 // 10


def _join_blanks(text: str, places: list[int], max_size: int, measure: _Measure) -> list[int]:
    """Leave blanks to the piece before them where they fit in, after all."""
    sizes = measure(places)
    joined, begin = places[:1], sizes[0]
    for (a, b), (size_a, size_b) in zip(pairwise(places), pairwise(sizes), strict=True):
        if len(joined) > 1 and text[a:b].isspace() and size_b - begin <= max_size:
            joined[-1] = b
        else:
            joined.append(b)
            begin = size_a
    return joined


def _group(ends: list[int], max_size: int) -> list[int]:
    """Group what lies between `ends` into groups of at most `max_size`, or of one alone.

    They are as few as can be, and then the largest is as small as can be.
    """
    fewest = len(_groups_within(ends, max_size))
    low, high = 1, max_size
    while low < high:
        middle = (low + high) // 2
        if len(_groups_within(ends, middle)) > fewest:
            low = middle + 1
        else:
            high = middle
    return _groups_within(ends, high)


def _groups_within(ends: list[int], max_size: int) -> list[int]:
    groups = [0]
    while groups[-1] < len(ends) - 1:
        last = bisect_right(ends, ends[groups[-1]] + max_size) - 1
        groups.append(max(last, groups[-1] + 1))
    return groups


def _spans(text: str, places: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each piece of the sentence from `start` to `end`."""
    for i, (a, b) in enumerate(pairwise(places)):
        first = a if i else min(max(a, start), b)
        last = min(end, b) if first >= start else first
        if last < end:
            last = first + len(text[first:last].rstrip())
        yield first, max(first, last)


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
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # the skin tone of the person before it
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
    )


def _characters(piece: str) -> list[int]:
    return list(range(1, len(piece)))

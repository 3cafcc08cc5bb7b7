"""Limits on the size of segments: how sizes are measured, long sentences, overlap."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import InputError, SettingsError
from docbats.segments.costs import SegmentCost, segment_sums
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.words import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.pipeline import PreparedText
    from docbats.settings import Settings, SizeUnit
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    _Measure = Callable[[list[int]], list[int]]
    _Splitter = Callable[[str], list[int]]


Measure = Callable[[str], int]
"""Takes a text and returns its size."""


def measured(measure: Measure, text: str) -> int:
    """Return the size of a text, or refuse what is not a size.

    >>> measured(lambda text: len(text.split()), "Bats fly.")
    2
    """
    size = measure(text)
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 0:
        msg = f"size_unit must return a whole number, at least 0, for each text, got {size!r}"
        raise SettingsError(msg)
    return int(size)


def largest_size(measure: Measure, text: str) -> int:
    """Return the size of a text, or of the text without the blanks around it if that is larger.

    Tokens may include the blank before them, so fewer characters can be more tokens.
    """
    stripped = text.strip()
    size = measured(measure, text)
    return size if stripped == text else max(size, measured(measure, stripped))


def unit_name(unit: SizeUnit | Measure) -> str:
    """Return the name of a unit of sizes in messages.

    >>> unit_name("words"), unit_name(len)
    ('words', 'units of len')
    """
    if isinstance(unit, str):
        return unit
    return f"units of {getattr(unit, '__name__', type(unit).__name__)}"


def sentence_regions(document: Document) -> NDArray[np.int64]:
    """Return the start of each sentence's region, which tile the text, and the end of the text."""
    return np.concatenate([[0], document.spans[1:, 0], [len(document.text)]])


def find_limits(text: PreparedText, settings: Settings) -> SizeLimits:
    """Return the limits on the size of segments; the overlap takes its share of the maximum."""
    document, unit, minimum = text.document, settings.size_unit, settings.min_size
    maximum = None if settings.max_size is None else settings.max_size - settings.overlap
    if isinstance(unit, str):
        return SizeLimits(unit_sizes(document, unit, text.tokens), minimum, maximum)
    return measured_limits(document, unit, minimum, maximum)


def measured_limits(
    document: Document, measure: Measure, minimum: int, maximum: int | None
) -> SizeLimits:
    """Return the limits on the size of segments; no sentence is larger than the maximum."""
    found = _SentenceSizes(document.text, sentence_regions(document), measure)
    if maximum is None:
        return SizeLimits(found.sizes, max(0, minimum - found.edge))
    most = max(1, maximum - found.edge)
    least = max(0, min(minimum, maximum) - found.edge)
    sizes = np.minimum(found.sizes, most)
    return SizeLimits(sizes, least, most, found.between, maximum)


class _SentenceSizes:
    """The size of each sentence of a text, where sizes of texts need not add up.

    What a sentence adds is measured after the sentence before it. Two sentences may be smaller
    together than alone, since a tokenizer adds special tokens to every text and joins blanks to
    words: `edge` is how much larger the first sentence of a segment usually is.
    """

    def __init__(self, text: str, regions: NDArray[np.int64], measure: Measure) -> None:
        self._text = text
        self._regions = regions.tolist()
        self._measure = measure
        self._known: dict[tuple[int, int], int] = {}
        spans = list(pairwise(self._regions))
        alone = [measured(measure, text[start:end]) for start, end in spans]
        added = [
            measured(measure, text[before:end]) - size
            for (before, _), (_, end), size in zip(spans, spans[1:], alone, strict=False)
        ]
        edges = np.array(alone[1:]) - added
        empty = measured(measure, "")
        self.edge = max(empty, int(np.ceil(np.median(edges)))) if added else empty
        self.sizes = np.maximum([alone[0] - self.edge, *added], 0).astype(np.int64)

    def between(self, first: int, end: int) -> int:
        """Return the size of the sentences from `first` to before `end`, measured together."""
        if (first, end) not in self._known:
            piece = self._text[self._regions[first] : self._regions[end]]
            self._known[first, end] = largest_size(self._measure, piece)
        return self._known[first, end]


_SHORTFALL_COST = 1e9  # more than any gain, so that as few segments as possible are too small


@dataclass(frozen=True, eq=False)
class SizeLimits(SegmentCost):
    """The minimum and the maximum size of a segment.

    Attributes
    ----------
    sizes
        The size of each sentence, in the unit of the limits; none is above `maximum`.
    minimum, maximum
        The maximum is never exceeded; the minimum gives way if the text does not allow it.
    measure
        Returns the true size of the sentences from one to before another, if the sizes of
        sentences do not add up to it; `measured_maximum` is its limit.
    """

    sizes: NDArray[np.int64]
    minimum: int = 0
    maximum: int | None = None
    measure: Callable[[int, int], int] | None = None
    measured_maximum: int = 0

    penalty = 0.0

    def __post_init__(self) -> None:
        if self.maximum is not None and self.sizes.max() > self.maximum:
            msg = (
                f"sentences must be at most {self.maximum} long, got {self.sizes.max()}: split "
                "long ones first"
            )
            raise ValueError(msg)

    @cached_property
    def longest(self) -> int:
        """The largest number of sentences in a segment."""
        return int(np.max(self._reach - np.arange(len(self._reach))))

    @cached_property
    def fewest(self) -> int:
        """The smallest number of segments that the text can be cut into."""
        segments, start = 0, 0
        while start < len(self.sizes):
            start = int(self._reach[start])
            segments += 1
        return segments

    def even_starts(self, k: int) -> list[int]:
        """Return the starts of k segments, at least `fewest`, within the maximum and about even."""
        m = len(self.sizes)
        # The earliest start from which t segments can hold the rest of the text, for each t.
        earliest_starts = [m]
        for _ in range(k):
            before = self._ends[earliest_starts[-1]] - self._maximum
            earliest_starts.append(int(np.searchsorted(self._ends, before)))
        ideal = np.searchsorted(self._ends, self._ends[-1] * np.arange(k) / k).tolist()
        starts = [0]
        for t in range(1, k):
            latest = min(int(self._reach[starts[-1]]), m - (k - t))
            earliest = max(earliest_starts[k - t], starts[-1] + 1)
            starts.append(min(max(ideal[t], earliest), latest))
        return starts

    def keep_within(self, cut: Callable[[SizeLimits], list[int] | None]) -> list[int] | None:
        """Return the starts that `cut` finds within the limits.

        If a segment is larger than its sentences add up to, the text is cut again, with larger
        sizes for these sentences.
        """
        limits, starts = self, cut(self)
        while starts is not None:
            tighter = limits._tightened(starts)
            if tighter is None:
                break
            limits, starts = tighter, cut(tighter)
        return starts

    def _tightened(self, starts: list[int]) -> SizeLimits | None:
        """Return limits that rule out the segments that are too large; None if there are none."""
        if self.measure is None or self.maximum is None:
            return None
        sizes = self.sizes.copy()
        for first, end in pairwise([*starts, len(sizes)]):
            if end - first > 1 and self.measure(first, end) > self.measured_maximum:
                own = np.maximum(sizes[first:end], 1)
                larger = np.ceil(own * ((self.maximum + 1) / own.sum())).astype(np.int64)
                sizes[first:end] = np.clip(larger, own, self.maximum)
        return None if np.array_equal(sizes, self.sizes) else replace(self, sizes=sizes)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return infinity for segments that are too large, and a high cost for those too small."""
        blocks = np.add.reduceat(self.sizes, edges[:-1])
        width = min(width, len(blocks))
        sizes = segment_sums(blocks, width)
        costs = np.where(sizes < self.minimum, _SHORTFALL_COST, 0.0)
        costs[sizes > self._maximum] = np.inf
        costs[np.arange(len(blocks))[:, None] < np.arange(width)] = np.inf
        return costs

    def between(self, first: int, end: int) -> SizeLimits:
        """Return the same limits for these sentences."""
        return SizeLimits(self.sizes[first:end], self.minimum, self.maximum)

    @cached_property
    def _maximum(self) -> float:
        return np.inf if self.maximum is None else self.maximum

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def _reach(self) -> NDArray[np.int64]:
        """For each sentence, the end of the largest segment that begins with it."""
        return np.searchsorted(self._ends, self._ends[:-1] + self._maximum, side="right") - 1


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
    document: Document, unit: SizeUnit, tokens: Tokens | None = None, language: Language = ENGLISH
) -> NDArray[np.int64]:
    """Return the size of each sentence; the document is tokenized if `tokens` are needed.

    Segments tile the text, so a sentence includes all characters up to the next one, and the first
    one those before it, too.
    """
    if unit == "sentences":
        return np.ones(len(document), np.int64)
    if unit == "characters":
        return np.diff(sentence_regions(document))
    tokens = tokenize(document, language) if tokens is None else tokens
    return np.bincount(tokens.sentence[tokens.is_word], minlength=len(document))


def split_long(
    document: Document, max_size: int, unit: SizeUnit | Measure, language: Language = ENGLISH
) -> Document:
    """Split the sentences that are larger than `max_size`.

    They are split between clauses, or else between words, and only words that are too long
    themselves are split inside: into as few pieces as possible, the largest of them as small as
    possible. Every new span is within an old one, except for the empty spans of blanks between
    sentences.
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


def _measure(document: Document, unit: SizeUnit | Measure, language: Language) -> _Measure:
    """Return a function from places to the size of the text before each."""
    if not isinstance(unit, str):
        return partial(_sum_of_sizes, document.text, unit)
    if unit == "characters":
        return list
    tokens = tokenize(document, language)
    starts = tokens.start[tokens.is_word]
    return lambda places: np.searchsorted(starts, places).tolist()


def _splitters(language: Language) -> tuple[_Splitter, ...]:
    """Return the ways to split a piece of text, the least harmful first."""
    clauses = partial(clause_ends, language=language)
    return (clauses, _words, _word_ends, _parts_of_words, _letters, _characters)


def clause_ends(piece: str, language: Language) -> list[int]:
    """Return the ends of clauses, including the blanks after them."""
    return [match.end() for match in _clause_pattern(language).finditer(piece)]


@cache
def _clause_pattern(language: Language) -> re.Pattern[str]:
    """Return the pattern of what separates clauses."""
    words = "|".join(map(re.escape, sorted(language.clause_words)))
    # Possessive, and not inside blanks: a long row of them would take quadratic time.
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
    """Return the places to split, with both ends; each splitter splits what is still too long."""
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
    """Return the size of the text before each place, as if sizes added up.

    A single blank at the end is left out: most tokenizers join it to the word after it.
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
    """Return the places to split if sizes need not add up: smaller pieces until all fit."""
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
    """Join blanks to the piece before them if they fit."""
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
    """Group the pieces between `ends` into groups of at most `max_size`, or of one piece.

    There are as few groups as possible, and then the largest is as small as possible.
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
    """Return the ends of words, to split them from too many blanks after them."""
    return [match.end() for match in _WORD_END.finditer(piece)]


def _parts_of_words(piece: str) -> list[int]:
    """Return the places after a hyphen, a slash and the like."""
    return [
        i
        for i, (before, after) in enumerate(pairwise(piece), 1)
        if after.isalnum()
        and before not in _APOSTROPHES
        and unicodedata.category(before)[0] in "PS"
    ]


def _letters(piece: str) -> list[int]:
    """Return the places between characters that do not belong together."""
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


def overlap_starts(
    document: Document,
    tokens: Tokens,
    starts: NDArray[np.int64],
    overlap: int,
    unit: SizeUnit | Measure,
    *,
    max_size: int | None = None,
) -> list[int]:
    """Return the character at which each segment begins with its overlap.

    If a function measures texts, the segment with its overlap is at most `max_size` large.
    """
    first = document.spans[:, 0]
    if unit == "sentences" or overlap == 0:
        earlier = np.maximum(starts - overlap, 0)
        return [int(first[sentence]) if sentence > 0 else 0 for sentence in earlier.tolist()]
    begin = np.concatenate([[0], first[starts[1:]]])
    words = tokens.start[tokens.is_word]
    after = np.searchsorted(words, begin)  # the first word of each segment
    if not isinstance(unit, str):
        room = _Room(document.text, unit, overlap, max_size)
        ends = [*begin[1:].tolist(), len(document.text)]
        return [
            room.earliest(words[:own], start, end)
            for own, start, end in zip(after.tolist(), begin.tolist(), ends, strict=True)
        ]
    if unit == "words":
        before = np.maximum(after - overlap, 0)
    else:
        before = np.searchsorted(words, begin - overlap)
    # A word in the segment itself adds no overlap.
    return [
        int(words[word]) if word < own else int(offset)
        for word, own, offset in zip(before.tolist(), after.tolist(), begin.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class _Room:
    """How much room there is for an overlap, and for a segment with it."""

    text: str
    measure: Measure
    overlap: int
    max_size: int | None

    def earliest(self, words: NDArray[np.int64], begin: int, end: int) -> int:
        """Return the earliest word before a segment that it can begin with."""
        back = 1
        while back < len(words) and self._holds(int(words[-back]), begin):
            back *= 2
        candidates = words[-back:].tolist()
        first = bisect_left(candidates, True, key=lambda start: self._holds(start, begin))
        for start in candidates[first:]:
            if self._holds(start, begin) and self._holds_all(start, end):
                return int(start)
        return begin

    def _holds(self, start: int, begin: int) -> bool:
        return measured(self.measure, self.text[start:begin]) <= self.overlap

    def _holds_all(self, start: int, end: int) -> bool:
        if self.max_size is None:
            return True
        return largest_size(self.measure, self.text[start:end]) <= self.max_size

"""Where sentences begin and end."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.text.languages.language import Language

__all__ = ["split_sentences"]

# Ends that neither nupunkt nor the rules look for: a blank line (so that a heading is not part of
# the sentence under it), a line that opens a list item or a heading, a new page, and the full stops
# of other scripts, with the marks that close after them. A pattern that opens with one character is
# searched for much faster than all of them in one.
_LINE_END = re.compile(r"\n(?:[^\S\n]*\n\s*+|(?=[^\S\n]*(?:[-*•]|\#{1,6})[ ]))")
_PAGE_END = re.compile(r"\f")
_FOREIGN_END = re.compile(r"[。！？｡।॥؟۔]++[”’」』）》]*+\s*+")

# nupunkt takes quadratic time over a run of its full stops without white space, as in minified or
# binary rubbish, and finds nothing there: such marks are hidden from it.
_LONG_RUN = re.compile(r"(?<!\S)\S{1000,}(?=\S)")
_FULL_STOP = re.compile(r"[.?!]")
_SPACE = re.compile(r"\s")


def split_sentences(text: str, language: Language = ENGLISH) -> list[tuple[int, int]]:
    """Find the half-open spans of the sentences of `text`, without the white space around them."""
    found = _punkt_starts(text) if language.has_punkt_model else _rule_starts(text, language)
    starts = {0, *found}
    other_ends = [_LINE_END, _PAGE_END]
    if language.writes_spaces and not text.isascii():
        other_ends.append(_FOREIGN_END)
    for pattern in other_ends:
        starts.update(match.end() for match in pattern.finditer(text))
    edges = [*sorted(starts), len(text)]
    spans = (_trim(text, start, end) for start, end in pairwise(edges))
    return [(start, end) for start, end in spans if start < end]


def _rule_starts(text: str, language: Language) -> Iterable[int]:
    from docbats.text.full_stops import ideographic_starts, starts_after_stops

    starts = starts_after_stops(text, language)
    return starts if language.writes_spaces else chain(starts, ideographic_starts(text, language))


def _punkt_starts(text: str) -> Iterable[int]:
    from nupunkt import load

    plain = _LONG_RUN.sub(_hide_full_stops, text) if _may_have_long_run(text) else text
    return (start for start, _ in load("default").span_tokenize(plain))


def _may_have_long_run(text: str) -> bool:
    """Whether any 500 characters from a multiple of 500 on lack white space.

    Any run of 1,000 characters has such 500 in it.
    """
    blocks = range(0, len(text) - 499, 500)
    return not all(_SPACE.search(text, begin, begin + 500) for begin in blocks)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a span until it neither begins nor ends with white space."""
    piece = text[start:end].rstrip()
    return start + len(piece) - len(piece.lstrip()), start + len(piece)


def _hide_full_stops(run: re.Match[str]) -> str:
    return _FULL_STOP.sub("x", run[0])

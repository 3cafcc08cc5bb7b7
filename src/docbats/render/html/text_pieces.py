"""The text of a document as HTML: its sentences, in pieces that no cut divides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markup import Markup, element, escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.result import Result

__all__ = ["TextPieces", "write_pieces"]

_MAX_UNITS = 6000  # elements for sentences; with more the page is larger and slower to scroll
_MAX_RUNS = 40  # pieces that begin within a line; with more, a text without lines is slow to change
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class TextPieces:
    """A text as HTML.

    Attributes
    ----------
    pieces
        The text, split wherever any cut may begin a segment; each is a block of its own.
    wrapped
        Whether lines are broken inside sentences, so that only blank lines matter.
    units
        The first sentence of each element for sentences; in a very long text one holds several.
    """

    pieces: tuple[Markup, ...]
    wrapped: bool
    units: list[int]


def write_pieces(
    result: Result, key: str, pieces: Sequence[int], places: Iterable[int]
) -> TextPieces:
    """Write the sentences; `places` are those that something links to."""
    text, spans = result.document.text, result.document.spans
    m = len(spans)
    unit = -(-m // _MAX_UNITS)
    firsts = np.unique([*range(0, m, unit), *pieces, *places])
    wrapped = unit == 1 and _is_wrapped(result)
    starts, ends = spans[firsts, 0].tolist(), spans[[*(firsts[1:] - 1), m - 1], 1].tolist()
    gap_ends = [*starts[1:], len(text)]
    begins_piece, has_links = set(pieces), set(places)
    units = firsts.tolist()
    parts: list[list[Markup]] = []
    for i, (first, start, end, gap_end) in enumerate(
        zip(units, starts, ends, gap_ends, strict=True)
    ):
        if first in begins_piece:
            parts.append([])
        if first == 0:
            parts[-1].append(escaped(text[:start]))
        name = f"{key}-s{first}" if first in has_links else None
        parts[-1].append(element("span", text[start:end], class_="s", id=name))
        ends_piece = i + 1 == len(units) or units[i + 1] in begins_piece
        parts[-1].append(_gap(text[end:gap_end], ends_piece=ends_piece, wrapped=wrapped))
    before = [text[spans[i - 1, 1] : spans[i, 0]] if i else "\n\n" for i in pieces]
    names = [_name_piece(gap) for gap in before]
    if names.count("piece run") > _MAX_RUNS:
        names = ["piece"] * len(names)
    return TextPieces(
        pieces=tuple(
            element("div", *part, class_=name, dir="auto")
            for part, name in zip(parts, names, strict=True)
        ),
        wrapped=wrapped,
        units=units,
    )


def _name_piece(gap: str) -> str:
    """Return the classes of the piece after a gap: it begins a paragraph, a line, or runs on."""
    if _BLANK_LINE.search(_plain(gap)):
        return "piece par"
    return "piece" if _LINE_END.search(gap) else "piece run"


def _gap(text: str, *, ends_piece: bool, wrapped: bool) -> Markup:
    """Return what is between two sentences; the end of a piece does without its line ends."""
    if not text.isspace() or not _LINE_END.search(text):
        return escaped(text)
    blank = wrapped and _BLANK_LINE.search(_plain(text))
    names = ["gap"] * ends_piece + ["blank"] * bool(blank)
    return element("span", text, class_=" ".join(names)) if names else escaped(text)


def _plain(gap: str) -> str:
    return _LINE_END.sub("\n", gap)


def _is_wrapped(result: Result) -> bool:
    """Whether most lines end inside a sentence, as in texts wrapped at a fixed width."""
    text, spans = result.document.text, result.document.spans.tolist()
    inside = sum(len(_LINE_END.findall(text, start, end)) for start, end in spans)
    gaps = (text[end:start] for (_, end), (start, _) in pairwise(spans))
    between = sum(len(_LINE_END.findall(gap)) == 1 for gap in gaps)
    return inside > between

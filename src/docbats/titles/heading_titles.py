"""The author's headings as titles of segments, and the headings that a segment stands under."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.segments.breaks import top_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import Block
    from docbats.document import Document

__all__ = ["HeadingTitle", "find_heading_titles", "find_speakers"]


@dataclass(frozen=True)
class HeadingTitle:
    """What the author's headings say of a segment.

    Attributes
    ----------
    title
        The heading with which it begins; None where it begins with none.
    path
        The headings that it stands under, highest first, and its own.
    """

    title: str | None
    path: tuple[str, ...]


def find_heading_titles(document: Document, offsets: Sequence[int]) -> list[HeadingTitle]:
    """Return what the headings say of the stretches that begin at these characters.

    Where several headings follow each other, the title is the first of the highest level that
    divides the text: not the title of the whole document, if the first section begins right below.
    """
    headings = [block for block in document.blocks if block.kind == "heading" and block.heading]
    if not headings:
        return [HeadingTitle(None, ()) for _ in offsets]
    top = top_level([heading.level or 1 for heading in headings])
    starts = [heading.start for heading in headings]
    followed = _followed_directly(document.blocks)
    found = []
    for offset in offsets:
        first = bisect_left(starts, _skip_blank(document.text, offset))
        run = _run_at(headings, first, document.text, offset, followed)
        own = next((heading for heading in run if (heading.level or 1) >= top), None)
        own = own or (run[0] if run else None)
        above = _path(headings[: first + run.index(own)] if own else headings[:first], own)
        path = (*above, own.heading) if own else above
        found.append(HeadingTitle(own.heading if own else None, path))
    return found


def find_speakers(document: Document, offsets: Sequence[int]) -> list[tuple[str, ...]]:
    """Return who speaks between each two of these characters, in the order of their first turns."""
    turns = [block for block in document.blocks if block.kind == "turn" and block.speaker]
    starts = [turn.start for turn in turns]
    found = []
    for start, end in pairwise(offsets):
        low = max(0, bisect_right(starts, start) - 1)
        inside = turns[low : bisect_left(starts, end)]
        names = (turn.speaker for turn in inside if turn.end > start)
        found.append(tuple(dict.fromkeys(name for name in names if name)))
    return found


def _skip_blank(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _followed_directly(blocks: Sequence[Block]) -> set[int]:
    """Return the starts of the headings that another heading follows directly."""
    return {
        block.start
        for block, after in pairwise(blocks)
        if block.kind == "heading" and after.kind == "heading"
    }


def _run_at(
    headings: Sequence[Block], first: int, text: str, offset: int, followed: set[int]
) -> list[Block]:
    """Return the headings that follow each other from `offset` on."""
    if first == len(headings) or text[offset : headings[first].start].strip():
        return []
    run = [headings[first]]
    while run[-1].start in followed:
        run.append(headings[first + len(run)])
    return run


def _path(before: Sequence[Block], own: Block | None) -> tuple[str, ...]:
    """Return the headings over a place, highest first; of those, the ones above its own heading."""
    path: list[str] = []
    level = 1000 if own is None else own.level or 1
    for heading in reversed(before):
        if (heading.level or 1) < level:
            path.append(heading.heading)
            level = heading.level or 1
        if level <= 1:
            break
    return tuple(reversed(path))

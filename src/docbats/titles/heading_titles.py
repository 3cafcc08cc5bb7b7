"""The author's headings as titles of segments, and the headings that a segment stands under."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.heading_tree import HeadingTree
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
    blocks = [block for block in document.blocks if block.kind != "heading" or block.heading]
    headings = [block for block in blocks if block.kind == "heading"]
    if not headings:
        return [HeadingTitle(None, ()) for _ in offsets]
    top = top_level([heading.level or 1 for heading in headings])
    starts = [heading.start for heading in headings]
    followed = _followed_directly(blocks)
    tree = HeadingTree((heading.level or 1, heading.heading) for heading in headings)
    found = []
    for begin in offsets:
        offset = _skip_blank(document.text, begin)
        first = bisect_left(starts, offset)
        if first < len(starts) and starts[first] == offset:
            own = _own_heading(headings, first, followed, top)
            found.append(HeadingTitle(headings[own].heading, tree.path(own)))
        else:
            found.append(HeadingTitle(None, tree.path(first - 1 if first else None)))
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


def _own_heading(headings: Sequence[Block], first: int, followed: set[int], top: int) -> int:
    """Return which of the headings that follow each other from `first` on is the title."""
    at = first
    while (headings[at].level or 1) < top:
        if headings[at].start not in followed:
            return first
        at += 1
    return at

"""Sentences that keep to the blocks of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import Block

__all__ = ["LINE", "fit_to_blocks", "split_at_breaks"]

LINE = re.compile(r"\S(?:[^\n\r\v\f\x85\u2028\u2029]*\S)?")
"""What is visible of a line, from its first character to its last."""


def fit_to_blocks(
    text: str,
    prose: str,
    blocks: Sequence[Block],
    spans: Sequence[tuple[int, int]],
    breaks: Sequence[int] = (),
) -> list[tuple[int, int]]:
    """Return sentences that cross no edge of a block, with at least one for each block."""
    edges = [edge for block in blocks for edge in (block.start, block.end)]
    pieces = split_at_breaks(prose, spans, [*breaks, *edges])
    fitted: list[tuple[int, int]] = []
    done = 0
    for block in blocks:
        first = done
        while first < len(pieces) and pieces[first][0] < block.start:
            first += 1  # what stands between blocks
        last = first
        while last < len(pieces) and pieces[last][0] < block.end:
            last += 1
        fitted += pieces[done:first]
        fitted += _block_spans(text, block, pieces[first:last])
        done = last
    return fitted + pieces[done:]


def _block_spans(text: str, block: Block, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the sentences of a block: the ones found, all of a heading, or lines of no prose.

    The first one begins where the block does, so that the marks of a block go with it.
    """
    written = text[block.start : block.end]
    start = block.end - len(written.lstrip())
    whole = (start, block.start + len(written.rstrip()))
    if start >= block.end:
        return []
    if block.kind == "heading":
        return [whole]
    if not found or not block.is_prose:
        found = [
            (block.start + line.start(), block.start + line.end())
            for line in LINE.finditer(written)
            if any(map(str.isalnum, line[0]))
        ]
    return [(start, found[0][1]), *found[1:]] if found else [whole]


def split_at_breaks(
    text: str, spans: Sequence[tuple[int, int]], breaks: Sequence[int]
) -> list[tuple[int, int]]:
    """Split the spans that go over a break, and leave out those without a letter or digit."""
    pieces, next_break = [], 0
    ends = sorted(breaks)
    for start, end in spans:
        while next_break < len(ends) and ends[next_break] <= start:
            next_break += 1
        piece_start = start
        while next_break < len(ends) and ends[next_break] < end:
            pieces.append((piece_start, ends[next_break]))
            piece_start = ends[next_break]
            next_break += 1
        pieces.append((piece_start, end))
    trimmed = []
    for start, end in pieces:
        piece = text[start:end].rstrip()
        if any(map(str.isalnum, piece)):
            trimmed.append((end - len(text[start:end].lstrip()), start + len(piece)))
    return trimmed

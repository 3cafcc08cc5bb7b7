"""A text with some of its characters made blank, so that all offsets stay true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.blocks import Block

__all__ = ["blank", "spans_without_prose"]

_VISIBLE = re.compile(r"[^\r\n]")


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    r"""Return the text with spaces in these spans; line ends stay.

    >>> blank("bats\nand tea", [(2, 8), (3, 4)])
    'ba  \n    tea'
    """
    parts, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        first = max(start, done)
        parts += [text[done:first], _VISIBLE.sub(" ", text[first:end])]
        done = end
    return "".join([*parts, text[done:]])


def spans_without_prose(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are no prose.

    Where there is no prose but headings, tables and the like are all that a file has to say, so
    only code is left out.
    """
    blocks = list(blocks)
    has_prose = any(block.is_prose and block.kind != "heading" for block in blocks)
    return [
        (block.start, block.end)
        for block in blocks
        if block.kind == "code" or (has_prose and not block.is_prose)
    ]

"""The lines of a text that are not blank, and what their ends look like."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Line", "ends_sentence", "scan_lines"]

_LINE = re.compile(r"[^\n]+")
_TAB_WIDTH = 4
_CLOSING = "\"'”’»“›)]*_」』）》"
_END_MARKS = frozenset(".?!:;…。！？｡：；।॥؟۔")


class Line(NamedTuple):
    """A line without the white space around it.

    Attributes
    ----------
    start, end
        Its span in the text.
    indent
        How far it is indented, in blanks.
    gap
        How many blank lines stand before it.
    text
        ``text[start:end]``.
    """

    start: int
    end: int
    indent: int
    gap: int
    text: str


def scan_lines(text: str) -> list[Line]:
    """Return the lines of `text` that are not blank; a new page begins a new line."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    text = text.replace("\f", "\n")
    lines: list[Line] = []
    last_end = 0  # with its line break
    for match in _LINE.finditer(text):
        content = match[0].strip()
        if not content:
            continue
        before = match[0][: len(match[0]) - len(match[0].lstrip())]
        start = match.start() + len(before)
        gap = text.count("\n", last_end, match.start())
        indent = len(before.expandtabs(_TAB_WIDTH))
        lines.append(Line(start, start + len(content), indent, gap, content))
        last_end = match.end() + 1
    return lines


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a full stop or the like, maybe inside a quotation or brackets."""
    return text[-1:] in _END_MARKS or text[-8:].rstrip(_CLOSING)[-1:] in _END_MARKS

"""The text again, as Markdown with a heading before each segment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.render.markdown import escaped

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["insert_headings"]

_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+>|]|\d+[.)][ \t])")
_IS_MARKED = re.compile(r" {0,3}#|.*\n {0,3}(?:=+|-+)[ \t]*$", re.DOTALL)


def insert_headings(result: Result) -> str:
    """Put the title of each segment over it, one level below the heading that it stands under.

    A segment that begins with or right after a heading keeps that. Headings of files that are no
    Markdown are marked as such.
    """
    document = result.document
    text = document.text
    headings = document.places.headings if document.places else ()
    marks: dict[int, str] = {}
    for heading in headings:
        if not _IS_MARKED.match(text[heading.start : heading.end]):
            marks[heading.start] = "#" * min(heading.level, 6) + " "
    parts, done = [], -1  # -1: no heading yet
    for segment in result.segments:
        first = int(document.spans[segment.sentences[0], 0])
        at = _line_start(text, first)
        above = [heading for heading in headings if heading.start <= first]
        if at <= done or (above and not text[above[-1].end : at].strip()):
            continue  # it has a heading
        level = above[-1].level if above else 1
        parts.append(_marked(text, max(done, 0), at, marks).rstrip())
        parts.append("\n\n" * (at > 0 and bool(parts[-1])))
        parts.append(f"{'#' * min(level + 1, 6)} {escaped(segment.title)}\n\n")
        done = at
    parts.append(_marked(text, max(done, 0), len(text), marks))
    return "".join(parts).rstrip("\n") + "\n"


def _line_start(text: str, at: int) -> int:
    """Move back out of a list item, a quotation or a table, which no heading may cut in two."""
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin : begin + 200]
    if not _NO_PARAGRAPH.match(line):
        return begin if not text[begin:at].strip() else at
    while line.lstrip().startswith("|") and begin > 0:
        before = text.rfind("\n", 0, begin - 1) + 1
        if not text[before:begin].lstrip().startswith("|"):
            break
        begin = before
    return begin


def _marked(text: str, start: int, end: int, marks: dict[int, str]) -> str:
    parts, done = [], start
    for at in sorted(place for place in marks if start <= place < end):
        parts += [text[done:at], marks[at]]
        done = at
    return "".join([*parts, text[done:end]])

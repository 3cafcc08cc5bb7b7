"""The outline and the topics as Markdown, and the text with a heading before each segment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.render.one_line import excerpt, one_line, remarks, sentence_range
from docbats.render.speakers import Talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.parts import Entry
    from docbats.result import Result

_MAX_SPEAKERS = 12  # in the list of all
# A full stop after a number would begin a list, "=" below a line a heading, "&" an entity.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~=&-]|(?<=\d)\.(?=\s|$))")
_LIST_QUOTE_OR_TABLE = re.compile(r"[ \t]*(?:[-*+>|]|\d+[.)][ \t])")
_MARKDOWN_HEADING = re.compile(r" {0,3}#|.*\n {0,3}(?:=+|-+)[ \t]*$", re.DOTALL)


def to_markdown(
    result: Result,
    title: str,
    top_words: int,
    *,
    outline: bool | None = None,
    depth: int | None = None,
) -> str:
    """Return the segments, each with the sentence that sums it up, and the topics as Markdown.

    `outline` and `depth` are as in :meth:`Result.shown_outline`.
    """
    lines = [f"# {escape_markdown(title)}", ""] if title else []
    entries = result.shown_outline(outline=outline, depth=depth)
    if entries is not None:
        lines += ["## Outline", "", *_entries(entries, ""), ""]
    talk = Talk.of(result)
    if talk is not None and talk.names:
        names = talk.named(0, len(result.document.text), _MAX_SPEAKERS)
        lines += [f"Speakers: {escape_markdown(names)}", ""]
    lines += ["## Segments", ""]
    for number, segment in enumerate(result.segments, start=1):
        strongest = "" if segment.topic is None else f", topic {segment.topic + 1}"
        where = f"{sentence_range(segment)}, characters {segment.start}-{segment.end}"
        subtitle = f", about {escape_markdown(segment.subtitle)}" if segment.subtitle else ""
        lines.append(
            f"{number}. **{escape_markdown(segment.title)}**{subtitle} ({where}{strongest})  "
        )
        if talk is not None and talk.names:
            lines.append(f"   *{escape_markdown(talk.named(segment.start, segment.end))}*  ")
        lines.append(f"   {escape_markdown(segment.summary or excerpt(segment.text, 120))}")
    if result.topics:
        lines += ["", "## Topics", "", "| topic | share | label | words |", "|---:|---:|---|---|"]
    for number, topic in enumerate(result.topics, start=1):
        words = ", ".join(escape_markdown(scored.word) for scored in topic.words[:top_words])
        lines.append(
            f"| {number} | {topic.weight:.0%} | {escape_markdown(topic.label)} | {words} |"
        )
    lines += ["", *(f"> {escape_markdown(note)}" for note in remarks(result))]
    return "\n".join(lines).rstrip() + "\n"


def _entries(entries: Iterable[Entry], indent: str) -> Iterator[str]:
    for entry in entries:
        yield f"{indent}- {escape_markdown(entry.title)}"
        yield from _entries(entry.children, indent + "  ")


def escape_markdown(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it unchanged."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def insert_headings(result: Result) -> str:
    """Return the text with the title of each segment above it, one level below the last heading.

    A segment that begins with a heading, or right after one, keeps it. Headings of files that are
    not Markdown become Markdown headings.
    """
    document = result.document
    text = document.text
    headings = document.places.headings if document.places else ()
    marks = {
        heading.start: "#" * min(heading.level, 6) + " "
        for heading in headings
        if not _MARKDOWN_HEADING.match(text[heading.start : heading.end])
    }
    parts: list[str] = []
    done = None  # where the last new heading was put
    for segment in result.segments:
        first = int(document.spans[segment.sentences[0], 0])
        at = _line_start(text, first)
        above = [heading for heading in headings if heading.start <= first]
        if (done is not None and at <= done) or (above and not text[above[-1].end : at].strip()):
            continue  # the segment has a heading
        level = above[-1].level if above else 1
        parts.append(_marked(text, done or 0, at, marks).rstrip())
        parts.append("\n\n" * (at > 0 and bool(parts[-1])))
        parts.append(f"{'#' * min(level + 1, 6)} {escape_markdown(segment.title)}\n\n")
        done = at
    parts.append(_marked(text, done or 0, len(text), marks))
    return "".join(parts).rstrip("\n") + "\n"


def _line_start(text: str, at: int) -> int:
    """Return where a heading may be put: before a list item, a quotation or a table, not in it."""
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin : begin + 200]
    if not _LIST_QUOTE_OR_TABLE.match(line):
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

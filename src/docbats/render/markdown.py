"""The outline and the topics as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.render.one_line import excerpt, remarks, sentence_range, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.parts import Entry
    from docbats.result import Result

__all__ = ["escaped", "to_markdown"]

# A full stop after a number would begin a list, "=" below a line a heading, "&" an entity.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~=&-]|(?<=\d)\.(?=\s|$))")


def to_markdown(
    result: Result, title: str, top_words: int, *, outline: bool = False, depth: int | None = None
) -> str:
    """Return the segments with the sentence that sums each up, then the topics, as Markdown."""
    lines = [f"# {escaped(title)}", ""] if title else []
    if outline:
        lines += ["## Outline", "", *_entries(result.outline(depth), ""), ""]
    lines += ["## Segments", ""]
    for number, segment in enumerate(result.segments, start=1):
        strongest = "" if segment.topic is None else f", topic {segment.topic + 1}"
        where = f"{sentence_range(segment)}, characters {segment.start}-{segment.end}"
        subtitle = f": {escaped(segment.subtitle)}" if segment.subtitle else ""
        lines.append(f"{number}. **{escaped(segment.title)}**{subtitle} ({where}{strongest})  ")
        lines.append(f"   {escaped(segment.summary or excerpt(segment.text, 120))}")
    if result.topics:
        lines += [
            *("", "## Topics", ""),
            *("| topic | share | label | words |", "|---:|---:|---|---|"),
        ]
    for number, topic in enumerate(result.topics, start=1):
        words = ", ".join(escaped(scored.word) for scored in topic.words[:top_words])
        lines.append(f"| {number} | {topic.weight:.0%} | {escaped(topic.label)} | {words} |")
    lines += ["", *(f"> {escaped(note)}" for note in remarks(result))]
    return "\n".join(lines).rstrip() + "\n"


def _entries(entries: Iterable[Entry], indent: str) -> Iterator[str]:
    for entry in entries:
        yield f"{indent}- {escaped(entry.title)}"
        yield from _entries(entry.children, indent + "  ")


def escaped(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))

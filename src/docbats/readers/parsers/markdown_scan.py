"""The headings of a Markdown text, and what of it is not prose; the text stays as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.readers.file_text import FileText
from docbats.readers.places import Heading, Places

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MarkdownScan", "read_markdown"]

_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?|\n)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_FENCE = re.compile(r" {0,3}(?:[-*+>] +)*(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(\#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+\#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_REFERENCE = re.compile(r" {0,3}\[[^\]]{1,200}\]:[ \t]+\S")
_MAX_MARK_LINE = 2000  # characters; a longer line is a paragraph, whatever it looks like
_MAX_FRONT_MATTER = 20_000  # characters
_SENTENCE_END = re.compile(r"[.?!](?=\W|$)")
_NOT_PROSE = (_RULE, _TABLE_RULE, _REFERENCE)
_NOT_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+>|#]|\d+[.)][ \t]|$)")
_IMAGE = re.compile(r"\[?!\[[^\]]{0,500}\]\([^)]{0,500}\)(?:\]\([^)]{0,500}\))?")
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
_LETTER = re.compile(r"[^\W\d_]")

_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
# An image, or the target of a link.
_IMAGE_OR_TARGET = re.compile(
    r"!\[[^\]]{0,500}\]\([^()]{0,500}\)|\]\(([^()\s]++(?:\([^()]*+\))?+[^()]*+)\)"
)
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)|`+")
_ATTRIBUTES = re.compile(r"[ \t]*\{[#.][^}]*\}$")


class MarkdownScan:
    """The headings and sentence breaks of a Markdown text, and what of it is not prose."""

    def __init__(self, text: str) -> None:
        self.headings: list[Heading] = []
        self.breaks: list[int] = []
        self._blank: list[tuple[int, int]] = []
        self._scan(text)

    def prose(self, text: str) -> str:
        """Return the text with what holds no sentences blanked; line ends stay."""
        parts, done = [], 0
        for start, end in sorted(self._blank):
            if start < done:
                continue  # a link in what is blanked anyway
            parts += [text[done:start], re.sub(r"[^\r\n]", " ", text[start:end])]
            done = end
        return "".join([*parts, text[done:]])

    def _scan(self, text: str) -> None:
        fence, previous = None, None  # the mark that opened a block; the last line of a paragraph
        in_comment = False
        body = _front_matter_end(text)
        if body:
            self._blank.append((0, body))
        for start, end in _lines(text, body):
            line = text[start:end]
            if fence is not None:
                self._blank.append((start, end))
                if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                    fence = None
                continue
            if in_comment or line.lstrip().startswith("<!--"):
                in_comment = "-->" not in line
                self._blank.append((start, end))
                previous = None
                continue
            opened = _FENCE.match(line)
            if opened and not (opened[1][0] == "`" and "`" in line[opened.end() :]):
                fence = opened[1]
                self._blank.append((start, end))
                previous = None
                continue
            previous = self._line(text, start, end, previous)
            for found in _IMAGE_OR_TARGET.finditer(line):
                group = 1 if found[1] is not None else 0
                self._blank.append((start + found.start(group), start + found.end(group)))

    def _line(
        self, text: str, start: int, end: int, previous: tuple[int, int] | None
    ) -> tuple[int, int] | None:
        """Take one line; return its span if the underline of a heading may follow."""
        line = text[start:end]
        if len(line) > _MAX_MARK_LINE:
            return None
        if (heading := _ATX.match(line)) is not None:
            self._add(start, end, len(heading[1]), heading[2] or "")
        elif previous is not None and (under := _SETEXT.match(line)) is not None:
            level = 1 if under[1][0] == "=" else 2
            self._add(previous[0], end, level, text[slice(*previous)])
        elif _is_images_only(line) or any(mark.match(line) for mark in _NOT_PROSE):
            self._blank.append((start, end))
        elif line.lstrip().startswith("|"):
            self.breaks.append(start)  # a row of a table is one sentence
            self._blank += [
                (start + mark.start(), start + mark.end()) for mark in _SENTENCE_END.finditer(line)
            ]
        elif not _NOT_PARAGRAPH.match(line):
            return (start, end)
        return None

    def _add(self, start: int, end: int, level: int, written: str) -> None:
        title = _plain_title(written)
        if title:
            self.headings.append(Heading(start, end, level, title))
            self.breaks += [start, end]


def read_markdown(text: str) -> FileText:
    """Read Markdown; offsets are those of the text as it is written."""
    found = MarkdownScan(text)
    return FileText(
        text=text,
        places=Places(headings=tuple(found.headings)),
        prose=found.prose(text),
        breaks=tuple(found.breaks),
    )


def _plain_title(written: str) -> str:
    """Return the words of a heading without their marks.

    >>> _plain_title("**Install** with [`pip`](https://pypi.org) {#install}")
    'Install with pip'
    """
    words = _LINK.sub(r"\1", _ATTRIBUTES.sub("", written.strip()))
    return " ".join(_EMPHASIS.sub("", _TAG.sub("", words)).split())


def _is_images_only(line: str) -> bool:
    """Whether a line holds images, badges or tags, and no word beside them."""
    beside = _TAG.sub("", _IMAGE.sub("", line))
    return beside != line and not _LETTER.search(beside)


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines, without their ends."""
    for match in _LINE.finditer(text, start):
        yield match.start(), match.start() + len(match[0].rstrip("\r\n"))
        if match.end() == len(text):
            return


def _front_matter_end(text: str) -> int:
    """Return where the metadata before the text ends; 0 if there is none."""
    opening = _FRONT_MATTER.match(text)
    if opening is None:
        return 0
    mark = re.escape(opening[1])
    closing = re.compile(rf"(?:\r\n?|\n)(?:{mark}|\.\.\.)[ \t]*(?:\r\n?|\n|$)")
    found = closing.search(text, opening.end(1), opening.end() + _MAX_FRONT_MATTER)
    first = text[opening.end() : opening.end() + 200].lstrip("\r\n")
    return found.end() if found and re.match(r"[\w\"'#-]", first) else 0

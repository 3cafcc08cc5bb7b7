"""The lines of a text, and the paragraphs that they form."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.text.languages.language import Language

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


# A line that is longer than this was not broken by hand or by a mail program; characters of
# Chinese and Japanese are about twice as wide.
MAX_WRAPPED, MAX_WRAPPED_IDEOGRAPHS = 100, 50
# With lines as paragraphs, such lines hold this share of the text, this share of them ends with a
# sentence, and they have so many sentences in the mean. If larger, fewer texts have paragraphs.
_MIN_LONG_SHARE, _MIN_ENDED_SHARE, _MIN_SENTENCES = 0.7, 0.6, 2.0
_SENTENCE_END = re.compile(r"[.?!…][\"'”’»)\]]*+(?:\s|$)|[。！？｡]")

_MAX_FIRST_INDENT = 8  # blanks; what is indented further is centred or set apart
_MIN_USUAL_SHARE = 0.3  # the usual indent is the smallest that is nearly as common as any other
_MIN_INDENTED = 2
_MAX_INDENTED_SHARE = 0.6
_MIN_INDENTED_AFTER_END = 0.8

# Lines with a blank one after each are no paragraphs if most end amid a sentence.
_MAX_OPEN_SHARE, _MAX_SMALL_SHARE, _MIN_SINGLE_SHARE = 0.5, 0.25, 0.8


@dataclass(slots=True)
class Unit:
    """Lines from `first` to before `stop` that belong together, and what they are.

    Attributes
    ----------
    style
        Of a heading, what it looks like: headings that look alike have one level.
    marks
        Spans that are no prose, such as bullets and the names of speakers.
    depth, restarts
        Of a heading, the depth of its number, and whether that is the first of a row.

    The others are those of :class:`docbats.blocks.Block`.
    """

    first: int
    stop: int
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    title: str | None = None
    is_certain: bool = True
    speaker: str | None = None
    seconds: tuple[float, float] | None = None
    style: str = ""
    depth: int = 1
    restarts: bool = False
    marks: list[tuple[int, int]] = field(default_factory=list)

    @property
    def is_free(self) -> bool:
        """Whether nothing is known of it yet."""
        return self.kind == "paragraph"

    @property
    def is_one_line(self) -> bool:
        """Whether it has a single line."""
        return self.stop - self.first == 1


def split_units(lines: list[Line], language: Language) -> list[Unit]:
    """Return the paragraphs: between blank lines, and as indents or the lines themselves tell."""
    starts = {i for i, line in enumerate(lines) if line.gap}
    width = MAX_WRAPPED if language.writes_spaces else MAX_WRAPPED_IDEOGRAPHS
    is_long = [len(line.text) > width for line in lines]
    if _long_lines_are_paragraphs([line.text for line in lines], is_long):
        starts.update(i for i in range(1, len(lines)) if is_long[i - 1] or is_long[i])
    else:
        starts.update(_indented_starts(lines))
    edges = [0, *sorted(starts - {0}), len(lines)]
    return [Unit(first, stop) for first, stop in pairwise(edges)]


def split_at(units: list[Unit], starts: set[int]) -> list[Unit]:
    """Split the units of which nothing is known at these lines."""
    pieces: list[Unit] = []
    for unit in units:
        inner = [i for i in range(unit.first + 1, unit.stop) if i in starts] if unit.is_free else []
        if inner:
            edges = [unit.first, *inner, unit.stop]
            pieces += [Unit(first, stop) for first, stop in pairwise(edges)]
        else:
            pieces.append(unit)
    return pieces


def join_runs(units: list[Unit], runs: list[tuple[int, int]], kind: BlockKind) -> list[Unit]:
    """Make one unit of this kind of each run of lines, as far as nothing else is known of them."""
    if not runs:
        return units
    stops = dict(runs)
    joined: list[Unit] = []
    stop = 0
    for unit in split_at(units, {edge for run in runs for edge in run}):
        if not unit.is_free:
            stop = 0
            joined.append(unit)
        elif unit.first < stop:
            joined[-1].stop = unit.stop
        elif unit.first in stops:
            stop = stops[unit.first]
            joined.append(Unit(unit.first, unit.stop, kind))
        else:
            joined.append(unit)
    return joined


def is_double_spaced(lines: list[Line], units: list[Unit], language: Language) -> bool:
    """Whether each line of wrapped paragraphs is followed by a blank one."""
    width = MAX_WRAPPED if language.writes_spaces else MAX_WRAPPED_IDEOGRAPHS
    single = [lines[u.first].text for u in units if u.is_one_line and _size(lines, u) <= width]
    if len(single) < max(4, _MIN_SINGLE_SHARE * len(units)):
        return False
    n_open = sum(not ends_sentence(text) for text in single)
    n_small = sum(text[0].islower() and text[1:2] not in {".", ")"} for text in single)
    return n_open > _MAX_OPEN_SHARE * len(single) and n_small > _MAX_SMALL_SHARE * len(single)


def _size(lines: list[Line], unit: Unit) -> int:
    return lines[unit.stop - 1].end - lines[unit.first].start


def _long_lines_are_paragraphs(texts: list[str], is_long: list[bool]) -> bool:
    long_lines = [text for text, long in zip(texts, is_long, strict=True) if long]
    n_characters = sum(map(len, long_lines))
    if len(long_lines) < 2 or n_characters < _MIN_LONG_SHARE * sum(map(len, texts)):
        return False
    n_ended = sum(map(ends_sentence, long_lines))
    n_sentences = sum(len(_SENTENCE_END.findall(text)) for text in long_lines)
    has_sentences = n_sentences >= _MIN_SENTENCES * len(long_lines)
    return has_sentences and n_ended >= _MIN_ENDED_SHARE * len(long_lines)


def _indented_starts(lines: list[Line]) -> list[int]:
    """Return the lines that are indented further than most, if these are the first of paragraphs.

    In that case nearly all of them follow the end of a sentence.
    """
    counts = Counter(line.indent for line in lines)
    usual = min(
        indent for indent, n in counts.items() if n >= _MIN_USUAL_SHARE * max(counts.values())
    )
    indented = [
        i
        for i, line in enumerate(lines)
        if i and not line.gap and usual < line.indent <= usual + _MAX_FIRST_INDENT
    ]
    if not _MIN_INDENTED <= len(indented) <= _MAX_INDENTED_SHARE * len(lines):
        return []
    n_after_end = sum(ends_sentence(lines[i - 1].text) for i in indented)
    return indented if n_after_end >= _MIN_INDENTED_AFTER_END * len(indented) else []

"""The blocks of plain text: headings, paragraphs, lists, turns of speakers and so on."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from docbats.blocks import Block
from docbats.text.headings import (
    Contents,
    find_contents,
    mark_contents_title,
    mark_sources,
    set_levels,
)
from docbats.text.line_headings import (
    join_titles,
    mark_listed,
    mark_numbered,
    mark_underlined,
    mark_weak,
    mark_wiki_headings,
    split_under_numbers,
)
from docbats.text.lines import Unit, is_double_spaced, join_runs, scan_lines, split_at, split_units
from docbats.text.speakers import continue_turns, mark_speakers

if TYPE_CHECKING:
    from docbats.text.languages.language import Language
    from docbats.text.lines import Line

_BULLETS = "-*+•‣◦▪▫●○■□⁃·–"
_ITEM = re.compile(rf"([{_BULLETS}]|\(?(?:\d{{1,3}}|[a-z])[.)])[ \t]+(?=\S)")
_MIN_ITEMS = 2
_MAX_SAME_INDENT = 3  # kinds of labels nested without any indent that are told apart
_INSIDE_ITEMS = frozenset({"code", "table", "quote"})
_INDENT_SLACK = 1  # blanks; items of one list may differ by so much
# Numbered pieces that are longer than this are the paragraphs of a law rather than a list; if
# larger, more of them are never torn apart. In characters.
_MAX_NUMBERED = 300


class _Label(NamedTuple):
    style: str
    number: int | None
    indent: int
    length: int  # with the white space after it


@dataclass(slots=True)
class _Run:
    """Items of one list, by their lines, with the label of the last."""

    label: _Label
    level: int
    items: list[int]
    sizes: list[int]  # in characters

    def takes(self, label: _Label) -> bool:
        """Whether an item goes on with this list."""
        is_beside = abs(label.indent - self.label.indent) <= _INDENT_SLACK
        if label.style != self.label.style or not is_beside:
            return False
        last = self.label.number
        return last is None or label.number == last + 1

    def add(self, label: _Label, line: int) -> None:
        """Put an item into the list."""
        self.label = label
        self.items.append(line)
        self.sizes.append(0)


def mark_lists(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark the items of lists; their bullets and numbers are marks."""
    runs = filter(_is_list, _find_runs(lines, units))
    levels = {line: run.level for run in runs for line in run.items}
    if not levels:
        return units
    units = split_at(units, set(levels))
    current: tuple[int, int] | None = None  # indent and level of the item before
    for unit in units:
        line = lines[unit.first]
        if unit.first in levels and unit.is_free:
            label = _label(line)
            unit.kind, unit.level = "list_item", levels[unit.first]
            if label is not None:
                unit.marks.append((line.start, line.start + label.length))
            current = line.indent, unit.level
        elif current is not None and unit.is_free and line.indent > current[0] + _INDENT_SLACK:
            unit.kind, unit.level = "list_item", current[1]
        elif unit.kind not in _INSIDE_ITEMS:
            current = None
    return units


def _label(line: Line) -> _Label | None:
    match = _ITEM.match(line.text)
    if match is None:
        return None
    sign = match[1]
    name = sign.strip("().")
    if sign in _BULLETS:
        return _Label(sign, None, line.indent, match.end())
    style = "1" if name.isdecimal() else "a"
    number = int(name) if name.isdecimal() else ord(name) - ord("a") + 1
    return _Label(sign.replace(name, style), number, line.indent, match.end())


def _find_runs(lines: list[Line], units: list[Unit]) -> list[_Run]:
    """Find rows of items with nothing but what belongs to an item between them."""
    found: list[_Run] = []
    open_runs: list[_Run] = []  # the outermost first
    last_numbers: dict[str, int] = {}
    for unit in units:
        if not unit.is_free:
            if unit.kind not in _INSIDE_ITEMS:
                open_runs.clear()
            continue
        for i in range(unit.first, unit.stop):
            line, label = lines[i], _label(lines[i])
            run = None if label is None else _run_of(label, i, open_runs, last_numbers)
            if run is not None and len(run.items) == 1:
                found.append(run)
            if run is None and i == unit.first and not _is_inside(line, open_runs):
                open_runs.clear()
            if open_runs:
                open_runs[-1].sizes[-1] += len(line.text)
    return found


def _is_inside(line: Line, runs: list[_Run]) -> bool:
    """Whether a line is set further in than the item before it, and so belongs to that."""
    return bool(runs) and line.indent > runs[-1].label.indent + _INDENT_SLACK


def _run_of(
    label: _Label, line: int, runs: list[_Run], last_numbers: dict[str, int]
) -> _Run | None:
    """Return the list that an item goes on with or begins; None if it can be neither."""
    depth = len(runs)
    while depth and runs[depth - 1].label.indent > label.indent + _INDENT_SLACK:
        depth -= 1
    for at in range(depth - 1, max(-1, depth - 1 - _MAX_SAME_INDENT), -1):
        if runs[at].takes(label):
            del runs[at + 1 :]
            runs[at].add(label, line)
            break
    else:
        goes_on = label.number is not None and last_numbers.get(label.style) == label.number - 1
        if label.number not in {None, 0, 1} and not goes_on:
            return None
        del runs[depth:]
        is_beside = runs and label.indent <= runs[-1].label.indent + _INDENT_SLACK
        if is_beside and runs[-1].label.style == label.style:
            runs.pop()  # another list; with another kind of label it is a list inside the item
        runs.append(_Run(label, len(runs) + 1, [line], [0]))
    if label.number is not None:
        last_numbers[label.style] = label.number
    return runs[-1]


def _is_list(run: _Run) -> bool:
    is_short = run.label.number is None or median(run.sizes) <= _MAX_NUMBERED
    return is_short and len(run.items) >= _MIN_ITEMS


_MIN_ROWS = 3
_BAR = re.compile(r"(?:^|\s)\|(?:\s|$)")
_BORDER = re.compile(r"[-+|=: ]+")
_RULE = re.compile(r"[-=]{2}")  # of a border; one pattern for both would take cubic time
_COLUMN_GAP = re.compile(r"(?<![\s.?!:])(?: {2,}|\t[ \t]*)(?=\S)")

_MIN_CODE_INDENT = 4
_CODE_SIGN = re.compile(r"[{}()\[\];=<>$\\|_@]|::|->|^(?:\$|#|//|--)|\.\w+\b(?=\()")
_PROSE_WORDS = re.compile(r"(?:\b[^\W\d_]+,? ){7}")
_MIN_CODE_SHARE, _MAX_PROSE_SHARE = 0.5, 0.3

_MAX_QUOTED_SHARE = 0.5  # of the paragraphs; beyond that, ">" is no mark of quotations here

_LEADERS = " .·…_\t"
_MIN_LEADERS = 3
_MIN_CONTENTS = 3
_PAGE_DIGITS = "0123456789ivxlcIVXLC"


def mark_layout(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark contents, tables, code and quotations."""
    units = join_runs(units, _contents_runs(lines), "contents")
    units = join_runs(units, _table_runs(lines), "table")
    _mark_code(lines, units)
    return _mark_quotes(lines, units)


def _contents_runs(lines: list[Line]) -> list[tuple[int, int]]:
    """Find lines that end in dots and the number of a page; one in between may be broken."""
    hits = [i for i, line in enumerate(lines) if _leads_to_page(line.text)]
    runs: list[list[int]] = []
    for i in hits:
        if runs and i - runs[-1][-1] <= 2:
            runs[-1].append(i)
        else:
            runs.append([i])
    return [(run[0], run[-1] + 1) for run in runs if len(run) >= _MIN_CONTENTS]


def _leads_to_page(text: str) -> bool:
    before = text.rstrip(_PAGE_DIGITS)
    entry = before.rstrip(_LEADERS)
    leaders = before[len(entry) :]
    n_leaders = sum(1 if sign != "…" else 3 for sign in leaders if not sign.isspace())
    return len(before) < len(text) and n_leaders >= _MIN_LEADERS and bool(entry)


def _table_runs(lines: list[Line]) -> list[tuple[int, int]]:
    """Find at least three rows with bars, or with columns that begin or end one below the other."""
    runs: list[tuple[int, int]] = []
    first = 0
    shared: set[tuple[str, int]] = set()
    for i, line in enumerate([*lines, None]):
        edges = _column_edges(line.text) if line is not None else set()
        if line is not None and line.indent and ("bar", 0) not in edges:
            edges = {(name, at + line.indent * (name != "tabs")) for name, at in edges}
        joined = shared & edges
        if line is not None and not line.gap and joined:
            shared = joined
            continue
        if i - first >= _MIN_ROWS and shared:
            runs.append((first, i))
        first, shared = i, edges
    return runs


def _column_edges(text: str) -> set[tuple[str, int]]:
    if "|" in text and (_BAR.search(text) or text[0] == "|"):
        return {("bar", 0)}
    if text[0] in "+-=|" and _BORDER.fullmatch(text) and _RULE.search(text):
        return {("bar", 0)}
    if "\t" in text:
        return {("tabs", text.count("\t"))}
    if "  " not in text:
        return set()
    gaps = [match.span() for match in _COLUMN_GAP.finditer(text)]
    starts = {("start", end) for _, end in gaps}
    return (
        starts | {("end", start) for start, _ in gaps} | ({("end", len(text))} if gaps else set())
    )


def _mark_code(lines: list[Line], units: list[Unit]) -> None:
    usual = Counter(line.indent for line in lines).most_common(1)[0][0]
    for unit in units:
        inside = lines[unit.first : unit.stop]
        if unit.is_free and all(line.indent >= usual + _MIN_CODE_INDENT for line in inside):
            n_code = sum(_CODE_SIGN.search(line.text) is not None for line in inside)
            n_prose = sum(_PROSE_WORDS.search(line.text) is not None for line in inside)
            if (
                n_code
                >= _MIN_CODE_SHARE * len(inside)
                > 0
                >= n_prose - _MAX_PROSE_SHARE * len(inside)
            ):
                unit.kind = "code"


def _mark_quotes(lines: list[Line], units: list[Unit]) -> list[Unit]:
    quoted = [line.text[0] == ">" and not line.text.startswith(">>>") for line in lines]
    if not any(quoted) or sum(quoted) > _MAX_QUOTED_SHARE * len(lines):
        return units
    edges = {i for i in range(1, len(lines)) if quoted[i] != quoted[i - 1]}
    units = split_at(units, edges)
    for unit in units:
        if unit.is_free and quoted[unit.first]:
            unit.kind = "quote"
            for line in lines[unit.first : unit.stop]:
                n_marks = len(line.text) - len(line.text.lstrip("> "))
                unit.marks.append((line.start, line.start + n_marks))
    return units


_VISIBLE = re.compile(r"\S")
_SENTENCE_END = re.compile(r"[.?!…。！？][\"'”’»)\]]*+(?:\s|(?<=[。！？]))(?=\S)")
_MIN_PARAGRAPH_WORDS = 20  # in the mean; with fewer, paragraphs are turns of a conversation,
_MIN_TURNS = 100  # if there are so many of them
_MIN_LONG_PARAGRAPHS = 0.1  # share of the paragraphs that have more than a sentence


@dataclass(frozen=True)
class PlainStructure:
    """The blocks of a plain text.

    Attributes
    ----------
    blocks
        In the order of the text; empty if the text has no structure.
    marks
        Spans of bullets, names of speakers and the like, which are no prose.
    """

    blocks: tuple[Block, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()

    def prose(self, text: str) -> str:
        """Return the text with marks, code, tables, contents and references blanked."""
        hidden = [*self.marks, *((b.start, b.end) for b in self.blocks if not b.is_prose)]
        parts: list[str] = []
        at = 0
        for start, end in sorted(hidden):
            if end > at:
                parts += [text[at:start], _VISIBLE.sub(" ", text[max(at, start) : end])]
                at = end
        return "".join([*parts, text[at:]])


def find_structure(text: str, language: Language) -> PlainStructure:
    r"""Return the blocks of a plain text, and its marks.

    Parameters
    ----------
    text
        Any text.
    language
        Its language, for words such as "Chapter".

    Returns
    -------
    PlainStructure
        Its blocks hold all that is visible; none is certain but for underlined headings. There are
        none for a text without structure: a single paragraph, a sentence on each line, or nothing
        but short lines.

    Examples
    --------
    >>> from docbats.text.languages import load_language
    >>> text = "Bats\n====\n\nThey fly. They hear.\n\nMost sleep by day. Few see well.\n"
    >>> [block.kind for block in find_structure(text, load_language("en")).blocks]
    ['heading', 'paragraph', 'paragraph']
    """
    lines = scan_lines(text)
    if len(lines) < 2:
        return PlainStructure()
    units = split_units(lines, language)
    if is_double_spaced(lines, units, language):
        return PlainStructure()
    units = mark_underlined(lines, units)
    units = mark_wiki_headings(lines, units)
    units = mark_layout(lines, units)
    units = mark_speakers(lines, units)
    is_talk = _is_talk(lines, units, language)
    contents = Contents([], frozenset()) if is_talk else find_contents(lines)
    units = join_runs(units, contents.runs, "contents")
    units = split_under_numbers(lines, units, language)
    units = mark_lists(lines, units)
    mark_numbered(lines, units, language)
    units = join_titles(lines, units, language)
    if not is_talk:
        mark_weak(lines, units, language)
    mark_listed(lines, units, contents.headings)
    mark_contents_title(lines, units, language)
    mark_sources(lines, units, language)
    continue_turns(units)
    if _is_flat(text, lines, units):
        return PlainStructure()
    set_levels(units)
    blocks = tuple(_block(lines, unit) for unit in units)
    return PlainStructure(blocks, tuple(mark for unit in units for mark in unit.marks))


def _is_talk(lines: list[Line], units: list[Unit], language: Language) -> bool:
    """Whether there are many paragraphs as short as turns of a conversation, without headings."""
    n_words = sum(len(line.text.split()) for line in lines)
    is_short = language.writes_spaces and n_words < _MIN_PARAGRAPH_WORDS * len(units)
    return is_short and len(units) >= _MIN_TURNS


def _is_flat(text: str, lines: list[Line], units: list[Unit]) -> bool:
    """Whether there is but one paragraph, or hardly any has more than one sentence."""
    if not all(unit.is_free for unit in units):
        return False
    spans = ((lines[unit.first].start, lines[unit.stop - 1].end) for unit in units)
    n_long = sum(_SENTENCE_END.search(text, start, end) is not None for start, end in spans)
    return len(units) < 2 or n_long < _MIN_LONG_PARAGRAPHS * len(units)


def _block(lines: list[Line], unit: Unit) -> Block:
    is_one_line = unit.kind == "heading" and unit.is_one_line and not unit.marks
    return Block(
        kind=unit.kind,
        start=lines[unit.first].start,
        end=lines[unit.stop - 1].end,
        level=unit.level,
        number=unit.number,
        title=unit.title,
        is_certain=unit.is_certain,
        speaker=unit.speaker,
        seconds=unit.seconds,
        written=" ".join(lines[unit.first].text.split()) if is_one_line else None,
    )

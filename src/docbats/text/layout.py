"""The layout of plain text: lines, paragraphs, lists, tables, code and quotations."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.blocks import BlockKind
    from docbats.text.languages.language import Language

_TAB_WIDTH = 4
QUOTES = "\"'”’»“›」』"  # that close
CLOSING = f"{QUOTES})]*_）》"
NEVER_FIRST = frozenset("\"'“”‘«„‹()<>[]{}*-+•#%|=/\\.,;:…–—~^`_¡")
"""Signs with which no heading begins."""
RULES = frozenset("=-~^\"'`#*+:._")
"""Signs of which rules under headings are made."""
_CLAUSE_ENDS = frozenset(":;：；")
_END_MARKS = _CLAUSE_ENDS | frozenset(".?!…。！？｡।॥؟۔")


class TextLine(NamedTuple):
    """A line without the white space around it."""

    start: int
    end: int
    indent: int  # in blanks
    gap: int  # blank lines before it
    text: str


def scan_lines(text: str) -> list[TextLine]:
    """Return the lines of `text` that are not blank; a new page begins a new line."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    text = text.replace("\f", "\n")
    lines: list[TextLine] = []
    start = gap = 0
    for row in text.split("\n"):
        if content := row.strip():
            n_before = len(row) - len(row.lstrip())
            indent = len(row[:n_before].expandtabs(_TAB_WIDTH)) if n_before else 0
            at = start + n_before
            lines.append(TextLine(at, at + len(content), indent, gap, content))
            gap = 0
        else:
            gap += 1
        start += len(row) + 1
    return lines


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a full stop or the like, maybe before closing quotes or brackets."""
    return text[-1:] in _END_MARKS or text[-8:].rstrip(CLOSING)[-1:] in _END_MARKS


# A line that is longer than this was not broken by hand or by a mail program; characters of
# Chinese and Japanese are about twice as wide.
MAX_WRAPPED, MAX_WRAPPED_IDEOGRAPHS = 100, 50
# Lines are paragraphs if those that end a sentence hold this share of the text, hardly any goes on
# in the next, and blank lines separate hardly any. If larger, fewer texts have paragraphs.
_MIN_ENDED_SHARE, _MAX_RARE_SHARE = 0.6, 0.1
_MIN_FULL = 0.7  # of the usual length; a shorter line was not broken to fit a width
# With blank lines, each line may be a sentence: only long ones are paragraphs if they hold this
# share of the text and have this many sentences on average.
_MIN_LONG_SHARE, _MIN_SENTENCES = 0.7, 2.0
_SENTENCE_END = re.compile(r"[.?!…][\"'”’»)\]]*+(?:\s|$)|[。！？｡]")

_MAX_FIRST_INDENT = 8  # blanks; a line that is indented further is centred or set apart
_MIN_USUAL_SHARE = 0.3  # the usual indent is the smallest that is nearly as common as any other
_MIN_INDENTED = 2
_MAX_INDENTED_SHARE = 0.6
_MIN_INDENTED_AFTER_END = 0.8

# Lines with a blank line after each are not paragraphs if most end in mid-sentence.
_MAX_OPEN_SHARE, _MAX_LOWER_SHARE, _MIN_SINGLE_SHARE = 0.5, 0.25, 0.8


@dataclass(slots=True)
class LineGroup:
    """Lines from `first` to before `stop` that belong together, and their :class:`Block`."""

    first: int
    stop: int
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    title: str | None = None
    is_certain: bool = True
    speaker: str | None = None
    seconds: tuple[float, float] | None = None
    style: str = ""  # what a heading looks like: those that look alike have one level
    depth: int = 1  # of the number of a heading
    restarts: bool = False  # whether that number is the first of a row
    listed_level: int | None = None  # of a heading in the table of contents
    marks: list[tuple[int, int]] = field(default_factory=list)  # bullets, speakers' names: no prose
    joints: list[tuple[int, int]] = field(default_factory=list)  # marks within which no line ends
    cues: list[tuple[int, int, float, float]] = field(default_factory=list)  # offsets and seconds

    @property
    def is_free(self) -> bool:
        """Whether nothing is known about it yet."""
        return self.kind == "paragraph"

    @property
    def is_one_line(self) -> bool:
        """Whether it has a single line."""
        return self.stop - self.first == 1


def split_groups(lines: list[TextLine], language: Language) -> list[LineGroup]:
    """Return the paragraphs, which blank lines, indents or line ends separate."""
    starts = {i for i, line in enumerate(lines) if line.gap}
    width = MAX_WRAPPED if language.writes_spaces else MAX_WRAPPED_IDEOGRAPHS
    is_long = [len(line.text) > width for line in lines]
    if _lines_are_paragraphs(lines):
        for first, stop in pairwise([0, *sorted(starts - {0}), len(lines)]):
            # Short lines between blank ones may be verse, an address or the like.
            if any(is_long[first:stop]) or stop - first > len(lines) / 2:
                starts.update(range(first, stop))
    elif _long_lines_are_paragraphs([line.text for line in lines], is_long):
        starts.update(i for i in range(1, len(lines)) if is_long[i - 1] or is_long[i])
    else:
        starts.update(_indented_starts(lines))
    edges = [0, *sorted(starts - {0}), len(lines)]
    return [LineGroup(first, stop) for first, stop in pairwise(edges)]


def split_at(groups: list[LineGroup], starts: set[int]) -> list[LineGroup]:
    """Split the groups that nothing is known about at these lines."""
    pieces: list[LineGroup] = []
    for group in groups:
        inside = range(group.first + 1, group.stop) if group.is_free else ()
        if inner := [i for i in inside if i in starts]:
            edges = [group.first, *inner, group.stop]
            pieces += [LineGroup(first, stop) for first, stop in pairwise(edges)]
        else:
            pieces.append(group)
    return pieces


def join_runs(
    groups: list[LineGroup], runs: Sequence[tuple[int, int]], kind: BlockKind
) -> list[LineGroup]:
    """Join each run of lines to one group of this kind, except what is already known."""
    if not runs:
        return groups
    stops = dict(runs)
    joined: list[LineGroup] = []
    stop = 0
    for group in split_at(groups, {edge for run in runs for edge in run}):
        if not group.is_free:
            stop = 0
            joined.append(group)
        elif group.first < stop:
            joined[-1].stop = group.stop
        elif group.first in stops:
            stop = stops[group.first]
            joined.append(LineGroup(group.first, group.stop, kind))
        else:
            joined.append(group)
    return joined


def is_double_spaced(lines: list[TextLine], groups: list[LineGroup], language: Language) -> bool:
    """Whether each line of wrapped paragraphs is followed by a blank one."""
    width = MAX_WRAPPED if language.writes_spaces else MAX_WRAPPED_IDEOGRAPHS
    single = [
        lines[g.first].text for g in groups if g.is_one_line and group_size(lines, g) <= width
    ]
    if len(single) < max(4, _MIN_SINGLE_SHARE * len(groups)):
        return False
    n_open = sum(not ends_sentence(text) for text in single)
    n_lower = sum(text[0].islower() and text[1:2] not in {".", ")"} for text in single)
    return n_open > _MAX_OPEN_SHARE * len(single) and n_lower > _MAX_LOWER_SHARE * len(single)


def group_size(lines: list[TextLine], group: LineGroup) -> int:
    """Return the number of characters of a group."""
    return lines[group.stop - 1].end - lines[group.first].start


def joined_text(lines: list[TextLine], group: LineGroup) -> str:
    """Return a group on one line."""
    return " ".join(line.text for line in lines[group.first : group.stop])


def _lines_are_paragraphs(lines: list[TextLine]) -> bool:
    """Whether line ends separate paragraphs: no line was broken to fit a width."""
    sizes = [0 if ITEM.match(line.text) else len(line.text) for line in lines]
    is_ended = [ends_sentence(line.text) and line.text[-1] not in _CLAUSE_ENDS for line in lines]
    n_ended = sum(size for size, ended in zip(sizes, is_ended, strict=True) if ended)
    full = _MIN_FULL * median(sizes)
    n_continued = n_inside = n_between = 0
    for i, line in enumerate(lines[1:]):
        if is_ended[i] and is_ended[i + 1]:
            n_inside += not line.gap
            n_between += line.gap > 0 and i > 0  # one below a headline says nothing
        elif not is_ended[i] and not line.gap and line.text[0].islower():
            n_continued += sizes[i] >= full
    is_rarely_broken = n_continued <= _MAX_RARE_SHARE * len(lines)
    has_rare_gaps = n_between <= _MAX_RARE_SHARE * n_inside
    return n_ended >= _MIN_ENDED_SHARE * sum(sizes) and is_rarely_broken and has_rare_gaps


def _long_lines_are_paragraphs(texts: list[str], is_long: list[bool]) -> bool:
    long_lines = [text for text, long in zip(texts, is_long, strict=True) if long]
    n_characters = sum(map(len, long_lines))
    if len(long_lines) < 2 or n_characters < _MIN_LONG_SHARE * sum(map(len, texts)):
        return False
    n_ended = sum(map(ends_sentence, long_lines))
    n_sentences = sum(len(_SENTENCE_END.findall(text)) for text in long_lines)
    has_sentences = n_sentences >= _MIN_SENTENCES * len(long_lines)
    return has_sentences and n_ended >= _MIN_ENDED_SHARE * len(long_lines)


def _indented_starts(lines: list[TextLine]) -> list[int]:
    """Return the lines that are indented further than most, if they begin paragraphs.

    If so, nearly all of them follow the end of a sentence.
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


_BULLETS = "-*+•‣◦▪▫●○■□⁃·–"
ITEM = re.compile(rf"([{_BULLETS}]|\(?(?:\d{{1,3}}|[a-z])[.)])[ \t]+(?=\S)")
_MIN_ITEMS = 2
_MAX_SAME_INDENT = 3  # kinds of labels that may nest without an indent
_INSIDE_ITEMS = frozenset({"code", "table", "quote"})
_INDENT_SLACK = 1  # blanks by which the indents of one list may differ
# Characters; longer numbered pieces are the paragraphs of a law rather than a list. If larger, more
# of them stay whole.
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
        """Whether an item continues this list."""
        is_beside = abs(label.indent - self.label.indent) <= _INDENT_SLACK
        if label.style != self.label.style or not is_beside:
            return False
        last = self.label.number
        return last is None or label.number == last + 1


def mark_lists(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark the items of lists; their bullets and numbers are marks."""
    runs = filter(_is_list, _find_runs(lines, groups))
    levels = {line: run.level for run in runs for line in run.items}
    if not levels:
        return groups
    groups = split_at(groups, set(levels))
    current: tuple[int, int] | None = None  # indent and level of the item before
    for group in groups:
        line = lines[group.first]
        if group.first in levels and group.is_free:
            label = _label(line)
            group.kind, group.level = "list_item", levels[group.first]
            if label is not None:
                group.marks.append((line.start, line.start + label.length))
            current = line.indent, group.level
        elif current is not None and group.is_free and line.indent > current[0] + _INDENT_SLACK:
            group.kind, group.level = "list_item", current[1]
        elif group.kind not in _INSIDE_ITEMS:
            current = None
    return groups


def _label(line: TextLine) -> _Label | None:
    match = ITEM.match(line.text)
    if match is None:
        return None
    sign = match[1]
    name = sign.strip("().")
    if sign in _BULLETS:
        return _Label(sign, None, line.indent, match.end())
    style = "1" if name.isdecimal() else "a"
    number = int(name) if name.isdecimal() else ord(name) - ord("a") + 1
    return _Label(sign.replace(name, style), number, line.indent, match.end())


def _find_runs(lines: list[TextLine], groups: list[LineGroup]) -> list[_Run]:
    """Return runs of items with nothing between them that is not part of an item."""
    found: list[_Run] = []
    open_runs: list[_Run] = []  # the outermost first
    last_numbers: dict[str, int] = {}
    for group in groups:
        if not group.is_free:
            if group.kind not in _INSIDE_ITEMS:
                open_runs.clear()
            continue
        for i in range(group.first, group.stop):
            line, label = lines[i], _label(lines[i])
            run = None if label is None else _run_of(label, i, open_runs, last_numbers)
            if run is not None and len(run.items) == 1:
                found.append(run)
            # A line that is indented further than the item before it belongs to that.
            indent = open_runs[-1].label.indent if open_runs else 0
            if run is None and i == group.first and line.indent <= indent + _INDENT_SLACK:
                open_runs.clear()
            if open_runs:
                open_runs[-1].sizes[-1] += len(line.text)
    return found


def _run_of(
    label: _Label, line: int, runs: list[_Run], last_numbers: dict[str, int]
) -> _Run | None:
    """Return the list that an item continues or begins; None if it does neither."""
    depth = len(runs)
    while depth and runs[depth - 1].label.indent > label.indent + _INDENT_SLACK:
        depth -= 1
    for at in range(depth - 1, max(-1, depth - 1 - _MAX_SAME_INDENT), -1):
        if runs[at].takes(label):
            del runs[at + 1 :]
            runs[at].label = label
            runs[at].items.append(line)
            runs[at].sizes.append(0)
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
_MIN_ROW_WORDS = 5  # of justified text; with fewer, more tables are mistaken for it
_BAR = re.compile(r"(?:^|\s)\|(?:\s|$)")
_BORDER = re.compile(r"[-+|=: ]+")
_RULE = re.compile(r"[-=]{2}")  # of a border; one pattern for both would take cubic time
_COLUMN_GAP = re.compile(r"(?<![\s.?!:])(?: {2,}|\t[ \t]*)(?=\S)")

_MIN_CODE_INDENT = 4
_CODE_SIGN = re.compile(r"[{}()\[\];=<>$\\|_@]|::|->|^(?:\$|#|//|--)|\.\w+\b(?=\()")
_PROSE_WORDS = re.compile(r"(?:\b[^\W\d_]+,? ){7}")
_MIN_CODE_SHARE, _MAX_PROSE_SHARE = 0.5, 0.3
_MIN_WORD_SHARE = 0.7  # of a paragraph; if smaller, more code is mistaken for prose
WORD = re.compile(r"(?<![^\s\"“‘(])[^\W\d_]+(?:['’-][^\W\d_]+)*(?![^\s,;:.!?)\"”’])")

_MAX_QUOTED_SHARE = 0.5  # of the lines; with more, ">" does not mark quotations


def mark_layout(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark tables, code and quotations."""
    groups = _mark_continuations(lines, groups)
    groups = join_runs(groups, _table_runs(lines), "table")
    _mark_code(lines, groups)
    return _mark_quotes(lines, groups)


def _mark_continuations(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off lines of a plus sign, by which AsciiDoc adds the next block to an item."""
    signs = {i for i, line in enumerate(lines) if line.text == "+"}
    if not signs:
        return groups
    groups = split_at(groups, signs | {i + 1 for i in signs})
    for group in groups:
        if group.is_free and group.first in signs:
            group.kind = "code"
    return groups


def _table_runs(lines: list[TextLine]) -> list[tuple[int, int]]:
    """Return runs of at least three rows with bars or with aligned columns."""
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
        if i - first >= _MIN_ROWS and shared and not _are_justified(lines[first:i]):
            runs.append((first, i))
        first, shared = i, edges
    return runs


def _are_justified(lines: list[TextLine]) -> bool:
    """Whether lines of words, of which the last may be shorter, end in the same column."""
    full = lines[:-1]
    n_words = sum(len(WORD.findall(line.text)) for line in full)
    n_parts = sum(len(line.text.split()) for line in full)
    are_words = n_words >= max(_MIN_ROW_WORDS * len(full), n_parts / 2)
    return are_words and len({line.indent + len(line.text) for line in full}) == 1


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
    ends = [*(start for start, _ in gaps), len(text)] if gaps else []
    return {("start", end) for _, end in gaps} | {("end", end) for end in ends}


def _mark_code(lines: list[TextLine], groups: list[LineGroup]) -> None:
    usual = Counter(line.indent for line in lines).most_common(1)[0][0]
    for group in groups:
        inside = lines[group.first : group.stop]
        if group.is_free and all(line.indent >= usual + _MIN_CODE_INDENT for line in inside):
            n_code = sum(_CODE_SIGN.search(line.text) is not None for line in inside)
            n_prose = sum(_PROSE_WORDS.search(line.text) is not None for line in inside)
            is_prose = n_prose > _MAX_PROSE_SHARE * len(inside)
            may_be_code = n_code >= _MIN_CODE_SHARE * len(inside) and not is_prose
            if may_be_code and not _are_words(inside):
                group.kind = "code"


def _are_words(lines: list[TextLine]) -> bool:
    """Whether lines end a sentence and are nearly all words, some of which may be names of code.

    A line that announces code has more words than one of code that ends like it.
    """
    end = lines[-1].text[-1]
    n_words = sum(len(WORD.findall(line.text)) for line in lines)
    may_be_code = end in _CLAUSE_ENDS and (end == ";" or n_words < _MIN_ROW_WORDS * len(lines))
    if may_be_code or not ends_sentence(lines[-1].text):
        return False
    return n_words >= _MIN_WORD_SHARE * sum(len(line.text.split()) for line in lines)


def _mark_quotes(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    quoted = [line.text[0] == ">" and not line.text.startswith(">>>") for line in lines]
    if not any(quoted) or sum(quoted) > _MAX_QUOTED_SHARE * len(lines):
        return groups
    edges = {i for i in range(1, len(lines)) if quoted[i] != quoted[i - 1]}
    groups = split_at(groups, edges)
    for group in groups:
        if group.is_free and quoted[group.first]:
            group.kind = "quote"
            for line in lines[group.first : group.stop]:
                n_marks = len(line.text) - len(line.text.lstrip("> "))
                group.marks.append((line.start, line.start + n_marks))
    return groups

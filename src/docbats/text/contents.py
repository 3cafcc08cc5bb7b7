"""Tables of contents in plain text, and the headings that they list."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.headings import is_caption, is_contents_title, parse_number
from docbats.text.layout import joined_text, split_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.text.languages.language import Language
    from docbats.text.layout import LineGroup, TextLine

_MAX_ENTRY = 100  # characters of a line of an entry
_MAX_SENTENCE = 50  # characters of one that ends with a full stop and has no number
_MAX_LINES = 4  # of an entry, and of the heading that it names
_MIN_WRAPPED = 30  # characters; neither goes on after a shorter line
_MIN_ENTRIES = 3
_MIN_REPEATED_SHARE = 0.7  # of the entries recur below, in the same order
_MAX_ABOVE = 60  # characters of a line over a table without a blank line between them
_MAX_MISSES = 4  # lines between two entries that are not entries, such as "Appendices"
_INDENT_SLACK = 1  # blanks by which the indents of entries of one level may differ
_MIN_SPAN_SHARE = 0.3  # of the lines are among the headings that a table without a title names
# Lines of code recur, too. If the first share is larger, more tables without a title are found.
_MAX_START_SHARE, _MAX_CODE_SHARE = 0.2, 0.4
_MIN_COMPLETE_SHARE = 0.8  # of the entries name a heading, where the table lists all of a level

_LEADERS = " .·…_\t"
_MIN_LEADERS = 3
_PAGE_DIGITS = "0123456789ivxlcIVXLC"

# A bullet; then a number, maybe with a word, as in "Chapter 4." and "第4章". Headings are compared
# without it, so it does no harm that "Windows 95 for all" seems to have one.
_LABEL = re.compile(
    r"(?:[-*+•◦·□○o]\s+)?(?:(?:[^\W\d_]{2,20}\.?\s+|[第제]\s?)??"
    r"(?P<number>\d{1,4}(?:\.\d{1,4}){0,6}|[A-Z](?:\.\d{1,4}){0,6}|[IVXLC]{2,8})"
    r"(?:\s?[章節节部장]|(?!\w))[.):]{0,2}[\s—–-]*(?=\S))?"
)
_BARE_NUMBER = re.compile(r"(?:[^\W\d_]{2,20}\s+)?(?:\d{1,4}|[IVXLC]{1,8})[.:]?")
_STARTS_ENTRY = re.compile(r"[-*+•◦·□○o]\s|\d{1,4}\.(?:\d|\s)|[A-Z]\.(?:\d|\s)")
_NOT_LETTERS = re.compile(r"[\W_]+")
_ASCII_MARKS = bytes(code for code in range(128) if not chr(code).isalnum())
_CODE = re.compile(r"^(?:(?!o\s)[a-z#$%>/]|::)|[{}\[\];=<>$\\|@]|\w\(|:$")
INFO_NODE = re.compile(r"^File: [^,\n]{1,200},\s+Node: ", re.MULTILINE)
"""The line that opens a node of one of GNU's Info files."""
_MENU = "* Menu:"
_INFO_TABLES = {  # their first and last lines
    "START-INFO-DIR-ENTRY": "END-INFO-DIR-ENTRY",
    "Indirect:": "End Tag Table",
    "Tag Table:": "End Tag Table",
    "Local Variables:": "End:",
}


class _Title(NamedTuple):
    """What an entry and its heading have in common."""

    number: str  # without its word; empty if there is none
    letters: str


class _Lines(NamedTuple):
    first: int
    stop: int


class _Entry(NamedTuple):
    first: int
    stop: int
    title: _Title
    indent: int
    column: int  # at which the title begins


class ListedHeading(NamedTuple):
    """A heading that a table of contents lists, up to before line `stop`."""

    stop: int
    level: int  # in the table, from 1


@dataclass(frozen=True)
class Contents:
    """The tables of contents of a text.

    Attributes
    ----------
    runs
        Their lines, from the first to before the second.
    headings
        The headings that they list, by their first lines.
    missing
        Numbers of entries whose headings were not found.
    is_complete
        Whether nearly all entries name a heading.
    """

    runs: tuple[tuple[int, int], ...] = ()
    headings: dict[int, ListedHeading] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    is_complete: bool = False

    @property
    def first_line(self) -> int:
        """The first line after the title page; 0 without a table of contents."""
        return self.runs[0][0] if self.headings else 0

    @property
    def n_levels(self) -> int:
        """The number of levels of the headings."""
        return max((heading.level for heading in self.headings.values()), default=0)


def find_contents(lines: list[TextLine], language: Language, *, is_talk: bool = False) -> Contents:
    """Return the tables of contents, and the headings that they list.

    They are the navigation of Info files, and runs of lines that recur below in the same order or
    lead to page numbers. What people say in a talk recurs, too, unless it is numbered or
    a title is over it.
    """
    index = _TitleIndex(lines)
    menus = _find_navigation(lines)
    runs: list[list[_Entry]] = []
    for run in filter(None, _find_runs(lines, index, menus)):
        goes_on = bool(runs) and run[0].first - runs[-1][-1].stop < _MAX_MISSES
        is_numbered = 2 * sum(bool(entry.title.number) for entry in run) > len(run)
        may_lack_title = (not runs or goes_on) and (is_numbered or not is_talk)
        if _is_table(run, lines, index, may_lack_title=may_lack_title, goes_on=goes_on):
            runs.append(run)
    spans = sorted([*((run[0].first, run[-1].stop) for run in runs), *menus])
    index.leave_out(spans)
    headings: dict[int, ListedHeading] = {}
    missing: set[str] = set()
    n_entries = n_found = 0
    for run in _joined_runs(runs):
        found = _match(run, index)
        n_again = sum(place.first in headings for _, place in found)
        n_captions = sum(is_caption(lines[place.first].text, language) for _, place in found)
        if len(found) < _MIN_ENTRIES or 2 * max(n_again, n_captions) > len(found):
            continue  # a list of tables, or of sections that the contents of the whole list, too
        n_entries += len(run)
        n_found += len(found)
        missing |= {e.title.number for e in run} - {e.title.number for e, _ in found}
        for (_, place), level in zip(found, _levels([e for e, _ in found]), strict=True):
            headings.setdefault(place.first, ListedHeading(place.stop, level))
    is_complete = n_found >= max(_MIN_ENTRIES, _MIN_COMPLETE_SHARE * n_entries)
    return Contents(tuple(spans), headings, frozenset(missing), is_complete)


def mark_listed(
    lines: list[TextLine], groups: list[LineGroup], contents: Contents, language: Language
) -> list[LineGroup]:
    """Split off and mark the headings that a table of contents lists, and set their levels.

    If several kinds of rules are under headings, these tell their levels.
    """
    listed = contents.headings
    if not listed:
        return groups
    has_rules = len({group.style for group in groups if group.kind == "heading"}) > 1
    groups = split_at(groups, {e for first, found in listed.items() for e in (first, found.stop)})
    for group in groups:
        found = next((listed[i] for i in range(group.first, group.stop) if i in listed), None)
        if found is None or group.kind not in {"paragraph", "heading"}:
            continue
        if group.is_free or not has_rules:
            group.listed_level = found.level
        if group.is_free:
            title = joined_text(lines, group)
            number = parse_number(title, language)
            at = number.length if number is not None and number.length < len(title) else 0
            group.kind, group.title, group.style = "heading", title[at:].strip(), "listed"
            if number is not None and at:
                group.number, group.style = number.written, number.style
                group.depth = number.depth
    return groups


def leads_to_page(text: str) -> bool:
    """Whether a line ends in dots and a page number."""
    before = text.rstrip(_PAGE_DIGITS)
    entry = before.rstrip(_LEADERS)
    leaders = before[len(entry) :]
    n_leaders = sum(1 if sign != "…" else 3 for sign in leaders if not sign.isspace())
    return len(before) < len(text) and n_leaders >= _MIN_LEADERS and bool(entry)


def _parse(text: str) -> tuple[_Title, int]:
    """Return the title of a line, and where it begins."""
    label = _LABEL.match(text)
    at, number = (label.end(), label["number"] or "") if label else (0, "")
    return _Title(number, _letters(text[at:])), at


def _letters(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    if text.isascii():  # faster than the pattern
        return text.encode().translate(None, _ASCII_MARKS).decode().lower()
    return _NOT_LETTERS.sub("", text).casefold()


def _has_letters(text: str) -> bool:
    """Whether a line is not just a rule."""
    return text[0].isalnum() or any(map(str.isalnum, text))


def _without_page(text: str) -> str:
    before = text.rstrip(_PAGE_DIGITS)
    entry = before.rstrip(_LEADERS)
    return entry if len(entry) < len(before) else text


def _joined_lines(lines: list[TextLine], i: int) -> Iterator[tuple[int, str]]:
    """Yield a line, that line with the next one, and so on, and the line after them."""
    text = lines[i].text
    yield i + 1, text
    for stop in range(i + 2, min(i + _MAX_LINES, len(lines)) + 1):
        line, before = lines[stop - 1], lines[stop - 2]
        is_full = len(before.text) >= _MIN_WRAPPED or _BARE_NUMBER.fullmatch(before.text)
        is_new = line.gap or line.indent < lines[i].indent or not is_full
        if is_new or len(line.text) > _MAX_ENTRY or _STARTS_ENTRY.match(line.text):
            return
        text = f"{text} {line.text}"
        yield stop, text


def _wrapped(lines: list[TextLine], i: int) -> tuple[int, str] | None:
    """Return a paragraph of a few lines, which may be a heading, and the line after it."""
    *_, (stop, text) = _joined_lines(lines, i)
    is_whole = stop == len(lines) or lines[stop].gap or lines[stop].indent != lines[i].indent
    is_whole = is_whole or not _has_letters(lines[stop].text)
    return (stop, text) if stop > i + 1 and is_whole else None


class _TitleIndex:
    """Where each title occurs in a text, set off by a blank line or a rule above it."""

    def __init__(self, lines: list[TextLine]) -> None:
        self._lines = lines
        self._by_title: defaultdict[_Title, list[_Lines]] = defaultdict(list)
        self._by_letters: defaultdict[str, list[_Lines]] = defaultdict(list)
        self._titles: dict[int, _Title] = {}
        is_dense = not any(line.gap for line in lines)  # without blank lines
        for i, line in enumerate(lines):
            is_set_off = line.gap or i == 0 or not _has_letters(lines[i - 1].text)
            if len(line.text) > _MAX_ENTRY or not (is_set_off or is_dense):
                continue
            is_sentence = line.text[-1] == "." and not self.title(i).number
            if is_sentence and len(line.text) > _MAX_SENTENCE:
                continue
            self._add(self.title(i), _Lines(i, i + 1))
            if is_set_off and (wrapped := _wrapped(lines, i)) is not None:
                stop, text = wrapped
                self._add(_parse(text)[0], _Lines(i, stop))

    def title(self, i: int) -> _Title:
        """Return the title of a line."""
        if (title := self._titles.get(i)) is None:
            title = self._titles[i] = _parse(self._lines[i].text[: _MAX_ENTRY + 1])[0]
        return title

    def _add(self, title: _Title, place: _Lines) -> None:
        if len(title.letters) > 1 and not title.letters.isdecimal():
            self._by_title[title].append(place)
            self._by_letters[title.letters].append(place)

    def leave_out(self, spans: Sequence[tuple[int, int]]) -> None:
        """Forget what is in these lines."""
        left_out = {i for start, stop in spans for i in range(start, stop)}
        for index in (self._by_title, self._by_letters) if left_out else ():
            for places in index.values():
                if any(place.first in left_out for place in places):
                    places[:] = [place for place in places if place.first not in left_out]

    def places(self, title: _Title) -> list[_Lines]:
        """Return where a title occurs, without a number or with the same, if it has one."""
        if not title.number:
            return self._by_letters.get(title.letters) or []
        return self._by_title.get(title) or self._by_title.get(_Title("", title.letters)) or []

    def entry_at(self, i: int, *, may_be_wrapped: bool) -> _Entry | None:
        """Return the entry that begins with a line, if it recurs below or leads to a page."""
        line = self._lines[i]
        if len(line.text) > _MAX_ENTRY or "|" in line.text:
            return None
        if may_be_wrapped:
            joined = takewhile(
                lambda found: not self._is_entry(found[0] - 1, i), _joined_lines(self._lines, i)
            )
            for stop, text in reversed(list(joined)[1:]):
                for written in dict.fromkeys((text, _without_page(text))):
                    if (entry := self._entry(i, stop, written)) is not None:
                        return entry
        if self._is_below(self.title(i), i):
            is_title = is_contents_title(line.text)
            return None if is_title else self._entry(i, i + 1, line.text)
        if line.text[-1] not in _PAGE_DIGITS or is_contents_title(line.text):
            return None
        entry = self._entry(i, i + 1, without := _without_page(line.text))
        if entry is None and leads_to_page(line.text):
            title, at = _parse(without)
            entry = _Entry(i, i + 1, title, line.indent, line.indent + at)
        return entry

    def _entry(self, i: int, stop: int, written: str) -> _Entry | None:
        """Return an entry that is written so, if it recurs below."""
        title, at = _parse(written)
        indent = self._lines[i].indent
        is_below = self._is_below(title, stop - 1)
        return _Entry(i, stop, title, indent, indent + at) if is_below else None

    def _is_below(self, title: _Title, i: int) -> bool:
        return self.last_place(title) > i

    def _is_entry(self, i: int, first: int) -> bool:
        """Whether a line after the `first` recurs below, with a number if that has one."""
        has_number = self.title(i).number or not self.title(first).number
        return bool(i > first and has_number) and self._is_below(self.title(i), i)

    def last_place(self, title: _Title) -> int:
        """Return the last line at which a title occurs; -1 if it does not."""
        places = self.places(title)
        return places[-1].first if places else -1


def _find_navigation(lines: list[TextLine]) -> list[tuple[int, int]]:
    """Return what only the program `info` needs in its files: nodes, menus and tables.

    A menu consists of entries with stars, and of what is between them.
    """
    if not any(INFO_NODE.match(line.text) for line in lines):
        return []
    found: list[tuple[int, int]] = []
    end: str | None = None  # the last line of a table
    in_menu = False
    for i, line in enumerate(lines):
        goes_on = in_menu and i - found[-1][1] < _MAX_MISSES
        if end is not None or line.text in _INFO_TABLES:
            end = end or _INFO_TABLES[line.text]
            in_menu, end = False, None if line.text == end else end
        elif line.text == _MENU or INFO_NODE.match(line.text):
            in_menu = line.text == _MENU
        elif not goes_on or not (line.text.startswith("* ") or (line.indent and not line.gap)):
            continue
        else:
            found[-1] = (found[-1][0], i + 1)
            continue
        found.append((i, i + 1))
    return found


def _find_runs(
    lines: list[TextLine], index: _TitleIndex, menus: list[tuple[int, int]]
) -> list[list[_Entry]]:
    """Return runs of entries with few other lines between them.

    An entry that comes again is the heading that it names, and ends the run, unless it is nested:
    chapters may have sections of the same title. So does a line that is not an entry before one
    that names an earlier heading: it is the title of another table, such as that of all figures.
    """
    runs: list[list[_Entry]] = [[]]
    seen: set[_Title] = set()
    in_menu = {i for first, stop in menus for i in range(first, stop)}
    i = 0
    while i < len(lines):
        run = runs[-1]
        entry = None
        if not run and not lines[i].gap and i and len(lines[i - 1].text) > _MAX_ABOVE:
            i += 1
            continue
        if i not in in_menu:
            is_first = i > 0 and not run and is_contents_title(lines[i - 1].text)
            entry = index.entry_at(i, may_be_wrapped=bool(run) or is_first)
        if run:
            title = index.title(i) if entry is None else entry.title
            is_nested = not title.number and lines[i].indent > run[0].indent
            is_heading = title in seen or _Title("", title.letters) in seen
            is_heading = is_heading and bool(title.letters) and not leads_to_page(lines[i].text)
            n_missed = i - run[-1].stop
            goes_back = entry is not None and n_missed > 0 and lines[i].gap > 0
            goes_back = goes_back and index.last_place(title) < index.last_place(run[-1].title)
            ends = (is_heading and not is_nested) or n_missed >= _MAX_MISSES or goes_back
            if ends or i in in_menu:
                runs.append([])
                seen = set()
        if entry is not None:
            runs[-1].append(entry)
            seen.add(entry.title)
        i = i + 1 if entry is None else entry.stop
    return runs


def _is_table(
    run: list[_Entry],
    lines: list[TextLine],
    index: _TitleIndex,
    *,
    may_lack_title: bool,
    goes_on: bool,
) -> bool:
    """Whether most lines are entries, and most entries lead to pages or to headings in order.

    A table without a title is the only one, and its headings are all over the text, or it goes on
    with the one before it.
    """
    n_lines = sum(entry.stop - entry.first for entry in run)
    if n_lines < _MIN_REPEATED_SHARE * (run[-1].stop - run[0].first):
        return False
    if sum(leads_to_page(lines[entry.stop - 1].text) for entry in run) >= _MIN_ENTRIES:
        return True
    places = [place.first for _, place in _match(run, index)]
    if len(places) < _MIN_REPEATED_SHARE * len(run):
        return False
    above = lines[max(0, run[0].first - 2) : run[0].first]
    if any(is_contents_title(line.text) for line in above):
        return len(run) > 1
    n_code = sum(_CODE.search(lines[entry.first].text) is not None for entry in run)
    is_early = run[0].first <= _MAX_START_SHARE * len(lines)
    if not is_early or n_code > _MAX_CODE_SHARE * len(run):
        return False
    span = places[-1] - places[0]
    is_wide = goes_on or span >= _MIN_SPAN_SHARE * len(lines)
    return may_lack_title and len(run) >= _MIN_ENTRIES and span > len(places) and is_wide


def _joined_runs(runs: list[list[_Entry]]) -> Iterator[list[_Entry]]:
    """Yield the runs; those with nothing between them are one."""
    joined: list[_Entry] = []
    for run in runs:
        if joined and run[0].first > joined[-1].stop:
            yield joined
            joined = []
        joined += run
    if joined:
        yield joined


def _match(run: list[_Entry], index: _TitleIndex) -> list[tuple[_Entry, _Lines]]:
    """Return the entries with the headings that they name, in order, each once.

    Of several headings with one title, the last count: those before may be other contents.
    """
    alike: defaultdict[_Title, list[_Entry]] = defaultdict(list)
    for entry in run:
        alike[entry.title].append(entry)
    places: dict[_Entry, _Lines] = {}
    for title, entries in alike.items():
        last = index.places(title)[-len(entries) :]
        below = (place for place in reversed(last) if place.first >= run[-1].stop)
        places |= dict(zip(reversed(entries), below, strict=False))
    named = [(entry, places[entry]) for entry in run if entry in places]
    return [named[i] for i in _longest_ascending([place.first for _, place in named])]


def _longest_ascending(values: list[int]) -> list[int]:
    """Return the positions of a longest strictly ascending subsequence.

    >>> _longest_ascending([3, 9, 5, 6, 1])
    [0, 2, 3]
    """
    tails: list[int] = []  # the smallest last value of a subsequence of each length
    ends: list[int] = []  # and its position
    before: list[int] = []
    for i, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [value]
        ends[length : length + 1] = [i]
    kept: list[int] = []
    i = ends[-1] if ends else -1
    while i >= 0:
        kept.append(i)
        i = before[i]
    return kept[::-1]


def _levels(entries: list[_Entry]) -> list[int]:
    """Return the level of each entry, by its indent, or else by its number.

    Numbers that are aligned at their ends do not nest. The contents of a chapter begin with 1.1.
    Among numbered chapters, what has no number is a section of the chapter before it.
    """
    is_aligned = max(e.column for e in entries) - min(e.column for e in entries) <= _INDENT_SLACK
    indents: list[int] = []  # of each level
    for indent in sorted({entry.indent for entry in entries}):
        if not indents or indent > indents[-1] + _INDENT_SLACK:
            indents.append(indent)
    if len(indents) > 1 and not is_aligned:
        outer = (e for e in entries if e.indent <= indents[0] + _INDENT_SLACK)
        above = min(entry.title.number.count(".") for entry in outer)
        return [above + bisect_right(indents, entry.indent) for entry in entries]
    depths = [1 + e.title.number.count(".") if e.title.number else 0 for e in entries]
    n_between = "".join("1" if depth else "0" for depth in depths).strip("0").count("0")
    above = 0
    for i, depth in enumerate(depths):
        above = depth or above
        depths[i] = depth or 1 + above * (n_between >= _MIN_ENTRIES)
    return depths

"""Lists: lines that begin with bullets, or with numbers or letters one after the other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.structure.units import Unit, split_at

if TYPE_CHECKING:
    from docbats.text.structure.lines import Line

__all__ = ["mark_lists"]

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

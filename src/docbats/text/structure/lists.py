"""Lists: lines that begin with bullets, or with numbers or letters one after the other."""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.structure.units import Unit, split_at

if TYPE_CHECKING:
    from docbats.text.structure.lines import Line

__all__ = ["mark_lists"]

_BULLETS = "-*+•‣◦▪▫●○■□⁃·–"
_ITEM = re.compile(rf"([{_BULLETS}]|\(?(?:\d{{1,3}}|[a-z])[.)])[ \t]+(?=\S)")
_MIN_ITEMS = 2
_INDENT_SLACK = 1  # blanks; items of one list may differ by so much
# Numbered pieces that are longer than this are the paragraphs of a law rather than a list; if
# larger, more of them are never torn apart. In characters.
_MAX_NUMBERED = 300


class _Label(NamedTuple):
    style: str
    number: int | None
    indent: int
    length: int  # with the white space after it


class _Run:
    """Items of one list, by their lines."""

    def __init__(self, label: _Label, level: int, line: int) -> None:
        self.label = label
        self.level = level
        self.items = [line]

    def takes(self, label: _Label) -> bool:
        """Whether an item goes on with this list."""
        if label.style != self.label.style:
            return False
        last = self.label.number
        return last is None or label.number == last + 1


def mark_lists(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark the items of lists; their bullets and numbers are marks."""
    runs = _find_runs(lines, units)
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
        elif unit.kind not in {"code", "table", "quote"}:
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
    """Find the lists: at least two items with nothing but what belongs to an item between them."""
    found: list[_Run] = []
    stack: list[_Run] = []
    sizes: dict[int, int] = {}
    item = -1
    last_numbers: dict[str, int] = {}
    for unit in units:
        if not unit.is_free:
            if unit.kind not in {"code", "table", "quote"}:
                stack.clear()
            continue
        for i in range(unit.first, unit.stop):
            line = lines[i]
            label = _label(line)
            if label is None:
                if i == unit.first and not (
                    stack and line.indent > stack[-1].label.indent + _INDENT_SLACK
                ):
                    stack.clear()
                if stack:
                    sizes[item] += len(line.text)
                continue
            if not _put(label, i, stack, found, last_numbers):
                if i == unit.first:
                    stack.clear()
                elif stack:
                    sizes[item] += len(line.text)
                continue
            item = i
            sizes[item] = len(line.text)
    return [run for run in found if _is_list(run, sizes)]


def _put(
    label: _Label,
    line: int,
    stack: list[_Run],
    found: list[_Run],
    last_numbers: dict[str, int],
) -> bool:
    """Put an item into the list that it belongs to or begins; False if it can be neither."""
    depth = len(stack)
    while depth and stack[depth - 1].label.indent > label.indent + _INDENT_SLACK:
        depth -= 1
    for at in range(depth - 1, max(-1, depth - 4), -1):
        if stack[at].takes(label):
            del stack[at + 1 :]
            stack[at].label = label
            stack[at].items.append(line)
            if label.number is not None:
                last_numbers[label.style] = label.number
            return True
    goes_on = label.number is not None and last_numbers.get(label.style) == label.number - 1
    if label.number not in {None, 0, 1} and not goes_on:
        return False
    del stack[depth:]
    same_indent = stack and label.indent <= stack[-1].label.indent + _INDENT_SLACK
    if same_indent and stack[-1].label.style == label.style:
        stack.pop()  # another list; with another kind of label it is a list inside the item
    run = _Run(label, len(stack) + 1, line)
    stack.append(run)
    found.append(run)
    if label.number is not None:
        last_numbers[label.style] = label.number
    return True


def _is_list(run: _Run, sizes: dict[int, int]) -> bool:
    if len(run.items) < _MIN_ITEMS:
        return False
    lengths = [sizes[item] for item in run.items]
    return run.label.number is None or median(lengths) <= _MAX_NUMBERED

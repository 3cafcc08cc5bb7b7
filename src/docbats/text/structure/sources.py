"""Lists of sources and tables of contents without page numbers: what refers, and is no prose."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.structure.levels import TOP_STYLE

if TYPE_CHECKING:
    from docbats.text.languages.language import Language
    from docbats.text.structure.lines import Line
    from docbats.text.structure.units import Unit

__all__ = ["Contents", "find_contents", "mark_contents_title", "mark_sources"]

_NUMBER = re.compile(r"(?:\[[^\[\]]{1,30}\]|\d{1,3}[.)]?|[IVXLC]+\.)\s")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_MIN_ENTRY_SHARE = 0.5  # of what stands under the heading must look like an entry
_MAX_ENTRY = 100  # characters of an entry of a table of contents
_MIN_ENTRIES = 3
_MIN_REPEATED_SHARE = 0.7  # of the entries stand again below, in the same order
_SPACES = re.compile(r"\s+")
_PAGE = re.compile(r"[\s.·…]*\d{0,4}$")


class Contents(NamedTuple):
    """Tables of contents without page numbers: their lines, and those of the headings in them."""

    runs: list[tuple[int, int]]
    headings: frozenset[int]


def mark_sources(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark what stands between a heading such as "References" and the next heading.

    A line with such a title is a heading if entries follow it.
    """
    at = 0
    while at < len(units):
        heading = units[at]
        at += 1
        if not _is_title(lines, heading, language.reference_titles):
            continue
        stop = at
        while stop < len(units) and units[stop].kind != "heading":
            stop += 1
        entries = [unit for unit in units[at:stop] if unit.kind in {"paragraph", "list_item"}]
        n_alike = sum(_is_entry(lines, unit) for unit in entries)
        if entries and n_alike >= _MIN_ENTRY_SHARE * len(entries):
            for unit in entries:
                unit.kind, unit.level = "references", None
            _make_heading(lines, heading)
            at = stop


def mark_contents_title(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark a line such as "Contents" over a table of contents as a heading."""
    for unit, below in pairwise(units):
        if below.kind == "contents" and _is_title(lines, unit, language.contents_titles):
            _make_heading(lines, unit)


def _is_title(lines: list[Line], unit: Unit, titles: tuple[str, ...]) -> bool:
    if unit.kind == "heading":
        title = unit.title or ""
    else:
        title = lines[unit.first].text if unit.is_free and unit.is_one_line else ""
    return len(title) <= _MAX_ENTRY and title.strip(" .:").lower() in titles


def _make_heading(lines: list[Line], unit: Unit) -> None:
    """Make a line a heading, if it is none yet; without a number it is of the highest level."""
    if unit.kind != "heading":
        unit.title, unit.is_certain = lines[unit.first].text.rstrip(" .:"), False
    if unit.kind != "heading" or unit.style == "short":
        unit.kind, unit.style = "heading", TOP_STYLE


def _is_entry(lines: list[Line], unit: Unit) -> bool:
    inside = lines[unit.first : unit.stop]
    return bool(unit.kind == "list_item" or _NUMBER.match(inside[0].text)) or any(
        _YEAR.search(line.text) for line in inside
    )


def find_contents(lines: list[Line]) -> Contents:
    """Find runs of short lines that stand again below, each by itself, in the same order."""
    names = [_name(line.text) for line in lines]
    last = {name: i for i, name in enumerate(names) if name}
    runs: list[tuple[int, int]] = []
    headings: set[int] = set()
    first = 0
    for i in range(len(lines) + 1):
        if i < len(lines) and names[i] and last[names[i]] > i:
            continue
        if _repeats(names[first:i], i, last):
            runs.append((first, i))
            headings.update(last[name] for name in names[first:i] if last[name] >= i)
        first = i + 1
    return Contents(runs, frozenset(headings))


def _name(text: str) -> str:
    """Return an entry without the number of its page; nothing for what cannot be one."""
    if len(text) > _MAX_ENTRY:
        return ""
    name = _SPACES.sub(" ", _PAGE.sub("", text)).lower()
    return name if sum(map(str.isalpha, name)) > 1 else ""


def _repeats(names: list[str], stop: int, last: dict[str, int]) -> bool:
    if len(names) < _MIN_ENTRIES or len(set(names)) < len(names):
        return False
    again = [last[name] for name in names if last[name] >= stop]
    if len(again) < _MIN_REPEATED_SHARE * len(names):
        return False
    n_ordered = sum(a < b for a, b in pairwise(again))
    has_text_between = again[-1] - again[0] > len(again)
    return has_text_between and n_ordered >= _MIN_REPEATED_SHARE * (len(again) - 1)

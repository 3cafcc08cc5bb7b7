"""Headings as wikis write them: equals signs on either side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.text.structure.units import split_at

if TYPE_CHECKING:
    from docbats.text.structure.lines import Line
    from docbats.text.structure.units import Unit

__all__ = ["mark_wiki_headings"]

# Blanks between the signs are what a tokenizer of words leaves, as in "= = Food = =".
_HEADING = re.compile(r"(=(?: ?=){0,5}) ?([^=\s](?:.*[^=\s])?) ?(=(?: ?=){0,5})")
_MAX_LENGTH = 150
_MIN_HEADINGS = 2  # of the text; a single one may be a formula


def mark_wiki_headings(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark lines between as many equals signs on the left as on the right."""
    found: dict[int, re.Match[str]] = {}
    for i, line in enumerate(lines):
        if line.text[0] == "=" and len(line.text) <= _MAX_LENGTH:
            match = _HEADING.fullmatch(line.text)
            if (
                match
                and match[1].count("=") == match[3].count("=")
                and any(map(str.isalpha, match[2]))
            ):
                found[i] = match
    if len(found) < _MIN_HEADINGS:
        return units
    units = split_at(units, {edge for i in found for edge in (i, i + 1)})
    for unit in units:
        match = found.get(unit.first)
        if match is None or not unit.is_free:
            continue
        start = lines[unit.first].start
        unit.kind, unit.title = "heading", match[2]
        unit.style, unit.depth = "=", match[1].count("=")
        unit.marks = [(start + match.start(n), start + match.end(n)) for n in (1, 3)]
    return units

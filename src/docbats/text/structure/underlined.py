"""Headings of plain text that are underlined, or set between two rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.text.structure.units import Unit, split_at

if TYPE_CHECKING:
    from docbats.text.structure.lines import Line

__all__ = ["mark_underlined"]

_RULES = frozenset("=-~^\"'`#*+:._")
_MIN_RULE = 3
_MIN_RULE_RATIO, _MAX_RULE_RATIO = 0.6, 1.7  # of the rule's length to that of its heading
_MAX_LENGTH = 120
_MIN_LETTERS = 2


def mark_underlined(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark headings with a rule of about their length under them.

    Their titles still have their numbers.
    """
    titles: dict[int, int] = {}  # the first lines of headings, and the lines of their titles
    stops: set[int] = set()
    for i in range(1, len(lines)):
        if not _is_underlined(lines, i):
            continue
        has_rule_above = i > 1 and not lines[i - 1].gap and lines[i - 2].text == lines[i].text
        has_rule_above = has_rule_above and i - 1 not in stops  # that is another's
        first = i - 2 if has_rule_above else i - 1
        if not first or lines[first].gap or first in stops:
            titles[first] = i - 1
            stops.add(i + 1)
    if not titles:
        return units
    units = split_at(units, stops.union(titles))
    for unit in units:
        at = titles.get(unit.first)
        if at is None or not unit.is_free or unit.stop != at + 2:
            continue
        unit.kind, unit.title = "heading", lines[at].text
        unit.style = lines[at + 1].text[0] * (1 + at - unit.first)
        rules = (
            line for i, line in enumerate(lines[unit.first : unit.stop]) if unit.first + i != at
        )
        unit.marks = [(rule.start, rule.end) for rule in rules]
    return units


def _is_underlined(lines: list[Line], i: int) -> bool:
    rule, above = lines[i], lines[i - 1]
    sign = rule.text[0]
    if rule.gap or sign not in _RULES or not _MIN_RULE <= len(rule.text) <= 2 * _MAX_LENGTH:
        return False
    if rule.text.count(sign) != len(rule.text) or len(above.text) > _MAX_LENGTH:
        return False
    ratio = len(rule.text) / len(above.text)
    n_letters = sum(map(str.isalpha, above.text))
    has_title = n_letters >= _MIN_LETTERS and "|" not in above.text
    return has_title and _MIN_RULE_RATIO <= ratio <= _MAX_RULE_RATIO

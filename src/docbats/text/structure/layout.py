"""What is set apart by its layout: tables, code, quotations, lines that lead to a page number."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from docbats.text.structure.units import join_runs, split_at

if TYPE_CHECKING:
    from docbats.text.structure.lines import Line
    from docbats.text.structure.units import Unit

__all__ = ["mark_layout"]

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

"""What the columns of plain text tell: headings to its left, and terms over definitions."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.layout import (
    CLOSING,
    ITEM,
    NEVER_FIRST,
    WORD,
    LineGroup,
    ends_sentence,
    joined_text,
    split_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.text.layout import TextLine

_MIN_STEP = 2  # blanks by which text is indented further than its heading
_MIN_HEADINGS = 3
_MAX_HEADING = 200  # characters
_MAX_HEADING_LINES = 4
# Paragraphs in a column of headings, and their share of it; with more, it is a column of text.
_MAX_BODY, _MAX_BODY_SHARE = 2, 0.05
_MIN_DISTINCT_SHARE = 0.5  # of headings and terms; the names of speakers recur more often
_SLACK = 4  # characters by which the right edges of paragraphs may differ
_EDGE_QUANTILE = 0.95  # of the lines; longer ones are code
_MIN_JUSTIFIED_SHARE = 0.25  # of the long lines end in one column
_MIN_WRAPPED_SHARE = 0.6  # of the lines have no room for the next word, unless they are verse
_MIN_PROSE_WORDS, _MIN_PROSE_WIDTH = 3, 0.8  # in a line of a definition that goes on
_NUMBERED = re.compile(r"(?:\d{1,3}|[A-Z](?=\.))(?:\.\d{1,3})*[.)]?\s")  # by its number
_WIDE_GAP = re.compile(r"\S {3,}\S|\t")  # in the header of a page


COLUMN = "column"
"""The beginning of the style of headings that are to the left of the text."""


class _Outdent(NamedTuple):
    column: int
    first: int
    stop: int | None  # the line after the heading; None if this is not a heading


def split_terms(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split terms from the definitions under them, which are indented further.

    A line that had room for the first word of the next was not wrapped. The text is wrapped if it
    is justified or most lines in its usual column are; the cells of a table, further right, have
    another width.
    """
    edge = _right_edge(lines, groups)
    free = (lines[group.first : group.stop] for group in groups if group.is_free)
    pairs = [(a, b) for inside in free for a, b in pairwise(inside) if a.indent == b.indent]
    ((usual, n_usual),) = Counter(a.indent for a, _ in pairs).most_common(1) or [(0, 0)]
    n_full = sum(_is_full(a, b, edge) for a, b in pairs if a.indent == usual)
    ends = _line_ends(lines, groups)
    is_wrapped = n_full >= max(2, _MIN_WRAPPED_SHARE * n_usual)
    if not (is_wrapped or (ends and _justified_edge(ends))):
        return groups
    starts: set[int] = set()
    terms: list[str] = []
    for group in groups:
        columns: list[int] = []  # of the terms over the current line
        for i in range(group.first + 1, group.stop):
            above, line = lines[i - 1], lines[i]
            if line.indent >= above.indent + _MIN_STEP:
                is_term = not _is_full(above, line, edge - _SLACK) and not ITEM.match(above.text)
                if is_term and _is_prose(line, edge):
                    starts.add(i)
                    terms.append(above.text)
                    columns.append(above.indent)
            elif columns and line.indent <= columns[-1] < above.indent:
                starts.add(i)
                columns.pop()
    are_names = len(set(terms)) < _MIN_DISTINCT_SHARE * len(terms)
    return groups if are_names else split_at(groups, starts)


def _right_edge(lines: list[TextLine], groups: list[LineGroup]) -> int:
    """Return the column before which nearly all lines of paragraphs end."""
    ends = _line_ends(lines, groups)
    return (_justified_edge(ends) or _quantile(ends)) if ends else 0


def _line_ends(lines: list[TextLine], groups: list[LineGroup]) -> list[int]:
    free = (lines[group.first : group.stop - 1] for group in groups if group.is_free)
    return sorted(line.indent + len(line.text) for inside in free for line in inside)


def _justified_edge(ends: list[int]) -> int | None:
    """Return the column in which the long lines of justified text end.

    Those of words that a hyphen broke end elsewhere, since these words are whole again.
    """
    long = [end for end in ends if 2 * end > _quantile(ends)]
    edge, n_ends = Counter(long).most_common(1)[0]
    return edge if n_ends > _MIN_JUSTIFIED_SHARE * len(long) else None


def _quantile(ends: list[int]) -> int:
    return ends[int(_EDGE_QUANTILE * len(ends))]


def _is_prose(line: TextLine, edge: int) -> bool:
    n_words = len(WORD.findall(line.text))
    is_long = line.indent + len(line.text) >= _MIN_PROSE_WIDTH * edge
    return n_words >= _MIN_PROSE_WORDS and (is_long or ends_sentence(line.text))


def mark_outdented(
    lines: list[TextLine], groups: list[LineGroup], first_line: int
) -> list[LineGroup]:
    """Split off and mark headings to the left of the text, from the first line on.

    The text of a manual page begins in column 7, and its headings in columns 0 and 3.
    """
    found = [outdent for outdent in _outdents(lines, groups) if outdent.first >= first_line]
    found = _without_options(lines, found)
    text_column = _text_column(found)
    stops = {o.first: o.stop for o in found if o.stop and o.column < text_column}
    titles = {lines[first].text for first in stops}
    if len(stops) < _MIN_HEADINGS or len(titles) < _MIN_DISTINCT_SHARE * len(stops):
        return groups
    marked: list[LineGroup] = []
    for group in groups:
        while group.is_free and group.first < group.stop and group.first in stops:
            stop = stops[group.first]
            heading = LineGroup(group.first, stop, "heading", is_certain=False)
            heading.title = joined_text(lines, heading)
            heading.style = f"{COLUMN} {lines[group.first].indent}"
            marked.append(heading)
            group = LineGroup(stop, group.stop)  # noqa: PLW2901  (what is left of it)
        if group.first < group.stop:
            marked.append(group)
    return marked


def _without_options(lines: list[TextLine], found: list[_Outdent]) -> list[_Outdent]:
    """Make those that begin with a sign text, unless most in their column are headings without.

    A list of options has them all over; a manual may have a section on one.
    """
    n_headings = Counter(o.column for o in found if o.stop)
    odd = {o.first for o in found if o.stop and lines[o.first].text[0] in NEVER_FIRST}
    n_odd = Counter(o.column for o in found if o.first in odd)
    return [
        o._replace(stop=None)
        if o.first in odd and 2 * n_odd[o.column] > n_headings[o.column]
        else o
        for o in found
    ]


def _outdents(lines: list[TextLine], groups: list[LineGroup]) -> Iterator[_Outdent]:
    """Yield each paragraph, and where it ends if it may be a heading; also known headings."""
    edge = _right_edge(lines, groups)
    for at, group in enumerate(groups):
        below = lines[groups[at + 1].first].indent if at + 1 < len(groups) else 0
        first, stop = group.first, group.stop
        if group.kind == "heading":
            yield _Outdent(lines[first].indent, first, stop)
        text = lines[first].text
        if not group.is_free or _WIDE_GAP.search(text) or _NUMBERED.match(text):
            continue
        while first < group.stop:
            heading_stop = _heading_stop(lines, first, stop, below, edge)
            yield _Outdent(lines[first].indent, first, heading_stop)
            first = stop if heading_stop is None else heading_stop


def _heading_stop(lines: list[TextLine], first: int, end: int, below: int, edge: int) -> int | None:
    """Return the line after a heading that is to the left of what follows it; None if it is not."""
    column = lines[first].indent
    stop = first + 1
    while stop < end and lines[stop].indent == column:
        stop += 1
    if (lines[stop].indent if stop < end else below) < column + _MIN_STEP:
        return None
    # A heading may go on where the text begins.
    while stop < end and _goes_on(lines[stop - 1], lines[stop], edge):
        stop += 1
    title = lines[first:stop]
    text = title[0].text
    is_short = len(title) <= _MAX_HEADING_LINES and title[-1].end - title[0].start <= _MAX_HEADING
    if not is_short or ITEM.match(text):
        return None
    marks = "?!:" if len(title) == 1 else "?!"  # a colon after several lines announces a list
    last = title[-1].text
    ends = ends_sentence(last) and last.rstrip(CLOSING)[-1:] not in marks
    return None if ends or not any(map(str.isalpha, text)) else stop


def _goes_on(line: TextLine, below: TextLine, edge: int) -> bool:
    is_wide = line.indent + len(line.text) >= edge / 2  # a path may fit nowhere
    return is_wide and _is_full(line, below, edge) and not ends_sentence(line.text)


def _is_full(line: TextLine, below: TextLine, edge: int) -> bool:
    """Whether a line has no room for the first word of the next one."""
    word = below.text.split(maxsplit=1)[0]
    return line.indent + len(line.text) + 1 + len(word) > edge


def _text_column(found: list[_Outdent]) -> int:
    """Return the leftmost column in which more than a few paragraphs begin that are not headings.

    A paragraph that has nothing further right under it is not a heading.
    """
    n_groups = Counter(outdent.column for outdent in found)
    n_body = Counter(outdent.column for outdent in found if outdent.stop is None)
    columns = (c for c, n in n_groups.items() if n_body[c] > max(_MAX_BODY, _MAX_BODY_SHARE * n))
    return min(columns, default=0)

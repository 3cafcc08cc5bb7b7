"""What the author of a plain text built: the blocks, and the marks that are no prose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.text.structure.headings import (
    join_titles,
    mark_listed,
    mark_numbered,
    mark_weak,
    split_under_numbers,
)
from docbats.text.structure.layout import mark_layout
from docbats.text.structure.levels import set_levels
from docbats.text.structure.lines import scan_lines
from docbats.text.structure.lists import mark_lists
from docbats.text.structure.sources import (
    Contents,
    find_contents,
    mark_contents_title,
    mark_sources,
)
from docbats.text.structure.speakers import continue_turns, mark_speakers
from docbats.text.structure.underlined import mark_underlined
from docbats.text.structure.units import Unit, is_double_spaced, join_runs, split_units
from docbats.text.structure.wiki_headings import mark_wiki_headings

if TYPE_CHECKING:
    from docbats.text.languages.language import Language
    from docbats.text.structure.lines import Line

__all__ = ["PlainStructure", "find_structure"]

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

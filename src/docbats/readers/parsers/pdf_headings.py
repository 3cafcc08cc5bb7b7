"""Headings of a PDF that only their letters show, and what stands under some headings."""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import median_low
from typing import TYPE_CHECKING

from docbats.readers.parsers.heading_number import is_bare_number, split_number
from docbats.readers.parsers.pdf_style import ends_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.readers.parsers.pdf_groups import Group
    from docbats.readers.parsers.pdf_style import Style

    Font = tuple[float, bool]  # size and weight of a heading's letters; larger is higher

__all__ = ["find_headings", "heading_text", "join_inline_code", "mark_references"]

_MIN_LARGER = 1.08  # sizes of the text's letters that make a heading
_MAX_LENGTH = 150
_MAX_LINES = 3
_MAX_LEVEL = 6
_NO_HEADING_END = (".", ",", ";", "-", "…")
_CAPTION = re.compile(r"(?:fig(?:ure|\.)|table|tab\.|abb(?:ildung|\.)|listing)\s*\d", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7af]")
_REFERENCES = re.compile(
    r"(?:references|bibliography|works cited|literature cited|literatur(?:verzeichnis)?|"
    r"quellen(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|referências|"
    r"bibliografia|riferimenti|literatuur|literatura|литература)[.:]?",
    re.IGNORECASE,
)


def find_headings(groups: Sequence[Group], style: Style) -> list[Group]:
    """Return the groups with those that look like headings marked as such, with their levels."""
    found = [group for group in groups if _looks_like_heading(group, style)]
    levels = _levels([group for group in groups if group.kind == "heading"], found)
    for group in found:
        group.kind, group.is_certain = "heading", False
        group.level = levels[_font(group)]
    return _join_numbers(groups)


def _looks_like_heading(group: Group, style: Style) -> bool:
    if group.kind not in {"paragraph", "list_item"}:
        return False
    lines = group.lines
    first = lines[0]
    is_larger = first.size > _MIN_LARGER * style.size
    is_bolder = first.is_bold and not style.is_bold and first.size > style.size / _MIN_LARGER
    if not (is_larger or is_bolder) or len(lines) > _MAX_LINES:
        return False
    text = heading_text(group)
    number, title = split_number(text)
    if group.kind == "list_item" and number is None:
        return False
    return (
        len(text) <= _MAX_LENGTH
        and _LETTERS.search(text) is not None
        and not title.endswith(_NO_HEADING_END)
        and (is_larger or not text.endswith(":"))
        and all(line.is_bold == first.is_bold for line in lines)
        and not _CAPTION.match(text)
    )


def heading_text(group: Group) -> str:
    """Return the lines of a heading as one."""
    return " ".join(line.text for line in group.lines)


def _font(group: Group) -> Font:
    first = group.lines[0]
    return round(2 * first.size) / 2, first.is_bold


def _levels(certain: Sequence[Group], found: Sequence[Group]) -> dict[Font, int]:
    """Return the level of each font: that of the bookmarks in it, or by its size."""
    fonts = sorted({_font(group) for group in found}, reverse=True)
    if not certain:
        return {font: min(i + 1, _MAX_LEVEL) for i, font in enumerate(fonts)}
    known: dict[Font, list[int]] = defaultdict(list)
    for group in certain:
        known[_font(group)].append(group.level or 1)
    usual = {font: median_low(levels) for font, levels in known.items()}
    levels: dict[Font, int] = {}
    for font in fonts:
        larger = [level for other, level in {**usual, **levels}.items() if other > font]
        levels[font] = usual.get(font) or min(max(larger, default=0) + 1, _MAX_LEVEL)
    return levels


def _join_numbers(groups: Sequence[Group]) -> list[Group]:
    """Join a heading that is only a number, such as "Chapter 2", with the title after it."""
    joined: list[Group] = []
    for group in groups:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == group.kind == "heading"
            and _is_bare_number(heading_text(last))
            and split_number(group.lines[0].text)[0] is None
        ):
            last.lines += group.lines
            last.pages += group.pages
            if group.is_certain:
                last.is_certain, last.level = True, group.level
            elif not last.is_certain:
                last.level = min(last.level or 1, group.level or 1)
        else:
            joined.append(group)
    return joined


def _is_bare_number(text: str) -> bool:
    return is_bare_number(text) or not split_number(text)[1]


def join_inline_code(groups: Sequence[Group]) -> list[Group]:
    """Join a single line of code with the sentence before and after it."""
    joined: list[Group] = []
    for i, group in enumerate(groups):
        last = joined[-1] if joined else None
        if last is not None and last.kind in {"paragraph", "list_item"}:
            after = groups[i + 1] if i + 1 < len(groups) else None
            is_inline = (
                group.kind == "code"
                and len(group.lines) == 1
                and after is not None
                and after.kind == "paragraph"
                and after.lines[0].text[0].islower()
                and not ends_sentence(last.lines[-1].text)
            )
            goes_on = (
                group.kind == "paragraph"
                and last.lines[-1].is_mono
                and groups[i - 1].kind == "code"
                and group.lines[0].text[0].islower()
            )
            if is_inline or goes_on:
                last.lines += group.lines
                last.pages += group.pages
                continue
        joined.append(group)
    return joined


def mark_references(groups: Sequence[Group]) -> None:
    """Mark what stands under a heading such as "References"."""
    level: int | None = None
    for group in groups:
        if group.kind == "heading":
            if level is None or (group.level or 1) <= level:
                title = split_number(heading_text(group))[1]
                level = (group.level or 1) if _REFERENCES.fullmatch(title.strip()) else None
        elif level is not None and group.kind in {"paragraph", "list_item"}:
            group.kind, group.level = "references", None

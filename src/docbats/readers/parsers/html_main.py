"""The main part of a page: without menus, headers, footers and whatever else is of the site."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.readers.parsers.html_walk import HtmlBlock, HtmlPage

__all__ = ["find_main"]

_MIN_LENGTH = 200  # characters of prose; with less, too much was taken for a part of the site
_MOST = 0.5  # of the text of a page; an element that holds more is no part of the site
# Of the text; an element that holds as much is the main part. If larger, more of the site is left.
_MAIN_SHARE = 0.8
_MIN_ARTICLE_SHARE = 0.25  # of the longest one; a shorter article only leads to another page
_MAX_LINKED_SHARE = 0.1  # of the text; a shorter article with fewer links is a part of the page
_MIN_BLOCK = 40  # characters; what is shorter says little of where the text is
_PROSE = {"heading", "paragraph", "list_item", "quote"}


def find_main(page: HtmlPage) -> list[HtmlBlock]:
    """Return the blocks of the main part; all of them if next to nothing would be left."""
    sizes = _sizes(page)
    in_site = _site_elements(page, sizes)
    shown = [block for block in page.blocks if not in_site[block.element] and not block.is_menu]
    inside = _main_elements(page, _sizes(page, shown), _linked(page, shown))
    found = _with_title(shown, [block for block in shown if inside[block.element]])
    if _prose_length(found) < _MIN_LENGTH:
        found = shown
    if _prose_length(found) < _MIN_LENGTH:
        every = [_as_prose(block) for block in page.blocks]
        if _prose_length(every) > 2 * _prose_length(found):
            return every
    return found


def _as_prose(block: HtmlBlock) -> HtmlBlock:
    """Take code, tables and contents for text, where a page has nothing else."""
    kind = block.kind if block.kind in _PROSE else "paragraph"
    return replace(block, kind=kind, is_prose=True)


def _prose_length(blocks: list[HtmlBlock]) -> int:
    return sum(len(block.text) for block in blocks if block.is_prose and block.kind in _PROSE)


def _sizes(page: HtmlPage, blocks: list[HtmlBlock] | None = None) -> list[int]:
    """Return how many characters of text, not in links, each element holds."""
    sizes = [0] * len(page.elements)
    for block in page.blocks if blocks is None else blocks:
        if len(block.text) >= _MIN_BLOCK and block.kind != "contents":
            sizes[block.element] += max(0, len(block.text) - block.linked)
    return _summed(page, sizes)


def _linked(page: HtmlPage, blocks: list[HtmlBlock]) -> list[int]:
    """Return how many characters in links each element holds."""
    linked = [0] * len(page.elements)
    for block in blocks:
        linked[block.element] += block.linked
    return _summed(page, linked)


def _summed(page: HtmlPage, counts: list[int]) -> list[int]:
    """Add to each element what is counted for those in it."""
    for i in range(len(counts) - 1, 0, -1):  # an element comes after the one that it lies in
        counts[page.elements[i].parent] += counts[i]
    return counts


def _site_elements(page: HtmlPage, sizes: list[int]) -> list[bool]:
    """Whether each element is in a part of the site; only comments may hold most of the text."""
    in_site = [False] * len(page.elements)
    for i, element in enumerate(page.elements):
        is_site = "site" in element.marks and (
            sizes[i] <= _MOST * sizes[0] or "comments" in element.marks
        )
        in_site[i] = is_site or in_site[element.parent]
    return in_site


def _main_elements(page: HtmlPage, sizes: list[int], linked: list[int]) -> list[bool]:
    """Whether each element is in the main part, which is marked, or else holds most of the text."""
    elements = page.elements
    longest = max((sizes[i] for i, e in enumerate(elements) if "main" in e.marks), default=0)
    inside = [False] * len(elements)
    if longest >= _MIN_LENGTH:
        for i, element in enumerate(elements):
            is_main = "main" in element.marks and (
                sizes[i] >= _MIN_ARTICLE_SHARE * longest or linked[i] < _MAX_LINKED_SHARE * sizes[i]
            )
            inside[i] = is_main or inside[element.parent]
        return inside
    main = 0
    for i, element in enumerate(elements[1:], start=1):
        if element.parent == main and sizes[i] >= _MAIN_SHARE * sizes[0]:
            main = i
    inside[main] = True
    for i, element in enumerate(elements[1:], start=1):
        inside[i] = inside[i] or inside[element.parent]
    return inside


def _with_title(shown: list[HtmlBlock], found: list[HtmlBlock]) -> list[HtmlBlock]:
    """Add the title before the main part, and the text between, unless the part has a title."""
    if not found or any(block.kind == "heading" and block.level == 1 for block in found):
        return found
    before = shown[: shown.index(found[0])]
    titles = [i for i, block in enumerate(before) if block.kind == "heading" and block.level == 1]
    if not titles:
        return found
    return [
        *(
            block
            for block in before[titles[-1] :]
            if block.kind == "heading"
            or (len(block.text) >= _MIN_BLOCK and block.linked < _MOST * len(block.text))
        ),
        *found,
    ]

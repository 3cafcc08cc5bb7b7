"""The main text of a page as trafilatura finds it, in the blocks of our own walk."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.readers.parsers.html_walk import HtmlBlock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.parsers.html_walk import HtmlPage

__all__ = ["choose_blocks", "extract_main"]

# Characters and elements of a page; for more, trafilatura may need minutes, and a page of that size
# is a book rather than an article.
_MAX_PAGE, _MAX_ELEMENTS = 2_000_000, 20_000
_MIN_MAIN = 250  # characters; for less, trafilatura takes whatever there is
_GRAM = 4  # words that must follow each other in both texts
_MIN_COVERED = 0.5  # of the words of a block, to be part of the main text
_MIN_FOUND = 0.8  # of the main text; if less of it is in our blocks, they are made of its lines
# Of a page's text; where our walk keeps as much, and few of it are links, there is nothing to leave
# out but text. If smaller, more of the sites of newspapers is read.
_PLAIN_SHARE, _MAX_PLAIN_LINKED = 0.93, 0.2
_MAX_LEVEL = 6
_STRUCTURE = {"list_item", "code", "table", "references"}
_MAX_LINKED_SHARE = 0.5  # of a list or a table; with more it is a menu
_MAX_PLACES = 20  # of the same words in the main text
_MAX_SEARCH = 1000  # words between two blocks that are looked at for a short one
_WORD = re.compile(r"\w+")


def extract_main(page: HtmlPage, text: str) -> str | None:
    """Return the main text of a page; None if trafilatura is not installed, or finds none."""
    if len(text) > _MAX_PAGE or len(page.elements) > _MAX_ELEMENTS:
        return None
    try:
        from trafilatura import extract
    except ImportError:
        return None
    try:
        found = extract(text, include_comments=False)
    except Exception:  # whatever it makes of a broken page, our walk can read it
        return None
    return found or None


def choose_blocks(page: HtmlPage, own: list[HtmlBlock], main: str) -> list[HtmlBlock]:
    """Return the blocks of a page that are in its main text, or the lines of that text.

    Blocks are what our walk has found, so that lists, code and the levels of headings stay. It
    knows better where a page is hardly more than a text, since trafilatura leaves out much of
    manuals; and between the blocks of the main text, what trafilatura leaves out is structure:
    headings, lists, code and tables. What is not among the blocks, as the text that a page holds
    for search engines, is read line by line.
    """
    if own and len(main) < _MIN_MAIN:
        return own
    if not set(map(id, own)) <= set(map(id, page.blocks)):  # all of it, taken for prose
        page = replace(page, blocks=own)
    found = _match(page.blocks, main)
    if _is_plain(page, own) and (found is None or _spans_most(page, own, found)):
        return own if found is None else _without_outer_menus(page, own, found)
    if found is None:
        return [HtmlBlock(line) for line in main.splitlines() if line.strip()]
    ours = set(map(id, own))
    chosen = set(found)
    for i in range(found[0], found[-1]):
        block = page.blocks[i]
        if id(block) in ours and block.kind in _STRUCTURE:
            is_menu = block.linked > _MAX_LINKED_SHARE * len(block.text)
            chosen |= set() if is_menu else {i}
    chosen.update(_headings(page.blocks, chosen, ours, found[0]))
    return [page.blocks[i] for i in sorted(chosen)]


def _without_outer_menus(page: HtmlPage, own: list[HtmlBlock], found: list[int]) -> list[HtmlBlock]:
    """Leave out the lists of links before and after the main text."""
    inner = {id(block) for block in page.blocks[found[0] : found[-1] + 1]}
    return [block for block in own if block.kind != "contents" or id(block) in inner]


def _is_plain(page: HtmlPage, own: list[HtmlBlock]) -> bool:
    """Whether a page is hardly more than its text, with few links."""
    length = sum(len(block.text) for block in page.blocks)
    linked = sum(block.linked for block in page.blocks)
    own_length = sum(len(block.text) for block in own)
    return own_length >= _PLAIN_SHARE * length and linked <= _MAX_PLAIN_LINKED * length


def _spans_most(page: HtmlPage, own: list[HtmlBlock], found: list[int]) -> bool:
    """Whether most of our text is between the first and the last block of the main text.

    If not, the page holds several texts, and the main text is one of them.
    """
    inner = {id(block) for block in page.blocks[found[0] : found[-1] + 1]}
    length = sum(len(block.text) for block in own if id(block) in inner)
    return length > 0.5 * sum(len(block.text) for block in own)


def _headings(
    blocks: list[HtmlBlock], chosen: set[int], ours: set[int], first: int
) -> Iterator[int]:
    """Yield the headings over blocks that are chosen; before the first, only the title."""
    has_text = [False] * (_MAX_LEVEL + 1)  # whether text follows before a heading of this level
    for i in range(max(chosen), -1, -1):
        block = blocks[i]
        if block.kind != "heading":
            has_text = [True] * len(has_text) if i in chosen else has_text
            continue
        level = min(block.level or 1, _MAX_LEVEL)
        if i not in chosen and id(block) in ours and has_text[level] and (i > first or level == 1):
            yield i
        has_text[level:] = [False] * len(has_text[level:])


def _match(blocks: list[HtmlBlock], main: str) -> list[int] | None:
    """Return which blocks are in a text; None if most of the text is in none of them."""
    text = _MainText(_words(main))
    words = [_words(block.text) for block in blocks]
    found = [text.take(own) if len(own) >= _GRAM else None for own in words]
    low = 0
    for i, next_at in enumerate(_following(found, len(text.words))):
        at = found[i]
        if at is None and 0 < len(words[i]) < _GRAM:  # a few words are many times on a page
            at = found[i] = text.take_between(words[i], low, next_at)
        low = low if at is None else max(low, at)
    if text.n_taken < _MIN_FOUND * len(text.words):
        return None
    return [i for i, at in enumerate(found) if at is not None] or None


class _MainText:
    """The words of the main text; each is taken by one block."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.n_taken = 0
        self._is_taken = bytearray(len(words))
        self._places: dict[tuple[str, ...], list[int]] = {}
        for i in range(len(words) - _GRAM + 1):
            self._places.setdefault(tuple(words[i : i + _GRAM]), []).append(i)

    def take(self, words: list[str]) -> int | None:
        """Take the words of a block, if most of them are there; return where they begin."""
        covered = bytearray(len(words))
        places: set[int] = set()
        next_at = -1  # where the text goes on as the block does
        for i in range(len(words) - _GRAM + 1):
            gram = tuple(words[i : i + _GRAM])
            at = self._free_place(gram, next_at)
            next_at = -1 if at is None else at + 1
            if at is not None:
                covered[i : i + _GRAM] = b"\1" * _GRAM
                places.update(range(at, at + _GRAM))
        if sum(covered) < _MIN_COVERED * len(words):
            return None
        for at in places:
            self._is_taken[at] = 1
        self.n_taken += len(places)
        return min(places)

    def _free_place(self, gram: tuple[str, ...], wanted: int) -> int | None:
        """Return where some words stand that are not taken; at the place wanted if they do."""
        places = self._places.get(gram, ())
        if wanted >= 0 and tuple(self.words[wanted : wanted + _GRAM]) == gram:
            places = [wanted, *places[:_MAX_PLACES]]
        for at in places[:_MAX_PLACES]:
            if not any(self._is_taken[at : at + _GRAM]):
                return at
        return None

    def take_between(self, words: list[str], low: int, high: int) -> int | None:
        """Take a few words that stand together between two places."""
        for at in range(low, min(high, low + _MAX_SEARCH) - len(words) + 1):
            end = at + len(words)
            if self.words[at:end] == words and not any(self._is_taken[at:end]):
                self._is_taken[at:end] = b"\1" * len(words)
                self.n_taken += len(words)
                return at
        return None


def _following(found: list[int | None], end: int) -> list[int]:
    """Return for each block where the next one begins that was found."""
    following = [end] * len(found)
    for i in range(len(found) - 2, -1, -1):
        at = found[i + 1]
        following[i] = following[i + 1] if at is None else at
    return following


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())

"""The main text of an HTML page: without menus, headers, footers and the rest of the site."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.html import HtmlBlock, walk_page
from docbats.readers.text_builder import TextBuilder
from docbats.text.headings import parse_number
from docbats.text.markup import compose, has_accent_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from docbats.readers.content import FileContent, FileText
    from docbats.readers.html import HtmlPage
    from docbats.text.headings import HeadingNumber

_MIN_LENGTH = 200  # characters of prose; with less, too much was mistaken for the site
_MAX_SITE_SHARE = 0.5  # of the text of a page; an element that holds more is not part of the site
# Of the text; an element that holds this much is the main part. If larger, more of the site stays.
_MAIN_SHARE = 0.8
_MIN_ARTICLE_SHARE = 0.25  # of the longest one; a shorter article is a teaser for another page
_MAX_TEASER_LINKED = 0.1  # of its text; a short article with fewer links is part of the page
_MIN_BLOCK = 40  # characters; shorter blocks say little about where the text is
_PROSE = {"heading", "paragraph", "list_item", "quote"}
_MIN_ASIDE = 80  # characters of prose; a box in the text with less may lead elsewhere
_MAX_ASIDE_LINKED = 0.3  # of its prose; one with more links does
# What holds text, but is never the main part of a page by itself.
_RUNS = frozenset({
    "blockquote", "dd", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "li", "ol", "p",
    "pre", "ul",
})  # fmt: skip
# Characters and elements of a page. For more, trafilatura may need minutes, and such a page is a
# book rather than an article.
_MAX_PAGE, _MAX_ELEMENTS = 2_000_000, 20_000
_MAX_DEPTH = 200  # elements inside each other; lxml, which trafilatura uses, leaves out deeper ones
# Consecutive paragraphs of less than 70 characters, and attributes of a tag: trafilatura compares
# each with all others.
_MAX_SHORT_RUN, _SHORT = 3000, 70
_MANY_ATTRIBUTES = re.compile(
    r"<[a-zA-Z][^\s<>]{0,200}+(?>(?:[\s\"'/=]|<(?![a-zA-Z]))*+[^\s\"'<>/=]++"
    r"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s<>]++))?+){500}"
)
_MIN_MAIN = 250  # characters; below that, trafilatura returns whatever there is
_GRAM = 4  # consecutive words that both texts must have
_MIN_COVERED = 0.5  # of the words of a block in the main text
_MIN_FOUND = 0.8  # of the main text; if our blocks hold less, its lines become the blocks
# Of a page's text without its table of contents: where our walk keeps this much, and at most this
# share is in links outside tables, there is no site to leave out. If the first is smaller, more of
# the sites of newspapers is read.
_PLAIN_SHARE, _MAX_PLAIN_LINKED = 0.93, 0.2
# Of our text: if trafilatura's is in less, the page holds many texts, of which it chose one. If
# larger, one post of a forum may be read instead of all.
_MIN_INNER = 0.2
# Of the prose of a page; where more is left out, a note says so. If smaller, the pages of most
# newspapers get one.
_MIN_LEFT_OUT = 0.4
_MAX_LEVEL = 6
_STRUCTURE = {"list_item", "code", "table", "references"}
_MAX_LIST_LINKED = 0.5  # of a list or a table; with more it is a menu
_MAX_PLACES = 20  # occurrences of the same words that are tried
_MAX_SEARCH = 1000  # words between two blocks that are searched for a short one
_WORD = re.compile(r"\w+")


def read_html(content: FileContent) -> FileText:
    """Read the main text of a page."""
    built = TextBuilder()
    main = _read_main(content.text)
    add_blocks(main.blocks, built)
    read = built.file_text(
        "a page without text: if scripts make its text, save it from a browser first"
    )
    if main.left_out < _MIN_LEFT_OUT:
        return read
    share = f"{100 * main.left_out:.0f} %"
    return replace(read, remarks=(f"a page of which {share} was left out as not its main text",))


def add_blocks(blocks: Iterable[HtmlBlock], built: TextBuilder) -> None:
    """Add the blocks of a page to a text."""
    for block in blocks:
        built.add(block.text, block.kind, block.level, block.number, is_prose=block.is_prose)


def html_blocks(text: str, *, whole: bool = False) -> list[HtmlBlock]:
    """Return the blocks of the main text; with `whole`, those of the whole page."""
    if whole:
        return walk_page(text, is_xml=True, is_book=True).blocks
    return _read_main(text).blocks


class _Main(NamedTuple):
    """The main text of a page, and the share of the page's prose outside links left out."""

    blocks: list[HtmlBlock]
    left_out: float


def _read_main(text: str) -> _Main:
    text = compose(text)
    page = walk_page(text, is_xml=text[:100].lstrip().startswith("<?xml"))
    blocks = find_main(page)
    main = None if has_accent_run(text) else extract_main(page, text)
    if main is not None:
        blocks = choose_blocks(page, blocks, main)
    length, kept = (sum(map(_unlinked, part)) for part in (page.blocks, blocks))
    return _Main(_nest_by_numbers(blocks), max(0.0, 1 - kept / length) if length else 0.0)


def _nest_by_numbers(blocks: list[HtmlBlock]) -> list[HtmlBlock]:
    """Lower sections that have the tags of their chapters, where their numbers tell them apart.

    Some programs write both "3. Bats" and "3.1. Wings" as `h2`. Headings with lower tags follow.
    """
    numbers: dict[int, dict[int, HeadingNumber]] = {}  # by level, then by place
    for i, block in enumerate(blocks):
        if block.kind == "heading" and (number := parse_number(block.text)) is not None:
            numbers.setdefault(block.level or 1, {})[i] = number
    lowered = dict.fromkeys(range(len(blocks)), 0)
    for level, alike in numbers.items():
        nested = _nested(alike)
        for i, block in enumerate(blocks):
            is_below = nested and block.kind == "heading" and (block.level or 1) > level
            lowered[i] += 1 if i in nested or is_below else 0
    return [
        replace(block, level=(block.level or 1) + lowered[i]) if lowered[i] else block
        for i, block in enumerate(blocks)
    ]


def _nested(alike: dict[int, HeadingNumber]) -> set[int]:
    """Return the places of numbers that are one level below the others, all after theirs."""
    highest = min(number.depth for number in alike.values())
    nested: set[int] = set()
    chapter: tuple[int, ...] = ()
    for i, number in alike.items():
        if number.depth == highest:
            chapter = number.values
        elif number.depth == highest + 1 and number.values[:-1] == chapter:
            nested.add(i)
        else:
            return set()
    return nested


def find_main(page: HtmlPage) -> list[HtmlBlock]:
    """Return the blocks of the main part, or all of them if next to nothing would be left."""
    in_site = _site_elements(page)
    shown = [block for block in page.blocks if not in_site[block.element]]
    shown = [block for block in _without_menu_titles(shown) if not block.is_menu]
    linked = _sum_up(page, shown, lambda block: block.linked)
    inside = _main_elements(page, shown, _sum_up(page, shown, _unlinked), linked)
    found = _with_title(shown, [block for block in shown if inside[block.element]])
    found = _with_one_title(found)
    if _prose_length(found) < _MIN_LENGTH:
        found = shown
    if _prose_length(found) < _MIN_LENGTH:
        # The page may have nothing but code, tables and contents: they are its prose.
        every = [
            replace(block, kind=block.kind if block.kind in _PROSE else "paragraph", is_prose=True)
            for block in page.blocks
        ]
        if _prose_length(every) > 2 * _prose_length(found):
            return every
    return found


def _without_menu_titles(blocks: list[HtmlBlock]) -> Iterator[HtmlBlock]:
    """Yield the blocks without the headings over nothing but menus, such as "Recent posts"."""
    kept: list[HtmlBlock] = []
    has_menu = has_text = False  # before the next heading
    next_level = 0
    for block in reversed(blocks):
        if block.kind != "heading":
            has_menu, has_text = has_menu or block.is_menu, has_text or not block.is_menu
        else:
            level = block.level or 1
            is_title = has_menu and not has_text and level >= next_level
            has_menu, has_text, next_level = False, False, level
            if is_title:
                continue
        kept.append(block)
    return reversed(kept)


def _with_one_title(blocks: list[HtmlBlock]) -> list[HtmlBlock]:
    """Remove the second of two titles of which one is repeated, as at the top of many manuals."""
    titles = [block for block in blocks[:2] if block.kind == "heading"]
    if len(titles) < 2 or titles[0].level != titles[1].level:
        return blocks
    is_repeated = titles[0].text.casefold().startswith(titles[1].text.casefold())
    return [blocks[0], *blocks[2:]] if is_repeated else blocks


def _prose_length(blocks: list[HtmlBlock]) -> int:
    return _length(block for block in blocks if block.is_prose and block.kind in _PROSE)


def _length(blocks: Iterable[HtmlBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _unlinked(block: HtmlBlock) -> int:
    """Return the number of characters outside links; 0 for blocks that say little."""
    is_telling = len(block.text) >= _MIN_BLOCK and block.kind != "contents"
    return max(0, len(block.text) - block.linked) if is_telling else 0


def _sum_up(page: HtmlPage, blocks: list[HtmlBlock], size: Callable[[HtmlBlock], int]) -> list[int]:
    """Return the size of each element: of its blocks and of the elements inside it."""
    counts = [0] * len(page.elements)
    for block in blocks:
        counts[block.element] += size(block)
    for i in range(len(counts) - 1, 0, -1):  # elements come after the ones around them
        counts[page.elements[i].parent] += counts[i]
    return counts


def _site_elements(page: HtmlPage) -> list[bool]:
    """Whether each element belongs to the site; only comments may hold most of the text.

    A box in the text belongs to the text if it is prose.
    """
    sizes = _sum_up(page, page.blocks, _unlinked)
    linked = _sum_up(page, page.blocks, lambda block: block.linked)
    prose = [block for block in page.blocks if block.kind in _PROSE - {"heading"}]
    prose_sizes = _sum_up(page, prose, _unlinked)
    in_site = [False] * len(page.elements)
    in_box = [False] * len(page.elements)
    for i, element in enumerate(page.elements):
        is_site = "site" in element.marks and (
            sizes[i] <= _MAX_SITE_SHARE * sizes[0] or "comments" in element.marks
        )
        if "aside" in element.marks and not in_box[element.parent]:
            is_prose = linked[i] <= _MAX_ASIDE_LINKED * prose_sizes[i]
            in_box[i] = is_prose and prose_sizes[i] >= _MIN_ASIDE
        in_box[i] |= in_box[element.parent]
        is_site &= not ("aside" in element.marks and in_box[i])
        in_site[i] = is_site or in_site[element.parent]
    return in_site


def _main_elements(
    page: HtmlPage, shown: list[HtmlBlock], sizes: list[int], linked: list[int]
) -> list[bool]:
    """Whether each element is in the main part: the marked one, or the one with most text."""
    elements = page.elements
    longest = max((sizes[i] for i, e in enumerate(elements) if "main" in e.marks), default=0)
    inside = [False] * len(elements)
    if longest >= _MIN_LENGTH:
        for i, element in enumerate(elements):
            is_main = "main" in element.marks and (
                sizes[i] >= _MIN_ARTICLE_SHARE * longest
                or linked[i] < _MAX_TEASER_LINKED * sizes[i]
            )
            inside[i] = is_main or inside[element.parent]
        return inside
    main = 0
    stops = _text_holders(page, shown, sizes)
    for i, element in enumerate(elements[1:], start=1):
        is_largest = element.parent == main and sizes[i] >= _MAIN_SHARE * sizes[0]
        if is_largest and main not in stops and element.name not in _RUNS:
            main = i
    inside[main] = True
    for i, element in enumerate(elements[1:], start=1):
        inside[i] = inside[i] or inside[element.parent]
    return inside


def _text_holders(page: HtmlPage, shown: list[HtmlBlock], sizes: list[int]) -> set[int]:
    """Return the sections, and the elements that hold headings, paragraphs or several sections.

    What is around one of their parts is text as well, rather than a site.
    """
    n_blocks = Counter(block.element for block in page.blocks)
    around = [0] * len(page.elements)  # the innermost element that may be a part of a page
    for i, element in enumerate(page.elements):
        is_paragraph = element.name in _RUNS or (element.name == "div" and n_blocks[i] == 1)
        around[i] = around[element.parent] if is_paragraph else i
    holders = {
        around[block.element]
        for block in shown
        if block.kind in _PROSE - {"heading"} and 2 * block.linked < _unlinked(block)
    }
    sections = [i for i, element in enumerate(page.elements) if "section" in element.marks]
    n_inside = Counter(page.elements[i].parent for i in sections if sizes[i])
    return holders.union(sections, (holder for holder, n in n_inside.items() if n > 1))


def _with_title(shown: list[HtmlBlock], found: list[HtmlBlock]) -> list[HtmlBlock]:
    """Add the title before the main part and the text after it, if the part has no title."""
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
            or (len(block.text) >= _MIN_BLOCK and block.linked < 0.5 * len(block.text))
        ),
        *found,
    ]


def extract_main(page: HtmlPage, text: str) -> str | None:
    """Return the main text of a page; None if trafilatura is not installed, or finds none."""
    is_large = len(text) > _MAX_PAGE or len(page.elements) > _MAX_ELEMENTS
    if is_large or page.depth > _MAX_DEPTH or _short_run(page) > _MAX_SHORT_RUN:
        return None
    if _MANY_ATTRIBUTES.search(text):
        return None
    try:
        from trafilatura import extract
    except ImportError:
        return None
    try:
        found = extract(text, include_comments=False)
    except Exception:  # our walk reads even the pages that it fails on
        return None
    return found or None


def _short_run(page: HtmlPage) -> int:
    """Return the most short blocks of a page after each other."""
    runs = groupby(page.blocks, lambda block: len(block.text) < _SHORT)
    return max((sum(1 for _ in run) for is_short, run in runs if is_short), default=0)


def choose_blocks(page: HtmlPage, own: list[HtmlBlock], main: str) -> list[HtmlBlock]:
    """Return the blocks of a page that are in its main text, or the lines of that text.

    Our walk finds the blocks, so lists, code and the levels of headings stay. It also decides alone
    where a page is hardly more than its text, since trafilatura drops much of manuals. Between the
    blocks of the main text, headings, lists, code and tables stay that trafilatura drops. Main text
    outside our blocks, such as a copy for search engines, is read line by line.
    """
    if own and len(main) < _MIN_MAIN:
        return own
    if not set(map(id, own)) <= set(map(id, page.blocks)):  # all of the page, as prose
        page = replace(page, blocks=own)
    found = _match(page.blocks, main)
    is_plain = _is_plain(page.blocks, own)
    if found is None:
        lines = (line for line in main.splitlines() if line.strip())
        return own if is_plain and _length(own) > len(main) else list(map(HtmlBlock, lines))
    inner = {id(block) for block in page.blocks[found[0] : found[-1] + 1]}
    n_inner = _length(block for block in own if id(block) in inner)
    if is_plain and n_inner > _MIN_INNER * _length(own):
        return [block for block in own if block.kind != "contents" or id(block) in inner]
    ours = set(map(id, own))
    chosen = set(found)
    for i in range(found[0], found[-1]):
        block = page.blocks[i]
        if id(block) in ours and block.kind in _STRUCTURE:
            is_menu = block.linked > _MAX_LIST_LINKED * len(block.text)
            chosen |= set() if is_menu else {i}
    chosen.update(_headings(page.blocks, chosen, ours, found[0]))
    return [page.blocks[i] for i in sorted(chosen)]


def _is_plain(blocks: list[HtmlBlock], own: list[HtmlBlock]) -> bool:
    """Whether a page is hardly more than the text that our walk keeps."""
    text, own_text = (
        [block for block in part if not (block.kind == "contents" and block.linked_here)]
        for part in (blocks, own)
    )
    length, own_length = _length(text), _length(own_text)
    linked = sum(block.linked for block in text if block.kind != "table")
    return own_length >= _PLAIN_SHARE * length and linked <= _MAX_PLAIN_LINKED * length


def _headings(
    blocks: list[HtmlBlock], chosen: set[int], ours: set[int], first: int
) -> Iterator[int]:
    """Yield the headings above the chosen blocks; before the first, only the title."""
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
    """Return the indices of the blocks in a text; None if much of the text is in no block."""
    text = _MainText(_words(main))
    words = [_words(block.text) for block in blocks]
    found = [text.take(own) if len(own) >= _GRAM else None for own in words]
    low = 0
    for i, next_at in enumerate(_following(found, len(text.words))):
        at = found[i]
        if at is None and 0 < len(words[i]) < _GRAM:  # a few words may occur many times
            at = found[i] = text.take_between(words[i], low, next_at)
        low = low if at is None else max(low, at)
    if text.n_taken < _MIN_FOUND * len(text.words):
        return None
    return [i for i, at in enumerate(found) if at is not None] or None


class _MainText:
    """The words of the main text, each of which belongs to one block at most."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.n_taken = 0
        self._is_taken = bytearray(len(words))
        self._places: dict[tuple[str, ...], list[int]] = {}
        for i in range(len(words) - _GRAM + 1):
            self._places.setdefault(tuple(words[i : i + _GRAM]), []).append(i)

    def take(self, words: list[str]) -> int | None:
        """Take the words of a block, if most of them occur; return the position of the first."""
        covered = bytearray(len(words))
        places: set[int] = set()
        next_at = -1  # where the text continues like the block
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
        """Return the position of the first unused match, preferring `wanted`."""
        places = self._places.get(gram, ())
        if wanted >= 0 and tuple(self.words[wanted : wanted + _GRAM]) == gram:
            places = [wanted, *places[:_MAX_PLACES]]
        for at in places[:_MAX_PLACES]:
            if not any(self._is_taken[at : at + _GRAM]):
                return at
        return None

    def take_between(self, words: list[str], low: int, high: int) -> int | None:
        """Take the first unused match of a few words between two positions."""
        for at in range(low, min(high, low + _MAX_SEARCH) - len(words) + 1):
            end = at + len(words)
            if self.words[at:end] == words and not any(self._is_taken[at:end]):
                self._is_taken[at:end] = b"\1" * len(words)
                self.n_taken += len(words)
                return at
        return None


def _following(found: list[int | None], end: int) -> list[int]:
    """Return for each block where the next block found begins."""
    following = [end] * len(found)
    for i in range(len(found) - 2, -1, -1):
        at = found[i + 1]
        following[i] = following[i + 1] if at is None else at
    return following


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())

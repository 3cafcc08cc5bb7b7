"""EPUB: the chapters of its spine, with the headings and levels of its navigation."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from docbats.errors import ReadError
from docbats.readers.decoding import detect_text, marked_encoding
from docbats.readers.html import HtmlBlock, read_tags, walk_page
from docbats.readers.html_main import add_blocks
from docbats.readers.packages import find_elements, local_name, parse_xml
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText
    from docbats.readers.html import HtmlPage
    from docbats.readers.packages import Archive

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# A chapter with more than this share of its characters, and this many, in links is a table of
# contents; the title page of a part may have a link back to it.
_MAX_LINKED_SHARE, _MAX_LINKED = 0.5, 25
# The beginnings of chapters in UTF-16 without a byte order mark.
_WIDE_MARKS = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_PAGE_MEDIA_TYPES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}
_NCX_MEDIA_TYPE = "application/x-dtbncx+xml"
_MIN_LISTED = 0.5  # of the highest headings; a navigation that has fewer is not about chapters
_MAX_SHIFT = 3  # blocks from where an entry leads to its title
_MAX_TITLE = 300  # characters
_MIN_PART = 4  # letters of a title that is only the beginning or the end of another
_MAX_DEPTH = 9  # of entries; deeper ones count as so deep


def read_epub(content: FileContent) -> FileText:
    """Read the chapters in reading order; a navigation document among them is contents."""
    archive = content.archive
    packages = find_elements(archive.read(_CONTAINER), "rootfile")
    if not packages:
        msg = f"a broken book: {_CONTAINER} names no package: save the file again"
        raise ReadError(msg)
    package = packages[0].get("full-path", "")
    manifest = archive.read(package)
    chapters = _chapters(manifest, package)
    encrypted = _encrypted_names(archive)
    if not encrypted.isdisjoint(chapters):
        msg = "protected against reading (DRM): use a copy without it"
        raise ReadError(msg)
    book = {  # without missing files: e-book readers skip them, too
        name: walk_page(_decode_page(archive.read(name), name), is_xml=True, is_book=True)
        for name in chapters
        if name in archive.names
    }
    texts = {
        name: page
        for name, page in book.items()
        if not (chapters[name] or _is_mostly_links(page.blocks))
    }
    leveled = _with_navigation(texts, _entries(archive, manifest, package))
    built = TextBuilder()
    for name, page in book.items():
        if name in texts:
            add_blocks(leveled[name], built)
        else:
            for block in page.blocks:
                built.add(block.text, "contents")
    return built.file_text(
        "a book without text: its pages may be images; recognize their text first"
    )


def _decode_page(data: bytes, name: str) -> str:
    """Decode a chapter like other pages, replacing what cannot be decoded."""
    for mark, encoding in _WIDE_MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return detect_text(data, name).text
    except ReadError:  # damaged, or an image: the other chapters can still be read
        return data.decode(marked_encoding(data) or "utf-8", "replace")


def _is_mostly_links(blocks: list[HtmlBlock]) -> bool:
    """Whether a chapter, apart from its heading, is a table of contents."""
    body = [block for block in blocks if block.kind != "heading"]
    length = sum(len(block.text) for block in body)
    return sum(block.linked for block in body) > max(_MAX_LINKED, _MAX_LINKED_SHARE * length)


def _chapters(data: bytes, package: str) -> dict[str, bool]:
    """Return the files of the spine, each once, and whether each is for navigation."""
    items = find_elements(data, "item")
    pages = {i.get("id", ""): i for i in items if i.get("media-type") in _PAGE_MEDIA_TYPES}
    chapters: dict[str, bool] = {}
    for reference in find_elements(data, "itemref"):
        item = pages.get(reference.get("idref", ""))
        if reference.get("linear") != "no" and item is not None:
            # A manifest may list one file under many ids: the first counts.
            name = _linked_name(package, item.get("href", ""))
            chapters.setdefault(name, "nav" in item.get("properties", "").split())
    return chapters


def _encrypted_names(archive: Archive) -> set[str]:
    """Return the names of the encrypted files, which often are only fonts."""
    if _ENCRYPTION not in archive.names:
        return set()
    links = find_elements(archive.read(_ENCRYPTION), "CipherReference")
    return {unquote(link.get("URI", "")) for link in links}


def _linked_name(package: str, href: str) -> str:
    """Return the name in the archive of a file that the package links to."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:  # half of an IPv6 address
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(package), path))


class _Entry(NamedTuple):
    """A line of the navigation of a book: a title, and where in which page it leads to.

    Under the title of the book, lines are `lowered` by one level.
    """

    depth: int
    title: str
    page: str
    anchor: str
    lowered: int = 0


def _entries(archive: Archive, manifest: bytes, package: str) -> list[_Entry]:
    """Return the lines of the navigation document, or those of the NCX of older books."""
    items = find_elements(manifest, "item")
    documents = [item for item in items if "nav" in item.get("properties", "").split()]
    documents += [item for item in items if item.get("media-type") == _NCX_MEDIA_TYPE]
    for item in documents:
        name = _linked_name(package, item.get("href", ""))
        if name in archive.names:
            navigation = _Navigation(name)
            page = _decode_page(archive.read(name), name)
            read_tags(page, navigation.start, navigation.end, navigation.text, is_xml=True)
            if navigation.entries:
                return _under_title(_without_container(navigation.entries), _book_title(manifest))
    return []


def _book_title(manifest: bytes) -> str:
    """Return the title that the package gives the book."""
    titles: list[str] = []
    is_open = False

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal is_open
        is_open = local_name(name) == "title"
        titles.extend([""] if is_open else [])

    def add(text: str) -> None:
        if is_open:
            titles[-1] += text

    parse_xml(manifest, start, text=add)
    return titles[0] if titles else ""


def _under_title(entries: list[_Entry], title: str) -> list[_Entry]:
    """Lower the entries below the first one, if that is the title of the book beside them."""
    first, *others = entries
    is_beside = all(entry.depth >= first.depth for entry in others)
    if not (is_beside and _letters(title) and _letters(first.title) == _letters(title)):
        return entries
    return [first, *(entry._replace(depth=entry.depth + 1, lowered=1) for entry in others)]


def _without_container(entries: list[_Entry]) -> list[_Entry]:
    """Raise the entries under the only one that has any, if they lead to other pages.

    It is the title of the book, beside its front and back matter.
    """
    highest = min(entry.depth for entry in entries)
    over: _Entry | None = None  # the last entry of the highest level
    below: dict[_Entry, list[_Entry]] = {}
    for entry in entries:
        if over is None or entry.depth == highest:
            over = entry
        else:
            below.setdefault(over, []).append(entry)
    if len(below) != 1:
        return entries
    [(title, inner)] = below.items()
    next_level = [entry for entry in inner if entry.depth == highest + 1]
    n_elsewhere = sum(entry.page != title.page for entry in next_level)
    if 2 * n_elsewhere <= len(next_level):
        return entries
    return [entry._replace(depth=max(highest, entry.depth - 1)) for entry in entries]


class _Navigation:
    """Collects the lines of a navigation document or an NCX, each once."""

    def __init__(self, name: str) -> None:
        self.entries: list[_Entry] = []
        self._name = name
        self._depth = 0
        self._is_other = False  # inside a list of pages or of landmarks
        self._words: list[str] = []
        self._href: str | None = None  # of the link that is open
        self._group: tuple[int, str] = (0, "")  # a title without a link, over others

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin a list or a title."""
        name = tag.rpartition(":")[2]
        if name == "nav":
            self._is_other = "toc" not in attributes.get("epub:type", "toc").split()
        elif name in {"ol", "navpoint"}:
            self._depth += 1
        elif name == "content":
            self._add(attributes.get("src", ""))
        elif name in {"a", "navlabel"} or (name == "span" and self._href is None):
            self._words = []
            self._href = attributes.get("href", "") if name == "a" else None

    def end(self, tag: str) -> None:
        """End a list or a title."""
        name = tag.rpartition(":")[2]
        if name in {"ol", "navpoint"}:
            self._depth -= 1
        elif name == "nav":
            self._is_other = False
        elif name == "a" and self._href is not None:
            self._add(self._href)
            self._href = None
        elif name == "span" and self._href is None:
            self._group = (self._depth, " ".join("".join(self._words).split()))

    def text(self, text: str) -> None:
        """Add to the title of an item."""
        self._words.append(text)

    def _add(self, href: str) -> None:
        """Add a line, after the title of its group."""
        title = " ".join("".join(self._words).split())
        self._words = []
        if self._is_other or self._depth <= 0 or not title:
            return
        page, anchor = _linked_name(self._name, href), unquote(href.partition("#")[2])
        depth, group = self._group
        if group and 0 < depth < self._depth:
            self.entries.append(_Entry(min(depth, _MAX_DEPTH), group, page, anchor))
        self._group = (0, "")
        is_repeated = any(entry[1:4] == (title, page, anchor) for entry in self.entries[-1:])
        if not is_repeated:
            self.entries.append(_Entry(min(self._depth, _MAX_DEPTH), title, page, anchor))


class _Listed(NamedTuple):
    """A heading that the navigation lists: its blocks, none if only the navigation has it."""

    at: int
    n_blocks: int
    entry: _Entry


def _with_navigation(
    pages: dict[str, HtmlPage], entries: list[_Entry]
) -> dict[str, list[HtmlBlock]]:
    """Return the blocks of each page, with the levels and the headings of the navigation.

    Nested entries give the levels; where all but the first, the title, have one depth, the tags of
    their headings say more.
    """
    entries = [entry for entry in entries if entry.page in pages]
    by_page: dict[str, list[_Entry]] = {name: [] for name in pages}
    for entry in entries:
        by_page[entry.page].append(entry)
    listed = {name: _find_listed(page, by_page[name]) for name, page in pages.items()}
    tags = Counter(
        block.level for page in pages.values() for block in page.blocks if block.kind == "heading"
    )
    highest = min((level or 1 for level, n in tags.items() if n > 1), default=1)
    if sum(map(len, listed.values())) < max(2, _MIN_LISTED * tags[highest]):
        return {name: page.blocks for name, page in pages.items()}
    is_nested = len({entry.depth for entry in entries[1:]}) > 1
    levels = _Levels(None if is_nested else highest)
    return {name: levels.apply(page.blocks, listed[name]) for name, page in pages.items()}


def _find_listed(page: HtmlPage, entries: list[_Entry]) -> list[_Listed]:
    """Return the headings that the entries name, in the order of the page."""
    places = [page.anchors.get(each.anchor) if each.anchor else 0 for each in entries]
    wanted = [
        (place, entry)
        for place, entry in zip(places, entries, strict=True)
        if place is not None and place < len(page.blocks)
    ]
    search = _TitleSearch(page.blocks, Counter(place for place, _ in wanted))
    found: dict[int, _Listed] = {}
    for find in (search.same, search.similar, search.leading):
        for which, (place, entry) in enumerate(wanted):
            if which not in found and (listed := find(place, entry)) is not None:
                found[which] = listed
                search.taken.update(range(listed.at, listed.at + listed.n_blocks))
    in_order = sorted(found.values(), key=lambda listed: (listed.at, listed.n_blocks))
    titles = ["", *(_letters(listed.entry.title) for listed in in_order), ""]
    # Of an element around a heading, some converters make another entry.
    return [
        listed
        for i, listed in enumerate(in_order, start=1)
        if listed.n_blocks or titles[i] not in {titles[i - 1], titles[i + 1]}
    ]


class _TitleSearch:
    """Finds the blocks of a page that entries name, each block for one of them."""

    def __init__(self, blocks: list[HtmlBlock], n_leading: Counter[int]) -> None:
        self.taken: set[int] = set()
        self._blocks = blocks
        self._n_leading = n_leading  # how many entries lead to each block
        self._titles = [
            _letters(block.text) if len(block.text) <= _MAX_TITLE else "" for block in blocks
        ]
        self._headings: dict[str, list[int]] = {}
        for i, block in enumerate(blocks):
            if block.kind == "heading":
                self._headings.setdefault(self._titles[i], []).append(i)

    def same(self, place: int, entry: _Entry) -> _Listed | None:
        """Find the next heading with the same title; its anchor may come right after it."""
        headings = self._headings.get(_letters(entry.title), [])
        first = bisect_left(headings, place - 1)
        nearest = (i for i in headings[first : first + _MAX_SHIFT] if i not in self.taken)
        return next((_Listed(i, 1, entry) for i in nearest), None)

    def similar(self, place: int, entry: _Entry) -> _Listed | None:
        """Find a short block nearby with a similar title, or two that make up the title."""
        title = _letters(entry.title)
        for i in range(place, min(place + _MAX_SHIFT, len(self._blocks))):
            own, following = self._titles[i], "".join(self._titles[i + 1 : i + 2])
            if i in self.taken or not own:
                continue
            if own + following == title and following and i + 1 not in self.taken:
                return _Listed(i, 2, entry)
            is_heading = self._blocks[i].kind == "heading"
            if _is_part(own, title) or (is_heading and _is_part(title, own)):
                return _Listed(i, 1, entry)
        return None

    def leading(self, place: int, entry: _Entry) -> _Listed | None:
        """Return the heading to which nothing else leads, or one that is in no block."""
        is_heading = self._blocks[place].kind == "heading" and self._n_leading[place] == 1
        return _Listed(place, int(is_heading and place not in self.taken), entry)


def _letters(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))


def _is_part(title: str, whole: str) -> bool:
    """Whether one title lacks no more than the number or the subtitle of the other."""
    is_edge = whole.startswith(title) or whole.endswith(title)
    return title == whole or (len(title) >= _MIN_PART and is_edge)


class _Levels:
    """Gives the headings of a book the levels of its navigation, page after page.

    A heading that is not listed is below the last listed one with a higher tag, or with the same.
    """

    def __init__(self, usual: int | None) -> None:
        self._usual = usual  # the level of headings without a tag, where tags decide; else None
        self._above: list[tuple[int, int | None]] = []  # levels of listed headings, and their tags'

    def apply(self, blocks: list[HtmlBlock], listed: list[_Listed]) -> list[HtmlBlock]:
        """Return the blocks of the next page."""
        leveled: list[HtmlBlock] = []
        place = 0
        for at, n_blocks, entry in listed:
            leveled += map(self._unlisted, blocks[place:at])
            named = blocks[at : at + n_blocks]
            tag = named[0].level if named and named[0].kind == "heading" else None
            level = entry.depth
            if self._usual is not None:
                level = (tag or self._usual) + entry.lowered
                if tag is None and at and self._above:  # inside a page, such as a label of a box
                    level = self._above[-1][0]
            text = "\n".join(block.text for block in named) or entry.title
            leveled.append(
                HtmlBlock(text, "heading", level, named[0].number if n_blocks == 1 else None)
            )
            self._above = [above for above in self._above if above[0] < level] + [(level, tag)]
            place = max(place, at + n_blocks)
        return leveled + [self._unlisted(block) for block in blocks[place:]]

    def _unlisted(self, block: HtmlBlock) -> HtmlBlock:
        if block.kind != "heading" or not self._above:
            return block
        own = block.level or 1
        if self._above[-1][1] is None:  # a heading without a tag is over all others
            self._above[-1] = (self._above[-1][0], own - 1)
        level, tag = next(
            (above for above in reversed(self._above) if (above[1] or 0) <= own), self._above[0]
        )
        return replace(block, level=level + max(1, own - (tag or 0)))

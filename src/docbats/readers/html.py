"""The blocks of an HTML page in the order of its tags, with the elements around them."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.text_builder import MAX_CELL_LENGTH

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

# Python refuses to convert thousands of digits; numbers of eight or more are not characters.
_LEADING_ZEROS = re.compile(r"(?<=&#)0++(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[1-9][0-9]{7,}+;?")


def unescape(text: str) -> str:
    r"""Replace character references; invalid ones by U+FFFD, as browsers do.

    >>> unescape("&eacute;&#233;"), unescape("&#" + "9" * 5000 + ";") == "\ufffd"
    ('éé', True)
    """
    if "&#" in text:
        text = _NO_CHARACTER.sub("\ufffd", _LEADING_ZEROS.sub("", text))
    return html.unescape(text)


# A tag with its attributes. One that is longer, or whose quotes never close, ends at its next ">",
# so that every page takes linear time.
_MAX_TAG_LENGTH = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>")
_SHORT_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_ATTRIBUTES = {"class", "id", "role", "hidden", "aria-hidden", "style", "epub:type", "href"}
_RAW_TAGS = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}
_RAW_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW_TAGS}


def _attributes(written: str) -> dict[str, str]:
    """Return the few attributes that matter, in lower case; none far into a very long tag."""
    if not written.strip(" /"):
        return {}
    return {
        name.lower(): (a or b or c).lower()
        for name, a, b, c in _ATTRIBUTE.findall(written[:_MAX_TAG_LENGTH])
        if name.lower() in _ATTRIBUTES
    }


# fmt: off
_VOID_TAGS = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}
_HEADING_TAGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCK_TAGS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead", "tr", "ul", *_HEADING_TAGS,
}
_CLOSED_BY_ITS_LIKE = {"p", "li", "dd", "dt", "tr", "td", "th", "option", *_HEADING_TAGS}
_SITE_TAGS = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "footer", "form", "menu", "nav",
    "object", "select", "video",
}
_NEVER_SHOWN = _RAW_TAGS | {"head", "template", "noscript", "svg", "math"}
_SITE_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_SITE_WORDS = frozenset({
    "ad", "ads", "advert", "advertisement", "adverts", "banner", "breadcrumb", "breadcrumbs",
    "byline", "comment", "comments", "consent", "cookie", "cookies", "disqus", "footer", "lineno",
    "linenos", "masthead", "menu", "nav", "navbar", "navigation", "newsletter", "noprint", "pager",
    "pagination", "promo", "recommendations", "recommended", "related", "share", "sharing",
    "sidebar", "social", "sponsored", "subscribe", "teaser", "teasers",
})
_COMMENT_WORDS = frozenset({"comment", "comments", "commentlist", "disqus"})
_CONTENT_WORDS = frozenset({"article", "body", "content", "contents", "main", "story", "text"})
# Before a word of the site, these say that it is about something else: "no-share".
_NOT_ITSELF = frozenset({"has", "hide", "hidden", "is", "no", "with", "without"})
_SITE_NAMES = re.compile(r"(?:^|\s)(?:mw-editsection|skip-link)(?=$|\s)")
_CONTENTS_NAME = re.compile(
    r"(?:^|[\s_-])(?:toc|tocs|table-of-contents|toctree-wrapper)(?=$|[\s_-])|"
    r"(?:^|\s)contents (?:local )?topic(?=$|\s)"
)
_CONTENTS_TYPES = {"toc", "loi", "lot", "landmarks", "page-list", "doc-toc", "doc-pagelist"}
_REFERENCES_NAME = re.compile(
    r"(?:^|\s)(?:footnotes?|endnotes?|references|reflist|bibliography|citations?)(?=$|\s)"
)
_REFERENCES_TYPES = {
    "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "bibliography",
    "doc-footnote", "doc-endnotes", "doc-bibliography",
}
_NUMBER_NAME = re.compile(
    r"(?:^|\s)(?:(?:header-)?section-?number|secno|sectnum|chapter-?number|heading-?number|"
    r"ltx_tag|titlenumber|sec-?num)(?=$|[\s_-])"
)
# fmt: on
_NAME_SEPARATOR = re.compile(r"[-_]+")
_MAX_NAMES = 30  # classes of an element that are looked at
_PERMALINK_NAME = re.compile(
    r"(?:^|\s)(?:headerlink|permalink|anchor(?:js)?-?link|heading-?link|hash-link)(?=$|\s)"
)
_MARKED_TAGS = _NEVER_SHOWN | _SITE_TAGS | {"main", "article", "header"}


def element_marks(
    name: str,
    attributes: dict[str, str],
    *,
    is_book: bool,
    in_main: bool = False,
    in_section: bool = False,
) -> frozenset[str]:
    """Return what an element is: main, link, number, contents, references, hidden, site, comments.

    Menus and the like belong to the site, but in the main part of a page they are contents. In a
    book nothing belongs to a site. The page itself is never a menu, whatever its class.
    """
    if not attributes and name not in _MARKED_TAGS:
        return frozenset()
    is_main = name in {"main", "article"} or attributes.get("role") == "main"
    if name in {"html", "body"}:
        return frozenset({"main"} if is_main else ())
    known = {
        "main": is_main,
        "link": name == "a" and "href" in attributes,
        "number": _is_number(attributes),
        "references": _is_references(name, attributes),
        "contents": _is_contents(attributes) or (name == "nav" and (in_main or is_book)),
        "site": False,
        "hidden": _is_hidden(name, attributes),
    }
    if not (is_book or known["main"] or known["references"] or known["contents"]):
        is_page_header = name == "header" and not in_main and not in_section
        is_site = is_page_header or _is_of_site(name, attributes)
        known["site" if name in _BLOCK_TAGS else "hidden"] |= is_site
        known["comments"] = is_site and _is_comments(name, attributes)
    return frozenset(mark for mark, applies in known.items() if applies)


def _is_hidden(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element is not shown, or is a link to the heading that it is in."""
    is_permalink = name == "a" and _PERMALINK_NAME.search(attributes.get("class", "")) is not None
    style = attributes.get("style", "").replace(" ", "")
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return name in _NEVER_SHOWN or hidden or "display:none" in style or is_permalink


def _is_of_site(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element belongs to the site rather than to the text, by its tag, role or names."""
    if name in _SITE_TAGS or attributes.get("role") in _SITE_ROLES:
        return True
    classes = attributes.get("class", "")
    if _SITE_NAMES.search(classes):
        return True
    names = classes.split()[:_MAX_NAMES]
    if name in {"div", "ul", "table", "td"}:  # the ids of others are often made of their words
        names += attributes.get("id", "").split()[:1]
    is_content = any(_words(found)[-1] in _CONTENT_WORDS for found in names)  # "entry-content"
    return any(map(_names_site, names)) and not is_content


def _is_comments(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element holds the comments of readers, by its names."""
    if name not in _BLOCK_TAGS:
        return False
    names = [*attributes.get("class", "").split()[:_MAX_NAMES], attributes.get("id", "")]
    return any(not _COMMENT_WORDS.isdisjoint(_words(found)) for found in names)


def _names_site(name: str) -> bool:
    """Whether a class or id names a part of the site.

    >>> _names_site("post-share"), _names_site("no-share"), _names_site("content-sidebar-wrap")
    (True, False, False)
    """
    words = _words(name)
    return (
        not _SITE_WORDS.isdisjoint(words)
        and words[0] not in _NOT_ITSELF
        and (words[-1] in _SITE_WORDS or _CONTENT_WORDS.isdisjoint(words))
    )


def _words(name: str) -> list[str]:
    """Return the words of a class or id, without a modifier after "--".

    >>> _words("page__section--ads"), _words("site-nav")
    (['page', 'section'], ['site', 'nav'])
    """
    return [word for word in _NAME_SEPARATOR.split(name.partition("--")[0]) if word] or [""]


def _is_contents(attributes: dict[str, str]) -> bool:
    """Whether an element is a table of contents."""
    is_named = any(_CONTENTS_NAME.search(attributes.get(key, "")) for key in ("class", "id"))
    return is_named or bool(_types(attributes) & _CONTENTS_TYPES)


def _is_references(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element holds notes or a bibliography, rather than a link to them."""
    if not attributes or name not in _BLOCK_TAGS:
        return False
    is_named = _REFERENCES_NAME.search(attributes.get("class", "")) is not None
    return is_named or bool(_types(attributes) & _REFERENCES_TYPES)


def _is_number(attributes: dict[str, str]) -> bool:
    """Whether an element is the number of a heading."""
    is_named = _NUMBER_NAME.search(attributes.get("class", "")) is not None
    return is_named or any("ordinal" in kind for kind in _types(attributes))


def _types(attributes: dict[str, str]) -> set[str]:
    return {*attributes.get("epub:type", "").split(), *attributes.get("role", "").split()}


_DATA_KINDS = {"paragraph", "list_item", "quote", "contents", "references"}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_PERMALINK_MARKS = {"¶", "#", "§", "🔗", "⚓", "\uf0c1"}
_MAX_LINKED_SHARE = 0.6  # of the characters of a list or a line; with more it is a menu
_MAX_HEADING = 1000  # characters; a longer heading was never closed
_HEADINGS = {"hgroup", *_HEADING_TAGS}
_ENDS_HEADING = {"ul", "ol", "dl", "table", "pre", "blockquote", "section", "article", "main"}


@dataclass(frozen=True)
class HtmlBlock:
    """A block of a page."""

    text: str
    kind: BlockKind = "paragraph"
    level: int | None = None
    number: str | None = None
    is_prose: bool = True  # False for code and tables inside lists and quotations
    linked: int = 0  # characters in links
    is_menu: bool = False  # mostly links, outside the main part of the page
    row: int = 0  # of the table that it is in
    element: int = 0  # the index of the innermost one around it


class Element(NamedTuple):
    """An element of a page, with the index of the element around it."""

    parent: int
    name: str
    marks: frozenset[str]


@dataclass(frozen=True, eq=False)
class HtmlPage:
    """All visible blocks of a page; the first element is the page itself."""

    blocks: list[HtmlBlock]
    elements: list[Element]


def walk_page(text: str, *, is_xml: bool, is_book: bool = False) -> HtmlPage:
    """Collect the blocks of a page; in a book, nothing belongs to a site."""
    walk = _Walk(is_book=is_book)
    walk.feed(text, is_xml=is_xml)
    return HtmlPage(walk.found, walk.elements)


class _Walk:
    """Walks through the tags of a page, forgiving errors as browsers do."""

    def __init__(self, *, is_book: bool) -> None:
        self.found: list[HtmlBlock] = []
        self.elements = [Element(0, "", frozenset())]
        self._is_book = is_book
        self._stack: list[int] = []  # the indices of the elements that are open
        self._open: Counter[str] = Counter()
        self._headings = 0  # open headings and their groups
        self._marked: Counter[str] = Counter()  # of the open elements
        self._containers: list[BlockKind] = []  # the lists and quotations that are open
        self._list_depth = 0
        self._list_start = 0  # where the blocks of the outermost list or quotation begin
        # Where the blocks of the open tables begin; None for a table around another one, which can
        # only be there for the layout.
        self._table_starts: list[int | None] = []
        self._words: list[str] = []
        self._linked = 0
        self._number: str | None = None
        self._level: int | None = None  # of the heading that is open
        self._row = 0

    def feed(self, page: str, *, is_xml: bool) -> None:
        """Collect the blocks of a whole page, without comments, scripts and the like.

        In XML, ``<a/>`` begins and ends an element; in HTML it only begins one.
        """
        place, last = 0, page.rfind(">")  # after which no tag can end
        while (at := page.find("<", place, last)) >= 0:
            if at > place:
                self._text(unescape(page[place:at]))
            if page.startswith(("<!", "<?"), at):
                mark = "-->" if page.startswith("<!--", at) else ">"
                end = page.find(mark, at + 4 if mark == "-->" else at)
                place = len(page) if end < 0 else end + len(mark)
            elif tag := _TAG.match(page, at, at + _MAX_TAG_LENGTH) or _SHORT_TAG.match(page, at):
                place = self._tag(page, tag, is_xml=is_xml)
            else:
                self._text("<")
                place = at + 1
        if place < len(page):
            self._text(unescape(page[place:]))
        while self._stack:
            self._pop()
        self._flush()

    def _tag(self, page: str, tag: re.Match[str], *, is_xml: bool) -> int:
        """Begin or end an element, and return where the page goes on."""
        name = tag[2].lower()
        if not tag[1]:
            self._start(name, _attributes(tag[3]))
        if tag[1] or (is_xml and tag[3].endswith("/")):
            self._end(name)
        elif name in _RAW_TAGS:
            self._end(name)
            close = _RAW_TEXT_END[name].search(page, tag.end())
            return len(page) if close is None else close.start()
        return tag.end()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            self._text("\n", as_is=True)
            return
        if name in {"td", "th"} and self._words:
            self._text("\t", as_is=True)
        if self._headings and (name in _ENDS_HEADING or name in _HEADING_TAGS):
            for heading in _HEADING_TAGS:  # which was never closed
                self._end(heading)
        if name in _BLOCK_TAGS:
            self._break()
        if name in _VOID_TAGS:
            return
        innermost = self._stack[-1] if self._stack else 0
        if name in _CLOSED_BY_ITS_LIKE and self.elements[innermost].name == name:
            self._pop()
        marks = element_marks(
            name,
            attributes,
            is_book=self._is_book,
            in_main=self._marked["main"] > 0,
            in_section=self._open["section"] > 0,
        )
        opened = Element(self._stack[-1] if self._stack else 0, name, marks)
        self._stack.append(len(self.elements))
        self.elements.append(opened)
        self._count(opened, 1)
        self._enter(name)

    def _enter(self, name: str) -> None:
        """Note that a heading, a row, a table, a list or a quotation begins."""
        if name in _HEADING_TAGS:
            level = _HEADING_TAGS[name]
            self._level = level if self._level is None else min(level, self._level)
        elif name == "tr":
            self._row += 1
        elif name == "table":
            if self._table_starts:
                self._table_starts[-1] = None
            self._table_starts.append(len(self.found))
        elif name in {"ul", "ol", "blockquote"}:
            if not self._containers:
                self._list_start = len(self.found)
            self._containers.append("quote" if name == "blockquote" else "list_item")
            self._list_depth += name != "blockquote"

    def _leave(self, name: str) -> None:
        """Note that a table, a list or a quotation ends."""
        if name == "table":
            start = self._table_starts.pop()
            if start is not None:
                self._join_rows(start)
        elif name in {"ul", "ol", "blockquote"}:
            outermost = self._containers[0]
            self._containers.pop()
            self._list_depth -= name != "blockquote"
            if not self._containers and outermost == "list_item":
                self._mark_menu(self._list_start)

    def _join_rows(self, start: int) -> None:
        """Replace the blocks of a table by one block, if they are data."""
        parts = self.found[start:]
        rows = [
            "\t".join(part.text.replace("\n", " ") for part in row)
            for _, row in groupby(parts, lambda part: part.row)
        ]
        cells = [row.split("\t") for row in rows]
        is_data = (
            all(part.kind in _DATA_KINDS and part.is_prose for part in parts)
            and max(map(len, cells), default=0) >= 2
            and all(len(cell) <= MAX_CELL_LENGTH for row in cells for cell in row)
        )
        if is_data:
            table = self._new_block("\n".join(rows), is_table=True)
            self.found[start:] = [replace(table, linked=sum(part.linked for part in parts))]

    def _mark_menu(self, start: int) -> None:
        """Turn a list that is mostly links into contents or a menu."""
        items = self.found[start:]
        length = sum(len(block.text) for block in items)
        if sum(block.linked for block in items) > _MAX_LINKED_SHARE * length:
            is_menu = not (self._is_book or self._marked["main"])
            self.found[start:] = [
                replace(block, kind="contents", level=None, is_menu=is_menu) for block in items
            ]

    def _end(self, name: str) -> None:
        while self._open[name] and self._pop() != name:
            pass

    def _pop(self) -> str:
        opened = self.elements[self._stack[-1]]
        if "number" in opened.marks and self._headings:
            self._number = "".join(self._words)
        is_whole = opened.name in _HEADING_TAGS and not self._open["hgroup"]
        if is_whole or opened.name in {"hgroup", "pre"}:
            self._flush()
        elif opened.name in _BLOCK_TAGS:
            self._break()
        self._stack.pop()
        self._count(opened, -1)
        self._leave(opened.name)
        return opened.name

    def _count(self, opened: Element, step: int) -> None:
        self._open[opened.name] += step
        self._headings += step * (opened.name in _HEADINGS)
        for mark in opened.marks:
            self._marked[mark] += step

    def _text(self, text: str, *, as_is: bool = False) -> None:
        if self._marked["hidden"]:
            return
        words = text if as_is or self._open["pre"] else _SPACE.sub(" ", text)
        if self._marked["link"]:
            if words.strip() in _PERMALINK_MARKS and self._headings:
                return
            self._linked += len(words.strip())
        self._words.append(words)

    def _break(self) -> None:
        """End a paragraph; inside headings and code, end a line."""
        if self._open["pre"] or self._headings:
            if self._words:
                self._text("\n", as_is=True)
        else:
            self._flush()

    def _flush(self) -> None:
        """End a block."""
        written, linked = "".join(self._words), self._linked
        number, level = self._number, self._level
        self._words, self._linked, self._number, self._level = [], 0, None, None
        if not written:
            return
        is_code = self._open["pre"] > 0
        text = written.strip() if is_code else _tidy(written)
        if not text or self._marked["hidden"]:
            return
        block = replace(self._new_block(text, is_code=is_code), linked=linked)
        if level is not None and len(text) <= _MAX_HEADING and block.kind != "contents":
            block = replace(block, kind="heading", level=level, number=number, is_prose=True)
        elif self._is_line_of_links(block):
            is_menu = not self._marked["main"]
            block = replace(block, kind="contents", level=None, is_menu=is_menu)
        self.found.append(block)

    def _is_line_of_links(self, block: HtmlBlock) -> bool:
        """Whether a line outside lists is mostly links."""
        is_line = block.kind == "paragraph" and not self._open["p"] and not self._is_book
        return is_line and block.linked > _MAX_LINKED_SHARE * len(block.text)

    def _new_block(self, text: str, *, is_code: bool = False, is_table: bool = False) -> HtmlBlock:
        """Return a block of the kind that the open elements determine."""
        kind: BlockKind = "code" if is_code else "table" if is_table else "paragraph"
        level = None
        if self._marked["contents"]:
            kind = "contents"
        elif self._marked["references"]:
            kind = "references"
        elif self._containers:
            kind = self._containers[0]
            level = self._list_depth or None
        is_prose = not (is_code or is_table)
        element = self._stack[-1] if self._stack else 0
        return HtmlBlock(text, kind, level, is_prose=is_prose, row=self._row, element=element)


def _tidy(written: str) -> str:
    lines = (" ".join(line.split(" ")).strip(" \t\xa0") for line in written.split("\n"))
    return re.sub(r" {2,}", " ", "\n".join(line for line in lines if line))

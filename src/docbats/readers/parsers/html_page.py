"""The paragraphs and headings of an HTML page, without its menus, headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from docbats.errors import ReadError
from docbats.readers.file_text import FileText
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.readers.places import Places

__all__ = ["HtmlBlock", "html_blocks", "read_html"]

# A tag with its attributes; one that is longer than this, or whose quotes never close, ends at its
# next ">", so that no page takes more than linear time.
_MAX_TAG_LENGTH = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>")
_SHORT_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_SPACE = re.compile(r"[ \t\r\n\f]+")

_RAW = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}
_RAW_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}
# fmt: off
_VOID_TAGS = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}
_BOILERPLATE_TAGS = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "footer", "form", "menu", "nav",
    "object", "select", "video",
}
_BLOCK_TAGS = {
    "address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "ol", "p", "pre", "section", "summary", "table",
    "tbody", "tfoot", "thead", "tr", "ul",
}
# fmt: on
_NEVER_SHOWN = _RAW | {"head", "template", "noscript", "svg", "math"}
_BOILERPLATE_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_CLOSED_BY_ITS_LIKE = {"p", "li", "dd", "dt", "tr", "td", "th", "option"}
_BOILERPLATE_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|sidebar|breadcrumbs?|cookies?|consent|share|sharing|"
    r"social|related|promo|adverts?|ads?|newsletter|subscribe|pagination|pager|skip-link|toc|"
    r"byline|comments?|footer|masthead|mw-editsection|headerlink|noprint)(?=$|[\s_-])",
    re.IGNORECASE,
)
_MAX_LINKED_SHARE = 0.6  # of the letters of a list item or cell; with more it is a menu
_MIN_PAGE_LENGTH = 200  # characters; with less, too much was taken for a menu


@dataclass(frozen=True)
class HtmlBlock:
    """A paragraph, or a heading of the given level."""

    text: str
    level: int | None = None


def read_html(text: str) -> FileText:
    """Read the running text of a page."""
    built = TextBuilder()
    for block in html_blocks(text):
        built.add(block.text, block.level)
    if not built.text:
        msg = "a page without text: if its text is made by scripts, save it from a browser first"
        raise ReadError(msg)
    return FileText(built.text, Places(headings=tuple(built.headings)))


def html_blocks(text: str, *, whole: bool = False) -> list[HtmlBlock]:
    """Return the paragraphs and headings; with `whole` also menus, headers, code and the like."""
    page = _Page(strict=not whole)
    page.feed(text)
    found = page.blocks()
    if not whole and sum(len(block.text) for block in found) < _MIN_PAGE_LENGTH:
        loose = _Page(
            strict=False
        )  # too little is left: better to include a menu than to miss the text
        loose.feed(text)
        every = loose.blocks()
        if sum(len(b.text) for b in every) > 2 * sum(len(b.text) for b in found):
            return every
    return found


@dataclass
class _Open:
    """An element that is open; `drops` if nothing in it is kept, `main` if it holds the text."""

    name: str
    drops: bool
    main: bool


@dataclass(frozen=True)
class _Found:
    block: HtmlBlock
    main: bool


class _Page:
    """Walks through the tags of a page, as forgiving as a browser."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._stack: list[_Open] = []
        self._open: Counter[str] = Counter()
        self._drops = self._main = 0
        self._words: list[str] = []
        self._linked = 0
        self._found: list[_Found] = []

    def blocks(self) -> list[HtmlBlock]:
        """Return the blocks of the main part if the page names one that has text, or else all."""
        main = [found.block for found in self._found if found.main]
        if sum(len(block.text) for block in main) >= _MIN_PAGE_LENGTH:
            return main
        return [found.block for found in self._found]

    def feed(self, text: str) -> None:
        """Collect the blocks of a whole page."""
        place, last = 0, text.rfind(">")  # after which no tag can end
        while (at := text.find("<", place, last)) >= 0:
            self._text(text[place:at])
            place = self._markup(text, at)
        self._text(text[place:])
        self._flush()

    def _markup(self, text: str, at: int) -> int:
        """Take what begins with the "<" at `at`, and return where it ends."""
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            return len(text) if end < 0 else end + 3
        if text.startswith(("<!", "<?"), at):
            end = text.find(">", at)
            return len(text) if end < 0 else end + 1
        tag = _TAG.match(text, at, at + _MAX_TAG_LENGTH) or _SHORT_TAG.match(text, at)
        if tag is None:
            self._text("<")
            return at + 1
        name = tag[2].lower()
        if tag[1]:
            self._end(name)
            return tag.end()
        self._start(name, tag[3])
        if name in _RAW:
            close = _RAW_TEXT_END[name].search(text, tag.end())
            self._end(name)
            return len(text) if close is None else close.start()
        return tag.end()

    def _start(self, name: str, written: str) -> None:
        if name == "br":
            self._text("\n", as_is=True)
            return
        if name in {"td", "th"} and self._words:
            self._text("\t", as_is=True)
        if name in _BLOCK_TAGS:
            self._flush()
        if name in _VOID_TAGS:
            return
        if name in _CLOSED_BY_ITS_LIKE and self._stack and self._stack[-1].name == name:
            self._pop()
        attributes = _attributes(written)
        opened = _Open(
            name,
            drops=name not in {"html", "body"} and self._is_dropped(name, attributes),
            main=name in {"main", "article"} or attributes.get("role") == "main",
        )
        self._stack.append(opened)
        self._count(opened, 1)

    def _end(self, name: str) -> None:
        if not self._open[name]:
            return
        while self._pop() != name:
            pass

    def _pop(self) -> str:
        opened = self._stack[-1]
        if opened.name in _BLOCK_TAGS:
            self._flush()
        self._stack.pop()
        self._count(opened, -1)
        return opened.name

    def _count(self, opened: _Open, step: int) -> None:
        self._open[opened.name] += step
        self._drops += step * opened.drops
        self._main += step * opened.main

    def _is_dropped(self, name: str, attributes: dict[str, str]) -> bool:
        """Whether an element is left out: hidden ones always, menus and the like if strict."""
        style = attributes.get("style", "").replace(" ", "")
        hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
        if name in _NEVER_SHOWN or hidden or "display:none" in style:
            return True
        if not self._strict or name in {"main", "article"}:
            return False
        is_boilerplate = name in _BOILERPLATE_TAGS or attributes.get("role") in _BOILERPLATE_ROLES
        is_page_header = name == "header" and not self._main
        is_code_block = name == "code" and self._open["pre"] > 0
        is_named_so = any(
            _BOILERPLATE_NAME.search(attributes.get(key, "")) for key in ("class", "id")
        )
        return is_boilerplate or is_page_header or is_code_block or is_named_so

    def _text(self, text: str, *, as_is: bool = False) -> None:
        if not text or self._drops:
            return
        words = text if as_is else unescape(text)
        if not as_is and not self._open["pre"]:
            words = _SPACE.sub(" ", words)
        self._words.append(words)
        if self._open["a"]:
            self._linked += len(words.strip())

    def _flush(self) -> None:
        """End a paragraph."""
        written, linked = "".join(self._words), self._linked
        self._words, self._linked = [], 0
        text = written.strip() if self._open["pre"] else _tidy(written)
        if not text or self._drops:
            return
        level = self._level()
        is_menu = level is None and not self._open["p"] and linked > _MAX_LINKED_SHARE * len(text)
        if self._strict and is_menu:
            return
        self._found.append(_Found(HtmlBlock(text, level), main=self._main > 0))

    def _level(self) -> int | None:
        return next((level for level in range(1, 7) if self._open[f"h{level}"]), None)


def _attributes(written: str) -> dict[str, str]:
    """Return the few attributes that matter; those far into a very long tag are left out."""
    if not written.strip(" /"):
        return {}
    return {
        name.lower(): (a or b or c).lower()
        for name, a, b, c in _ATTRIBUTE.findall(written[:_MAX_TAG_LENGTH])
        if name.lower() in {"class", "id", "role", "hidden", "aria-hidden", "style"}
    }


def _tidy(written: str) -> str:
    lines = (" ".join(line.split(" ")).strip(" \t\xa0") for line in written.split("\n"))
    return re.sub(r" {2,}", " ", "\n".join(line for line in lines if line))

"""The paragraph styles of a Word document: which are those of headings, lists, code, contents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.parsers.cell_table import ParagraphKind

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

__all__ = ["Styles", "attribute", "kind_by_name", "local_name", "outline_level"]

_WORD_NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",  # the strict variant
}
_MAX_PARENTS = 20  # styles may be based on each other in a circle
_HEADING = re.compile(r"heading ?(\d)", re.IGNORECASE)
# As publishers call theirs, under a chapter's title.
_LETTERED_HEADING = re.compile(r"(?:head|heading|h)[ _-]?([a-e])", re.IGNORECASE)
_TITLE = re.compile(r"title|(?:chapter|part)[ _-]?title", re.IGNORECASE)
_KINDS: tuple[tuple[BlockKind, re.Pattern[str]], ...] = (
    ("paragraph", re.compile(r".*(?:caption|label)", re.IGNORECASE)),  # often numbered like a list
    (
        "contents",
        re.compile(
            r"toc ?\d|(?:toc|contents|toa|index) heading|table of (?:figures|authorities)|"
            r"contents ?\d|index ?\d",
            re.IGNORECASE,
        ),
    ),
    (
        "references",
        re.compile(r"bibliography|references?|endnote text|footnote text", re.IGNORECASE),
    ),
    (
        "code",
        re.compile(
            r"(?:source ?|program ?|block ?)?code(?!.*(?:caption|label|title)).*|html preformatted|"
            r"preformatted text|macro text|verbatim|(?:code ?)?listing|source ?text",
            re.IGNORECASE,
        ),
    ),
    ("quote", re.compile(r"(?:intense |block ?)?(?:quote|quotations?)|block text", re.IGNORECASE)),
    ("list_item", re.compile(r".*list ?(?:bullet|number|continue)s?(?: ?\d)?", re.IGNORECASE)),
)


class _Style(NamedTuple):
    name: str = ""
    level: int | None = None
    parent: str | None = None
    list_level: int | None = None
    is_list: bool = False


class Styles:
    """The styles of a document; `start` and `end` take the elements of ``styles.xml``."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._kinds: dict[str, ParagraphKind] = {}
        self._id = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""
        tag = local_name(name)
        value = attribute(attributes, "val")
        style = self._styles.get(self._id, _Style())
        if tag == "style":
            self._id = attribute(attributes, "styleId")
            style = _Style()
        elif tag == "name":
            style = style._replace(name=value)
        elif tag == "basedOn":
            style = style._replace(parent=value)
        elif tag == "outlineLvl":
            style = style._replace(level=outline_level(value))
        elif tag == "numId":
            style = style._replace(is_list=value != "0")
        elif tag == "ilvl":
            style = style._replace(list_level=outline_level(value))
        else:
            return
        if self._id:
            self._styles[self._id] = style

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if local_name(name) == "style":
            self._id = ""

    def kind(self, style_id: str) -> ParagraphKind:
        """Return what the paragraphs of a style are, by it or by the one that it is based on."""
        if style_id not in self._kinds:
            self._kinds[style_id] = self._find_kind(style_id)
        return self._kinds[style_id]

    def _find_kind(self, style_id: str) -> ParagraphKind:
        for _ in range(_MAX_PARENTS):
            style = self._styles.get(style_id)
            if style is None:
                return kind_by_name(style_id) or ParagraphKind()
            found = kind_by_name(style.name)
            if found is not None:
                return found
            if style.level is not None:
                return ParagraphKind("heading", style.level)
            if style.is_list:
                return ParagraphKind("list_item", style.list_level or 1)
            style_id = style.parent or ""
        return ParagraphKind()


def kind_by_name(name: str) -> ParagraphKind | None:
    """Return what a style's name says; Word keeps the English names of its own in any language."""
    if (numbered := _HEADING.fullmatch(name)) is not None:
        return ParagraphKind("heading", int(numbered[1]))
    if (lettered := _LETTERED_HEADING.fullmatch(name)) is not None:
        return ParagraphKind("heading", 2 + ord(lettered[1].lower()) - ord("a"))
    if _TITLE.fullmatch(name):
        return ParagraphKind("heading", 1)
    for kind, pattern in _KINDS:
        if pattern.fullmatch(name):
            level = int(name[-1]) if kind == "list_item" and name[-1].isdecimal() else 1
            return ParagraphKind(kind, level if kind == "list_item" else None)
    return None


def local_name(name: str) -> str:
    """Return the name of an element of Word's own, or an empty string."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace in _WORD_NAMESPACES else ""


def attribute(attributes: dict[str, str], wanted: str) -> str:
    """Return the value of one of Word's own attributes, or an empty string."""
    return next((value for name, value in attributes.items() if local_name(name) == wanted), "")


def outline_level(value: str) -> int | None:
    """Convert Word's level, which counts from 0 and where 9 is running text."""
    return int(value) + 1 if len(value) == 1 and value.isdecimal() and int(value) < 9 else None

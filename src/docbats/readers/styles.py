"""What a paragraph is by its style, in the documents of word processors: DOCX, ODT and RTF."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.readers.text_builder import ParagraphKind

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

MAX_STYLE_NAME = 255
"""Characters of a style's name that are looked at; Word allows 253."""
_MAX_PARENTS = 20  # styles may be based on each other in a circle
_HEADING = re.compile(r"heading ?(\d)", re.IGNORECASE)
# Publishers number headings below a chapter's title by letters.
_LETTERED_HEADING = re.compile(r"(?:head|heading|h)[ _-]?([a-e])", re.IGNORECASE)
_PATTERNS: dict[BlockKind, str] = {
    "heading": r"title|(?:chapter|part)[ _-]?title",
    "paragraph": r".*(?:caption|label)",  # often numbered like a list
    "contents": (
        r"toc ?\d|(?:toc|contents|toa|index) heading|table of (?:figures|authorities)|"
        r"contents ?\d|index ?\d"
    ),
    "references": r"bibliography|references?|endnote text|footnote text",
    "code": (
        r"(?:source ?|program ?|block ?)?code(?!.*(?:caption|label|title)).*|html preformatted|"
        r"preformatted text|macro text|verbatim|(?:code ?)?listing|source ?text"
    ),
    "quote": r"(?:intense |block ?)?(?:quote|quotations?)|block text",
    "list_item": r".*list ?(?:bullet|number|continue)s?(?: ?\d)?",
}


def kind_by_name(name: str) -> ParagraphKind | None:
    """Return what a style's name says of its paragraphs; None if it says nothing.

    Word keeps the English names of its built-in styles in every language.

    >>> kind_by_name("heading 2"), kind_by_name("List Bullet 3"), kind_by_name("Body Text")
    (ParagraphKind(kind='heading', level=2), ParagraphKind(kind='list_item', level=3), None)
    """
    name = name[:MAX_STYLE_NAME]
    if (numbered := _HEADING.fullmatch(name)) is not None:
        return ParagraphKind("heading", int(numbered[1]))
    if (lettered := _LETTERED_HEADING.fullmatch(name)) is not None:
        return ParagraphKind("heading", 2 + ord(lettered[1].lower()) - ord("a"))
    for kind, pattern in _PATTERNS.items():
        if re.fullmatch(pattern, name, re.IGNORECASE):
            level = int(name[-1]) if kind == "list_item" and name[-1].isdecimal() else 1
            return ParagraphKind(kind, level if kind in {"heading", "list_item"} else None)
    return None


@dataclass
class ParagraphStyle:
    """A style of paragraphs, with the id of the style that it is based on."""

    name: str = ""
    parent: str = ""
    heading_level: int | None = None
    list_level: int | None = None
    is_list: bool | None = None


@dataclass
class StyleSheet:
    """The styles of a document, by their ids."""

    styles: dict[str, ParagraphStyle] = field(default_factory=dict)
    _kinds: dict[str, ParagraphKind] = field(default_factory=dict)

    def kind(self, style_id: str) -> ParagraphKind:
        """Return what a style makes of its paragraphs, by itself or through its parents."""
        if style_id not in self._kinds:
            self._kinds[style_id] = self._find_kind(style_id)
        return self._kinds[style_id]

    def _find_kind(self, style_id: str) -> ParagraphKind:
        for _ in range(_MAX_PARENTS):
            style = self.styles.get(style_id)
            if style is None:
                return kind_by_name(style_id) or ParagraphKind()
            found = kind_by_name(style.name)
            if found is not None:
                return found
            if style.heading_level is not None:
                return ParagraphKind("heading", style.heading_level)
            if style.is_list:
                return ParagraphKind("list_item", style.list_level or 1)
            style_id = style.parent
        return ParagraphKind()

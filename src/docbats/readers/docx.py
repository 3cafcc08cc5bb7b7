"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import ReadError
from docbats.readers.ooxml import main_part, parse, relations
from docbats.readers.text_builder import CellTable, ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.readers.content import Archive, FileText

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


_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"


def find_body(archive: Archive) -> str | None:
    """Return the name of the part with the text; None if it is no Word document."""
    return main_part(archive, "wordprocessingml", "word/document.xml")


def read_docx(archive: Archive) -> FileText:
    """Read the body; headers, footers and notes are other parts of the archive."""
    part = find_body(archive) or "word/document.xml"
    styles = Styles()
    linked = [rel.part for rel in relations(archive, part).values() if rel.type == "styles"]
    for name in linked or ["word/styles.xml"]:
        if name in archive.names:
            parse(archive.read(name), styles.start, styles.end)
    body = _Body(styles)
    parse(archive.read(part), body.start, body.end, body.text)
    built = body.built()
    if not built:
        msg = "a document without text: if its pages are images, recognize their text first"
        raise ReadError(msg)
    return built.file_text()


@dataclass
class _Paragraph:
    """The properties of the paragraph that is open, and its text."""

    style: str = ""
    level: int | None = None
    list_level: int | None = None
    is_list: bool | None = None
    pieces: list[str] = field(default_factory=list)


def _is_not_shown(name: str, tag: str) -> bool:
    """Whether an element holds what stands elsewhere: for old programs, or before it was moved."""
    return name == _FALLBACK or tag == "moveFrom"


class _Body:
    """Collects paragraphs and tables."""

    def __init__(self, styles: Styles) -> None:
        self._built = TextBuilder()
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # one is in another where it is in a text box
        self._table = CellTable()
        self._tables = 0
        self._not_shown = 0  # open elements that repeat what stands elsewhere
        self._in_text = False
        self._code: list[str] = []  # lines that make one block

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = local_name(name)
        self._not_shown += _is_not_shown(name, tag)
        match tag:
            case "p":
                self._paragraphs.append(_Paragraph())
            case "t":
                self._in_text = True
            case "tbl":
                self._tables += 1
            case "tr" if self._tables == 1:
                self._table.start_row()
            case "tc" if self._tables == 1:
                self._table.start_cell()
            case _ if tag and self._paragraphs:
                self._property(self._paragraphs[-1], tag, attributes)

    @staticmethod
    def _property(paragraph: _Paragraph, tag: str, attributes: dict[str, str]) -> None:
        value = attribute(attributes, "val")
        match tag:
            case "pStyle":
                paragraph.style = value
            case "outlineLvl":
                paragraph.level = outline_level(value)
            case "numId":
                paragraph.is_list = value != "0"
            case "ilvl":
                paragraph.list_level = outline_level(value)
            case "tab":
                paragraph.pieces.append("\t" if paragraph.pieces else "")
            case "br" | "cr":
                is_page = attribute(attributes, "type") == "page"
                paragraph.pieces.append(" " if is_page else "\n")
            case "noBreakHyphen":
                paragraph.pieces.append("-")

    def end(self, name: str) -> None:
        tag = local_name(name)
        self._not_shown -= _is_not_shown(name, tag)
        match tag:
            case "t":
                self._in_text = False
            case "p" if self._paragraphs:
                self._end_paragraph(self._paragraphs.pop())
            case "tbl":
                self._tables -= 1
                if self._tables == 0:
                    self._end_table()

    def text(self, text: str) -> None:
        if self._in_text and not self._not_shown and self._paragraphs:
            self._paragraphs[-1].pieces.append(text)

    def built(self) -> TextBuilder:
        """Return all that was read."""
        self._end_code()
        return self._built

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.pieces)
        kind = self._kind(paragraph)
        if self._tables:
            if text.strip():
                self._table.add(text.strip(), kind)
        elif kind.kind == "code":
            self._code.append(text.rstrip())
        elif text.strip():
            self._end_code()
            self._built.add(text.strip(), kind.kind, kind.level)

    def _kind(self, paragraph: _Paragraph) -> ParagraphKind:
        """Return what a paragraph is; what it says itself counts more than its style."""
        styled = self._styles.kind(paragraph.style)
        if paragraph.level is not None and styled.kind in {"paragraph", "heading"}:
            return ParagraphKind("heading", paragraph.level)
        if paragraph.is_list and styled.kind in {"paragraph", "list_item"}:
            return ParagraphKind("list_item", paragraph.list_level or 1)
        if paragraph.is_list is False and styled.kind == "list_item":
            return ParagraphKind()
        return styled

    def _end_code(self) -> None:
        """Add the lines of code as one block."""
        code = "\n".join(self._code).strip()
        self._code = []
        if code:
            self._built.add(code, "code")

    def _end_table(self) -> None:
        table, self._table = self._table, CellTable()
        self._end_code()
        table.add_to(self._built)

"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.readers.packages import FALLBACK, main_part, parse_xml, relations
from docbats.readers.styles import ParagraphStyle, StyleSheet
from docbats.readers.text_builder import ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText
    from docbats.readers.packages import Archive

_WORD_NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",  # the strict variant
}


def find_body(archive: Archive) -> str | None:
    """Return the name of the part with the text; None if this is not a Word document."""
    return main_part(archive, "wordprocessingml", "word/document.xml")


def read_docx(content: FileContent) -> FileText:
    """Read the body; headers, footers and notes are other parts of the archive."""
    archive = content.archive
    part = find_body(archive) or "word/document.xml"
    styles = _StyleReader()
    linked = [rel.part for rel in relations(archive, part).values() if rel.type == "styles"]
    for name in linked or ["word/styles.xml"]:
        if name in archive.names:
            parse_xml(archive.read(name), styles.start, styles.end)
    body = _Body(styles.sheet)
    parse_xml(archive.read(part), body.start, body.end, body.text)
    return body.built.file_text()


def _word_name(name: str) -> str:
    """Return the name of an element or attribute in Word's namespace, or an empty string."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace in _WORD_NAMESPACES else ""


def _attribute(attributes: dict[str, str], wanted: str) -> str:
    """Return the value of an attribute in Word's namespace, or an empty string."""
    return next((value for name, value in attributes.items() if _word_name(name) == wanted), "")


def _level(value: str) -> int | None:
    """Return a level counted from 1; Word counts from 0, and 9 is body text."""
    return int(value) + 1 if len(value) == 1 and value.isdecimal() and int(value) < 9 else None


class _StyleReader:
    """Collects the styles of ``styles.xml``."""

    def __init__(self) -> None:
        self.sheet = StyleSheet()
        self._style = ParagraphStyle()  # that is open

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _word_name(name)
        if tag == "style":
            self._style = ParagraphStyle()
            if style_id := _attribute(attributes, "styleId"):
                self.sheet.styles[style_id] = self._style
        elif tag == "name":
            self._style.name = _attribute(attributes, "val")
        else:
            _set_property(self._style, tag, _attribute(attributes, "val"))

    def end(self, name: str) -> None:
        if _word_name(name) == "style":
            self._style = ParagraphStyle()


def _set_property(style: ParagraphStyle, tag: str, value: str) -> None:
    """Set a property of a style, or of a paragraph, whose parent is its style."""
    match tag:
        case "basedOn" | "pStyle":
            style.parent = value
        case "outlineLvl":
            style.heading_level = _level(value)
        case "numId":
            style.is_list = value != "0"
        case "ilvl":
            style.list_level = _level(value)


@dataclass
class _Paragraph(ParagraphStyle):
    """The text and the properties of an open paragraph."""

    pieces: list[str] = field(default_factory=list)


class _Body:
    """Collects paragraphs and tables."""

    def __init__(self, styles: StyleSheet) -> None:
        self.built = TextBuilder()
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # a text box has paragraphs inside a paragraph
        self._duplicates = 0  # open elements that repeat other text
        self._in_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._duplicates += _is_duplicate(name)
        match _word_name(name):
            case "p":
                self._paragraphs.append(_Paragraph())
            case "t":
                self._in_text = True
            case "tbl":
                self.built.start_table()
            case "tr":
                self.built.table.start_row()
            case "tc":
                self.built.table.start_cell()
            case tag if self._paragraphs:
                self._inside(self._paragraphs[-1], tag, attributes)

    def end(self, name: str) -> None:
        self._duplicates -= _is_duplicate(name)
        match _word_name(name):
            case "t":
                self._in_text = False
            case "p" if self._paragraphs:
                paragraph = self._paragraphs.pop()
                self.built.add_paragraph("".join(paragraph.pieces), self._kind(paragraph))
            case "tbl":
                self.built.end_table()

    def text(self, text: str) -> None:
        if self._in_text and not self._duplicates and self._paragraphs:
            self._paragraphs[-1].pieces.append(text)

    def _inside(self, paragraph: _Paragraph, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "tab":
                paragraph.pieces.append("\t" if paragraph.pieces else "")
            case "br" | "cr":
                is_page = _attribute(attributes, "type") == "page"
                paragraph.pieces.append(" " if is_page else "\n")
            case "noBreakHyphen":
                paragraph.pieces.append("-")
            case _:
                _set_property(paragraph, tag, _attribute(attributes, "val"))

    def _kind(self, paragraph: _Paragraph) -> ParagraphKind:
        """Return what a paragraph is; its own properties override its style."""
        styled = self._styles.kind(paragraph.parent)
        if paragraph.heading_level is not None and styled.kind in {"paragraph", "heading"}:
            return ParagraphKind("heading", paragraph.heading_level)
        if paragraph.is_list and styled.kind in {"paragraph", "list_item"}:
            return ParagraphKind("list_item", paragraph.list_level or 1)
        if paragraph.is_list is False and styled.kind == "list_item":
            return ParagraphKind()
        return styled


def _is_duplicate(name: str) -> bool:
    """Whether an element holds text that occurs elsewhere: for old programs, or before a move."""
    return name == FALLBACK or _word_name(name) == "moveFrom"

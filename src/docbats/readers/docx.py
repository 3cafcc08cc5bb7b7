"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.readers.packages import FALLBACK, main_part, parse_xml, relations
from docbats.readers.styles import ParagraphStyle, StyleSheet
from docbats.readers.text_builder import NoteMark, ParagraphKind, TextBuilder, joined_pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """Read the body, then the notes that it refers to; headers and footers are left out."""
    archive = content.archive
    part = find_body(archive) or "word/document.xml"
    styles = _StyleReader()
    linked = relations(archive, part).values()
    for name in [rel.part for rel in linked if rel.type == "styles"] or ["word/styles.xml"]:
        if name in archive.names:
            parse_xml(archive.read(name), styles.start, styles.end)
    notes: dict[tuple[str, str], list[str]] = {}
    usual = ["word/footnotes.xml", "word/endnotes.xml"]
    for name in [rel.part for rel in linked if rel.type in {"footnotes", "endnotes"}] or usual:
        if name in archive.names:
            reader = _Notes(styles.sheet)
            parse_xml(archive.read(name), reader.start, reader.end, reader.text)
            notes |= reader.found
    body = _Body(styles.sheet, notes)
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

    def __init__(
        self, styles: StyleSheet, notes: Mapping[tuple[str, str], list[str]] | None = None
    ) -> None:
        self.built = TextBuilder()
        self._styles = styles
        self._notes = notes or {}
        self._marks: dict[tuple[str, str], NoteMark] = {}
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
                kind = self._kind(paragraph)
                self._add(joined_pieces(paragraph.pieces, kind), kind)
            case "tbl":
                self.built.end_table()

    def _add(self, text: str, kind: ParagraphKind) -> None:
        self.built.add_paragraph(text, kind)

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
            case "footnoteReference" | "endnoteReference" if not self._duplicates:
                note = (tag.removesuffix("Reference"), _attribute(attributes, "id"))
                if note not in self._marks:
                    self._marks[note] = self.built.add_note(self._notes.get(note, ()))
                paragraph.pieces.append(self._marks[note])
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


class _Notes(_Body):
    """Collects the paragraphs of each note, by its kind and its id."""

    def __init__(self, styles: StyleSheet) -> None:
        super().__init__(styles)
        self.found: dict[tuple[str, str], list[str]] = {}
        self._note: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _word_name(name)
        if tag in {"footnote", "endnote"}:
            self._note = self.found.setdefault((tag, _attribute(attributes, "id")), [])
        super().start(name, attributes)

    def _add(self, text: str, _: ParagraphKind) -> None:
        self._note.append(text)


def _is_duplicate(name: str) -> bool:
    """Whether an element holds text that occurs elsewhere: for old programs, or before a move."""
    return name == FALLBACK or _word_name(name) == "moveFrom"

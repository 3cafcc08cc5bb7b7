"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.parsers.cell_table import CellTable, ParagraphKind
from docbats.readers.parsers.docx_styles import (
    Styles,
    attribute,
    local_name,
    outline_level,
)
from docbats.readers.parsers.ooxml import main_part, relations
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.readers.parsers.xml import parse

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText
    from docbats.readers.parsers.archive import Archive

__all__ = ["find_body", "read_docx"]

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

"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.parsers.docx_styles import (
    ParagraphKind,
    Styles,
    attribute,
    local_name,
    outline_level,
)
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.readers.parsers.xml import parse

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText
    from docbats.readers.parsers.archive import Archive

__all__ = ["read_docx"]

_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_MAX_CELL = 400  # characters; a table with a longer cell lays out text


def read_docx(archive: Archive) -> FileText:
    """Read the body; headers, footers and notes are other parts of the archive."""
    styles = Styles()
    if "word/styles.xml" in archive.names:
        parse(archive.read("word/styles.xml"), styles.start, styles.end)
    body = _Body(styles)
    parse(archive.read("word/document.xml"), body.start, body.end, body.text)
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


@dataclass
class _Table:
    """The rows of a table, each a list of cells, each a list of paragraphs with their kinds."""

    rows: list[list[list[tuple[str, ParagraphKind]]]] = field(default_factory=list)

    def add(self, text: str, kind: ParagraphKind) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1].append((text, kind))

    def text(self) -> str | None:
        """Return the table as lines of cells; None if it lays out text rather than data."""
        cells = [cell for row in self.rows for cell in row]
        is_layout = max(map(len, self.rows), default=0) < 2 or any(
            sum(len(text) for text, _ in cell) > _MAX_CELL
            or any(kind.kind in {"heading", "code"} for _, kind in cell)
            for cell in cells
        )
        if is_layout:
            return None
        lines = (
            "\t".join(" ".join(" ".join(text.split()) for text, _ in cell) for cell in row)
            for row in self.rows
        )
        return "\n".join(line for line in lines if line.strip()).strip()


class _Body:
    """Collects paragraphs and tables."""

    def __init__(self, styles: Styles) -> None:
        self._built = TextBuilder()
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # one is in another where it is in a text box
        self._table = _Table()
        self._tables = self._fallbacks = 0
        self._in_text = False
        self._code: list[str] = []  # lines that make one block

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == _FALLBACK:
            self._fallbacks += 1
        tag = local_name(name)
        match tag:
            case "p":
                self._paragraphs.append(_Paragraph())
            case "t":
                self._in_text = True
            case "tbl":
                self._tables += 1
            case "tr" if self._tables == 1:
                self._table.rows.append([])
            case "tc" if self._tables == 1 and self._table.rows:
                self._table.rows[-1].append([])
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
        if name == _FALLBACK:
            self._fallbacks -= 1
        match local_name(name):
            case "t":
                self._in_text = False
            case "p" if self._paragraphs:
                self._end_paragraph(self._paragraphs.pop())
            case "tbl":
                self._tables -= 1
                if self._tables == 0:
                    self._end_table()

    def text(self, text: str) -> None:
        if self._in_text and not self._fallbacks and self._paragraphs:
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
        table, self._table = self._table, _Table()
        self._end_code()
        text = table.text()
        if text is not None:
            if text:
                self._built.add(text, "table")
            return
        for row in table.rows:
            for cell in row:
                for paragraph, kind in cell:
                    self._built.add(paragraph, kind.kind, kind.level)

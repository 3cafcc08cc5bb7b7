"""ODT, the text documents of LibreOffice and others, read from their XML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.packages import find_elements, parse_xml
from docbats.readers.styles import ParagraphStyle, StyleSheet
from docbats.readers.text_builder import ParagraphKind, TextBuilder, joined_pieces

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE, _STYLE, _OFFICE = (
    f"{_NAMESPACE}{name}:1.0 " for name in ("text", "table", "style", "office")
)
_MANIFEST = "META-INF/manifest.xml"
_MAX_SPACES = 100  # in one element
_CONTENTS = {
    f"{_TEXT}{name}"
    for name in ("table-of-content", "illustration-index", "table-index", "alphabetical-index",
                 "user-index", "object-index")
}  # fmt: skip
_NOT_READ = {
    *(
        f"{_TEXT}{name}"
        for name in ("tracked-changes", "note-citation", "ruby-text", "index-title-template")
    ),
    *(f"{_OFFICE}{name}" for name in ("annotation", "forms", "scripts", "font-face-decls")),
    "http://www.w3.org/2000/svg title",
    f"{_NAMESPACE}svg-compatible:1.0 title",
    f"{_NAMESPACE}svg-compatible:1.0 desc",
}


def read_odt(content: FileContent) -> FileText:
    """Read the body, then its notes; headers, footers, comments and deleted words are left out."""
    archive = content.archive
    if _MANIFEST in archive.names and find_elements(archive.read(_MANIFEST), "encryption-data"):
        msg = "encrypted: open it and save it without a password"
        raise ReadError(msg)
    sheet = StyleSheet()
    parts = [part for part in ("styles.xml", "content.xml") if part in archive.names]
    for style in (each for part in parts for each in find_elements(archive.read(part), "style")):
        if style.get(f"{_STYLE}family") == "paragraph":
            style_id = style.get(f"{_STYLE}name", "")
            shown = style.get(f"{_STYLE}display-name", style_id)
            parent = style.get(f"{_STYLE}parent-style-name", "")
            sheet.styles[_spaced(style_id)] = ParagraphStyle(_spaced(shown), _spaced(parent))
    body = _Body(sheet)
    parse_xml(archive.read("content.xml"), body.start, body.end, body.text)
    return body.built.file_text()


def _spaced(style_id: str) -> str:
    """Return the name of a style as people see it: ids cannot have spaces."""
    return style_id.replace("_20_", " ")


@dataclass
class _Paragraph:
    kind: ParagraphKind
    pieces: list[str] = field(default_factory=list)


class _Body:
    """Collects paragraphs, headings, lists and tables."""

    def __init__(self, styles: StyleSheet) -> None:
        self.built = TextBuilder()
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # a text box has paragraphs inside a paragraph
        self._note: list[str] | None = None  # the paragraphs of the note that is open
        self._in_body = False
        # How many of these are open:
        self._lists = self._contents = self._references = self._not_read = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._not_read += name in _NOT_READ
        self._in_body |= name == f"{_OFFICE}body"
        if self._not_read or not self._in_body:
            return
        self._count(name, 1)
        if self._note is not None and name.startswith(_TABLE):
            return
        if name == f"{_TABLE}table":
            self.built.start_table()
        elif name == f"{_TABLE}table-row":
            self.built.table.start_row()
        elif name in {f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"}:
            self.built.table.start_cell()
        elif name.startswith(_TEXT):
            self._start_text(name.removeprefix(_TEXT), attributes)

    def _count(self, name: str, step: int) -> None:
        self._contents += step * (name in _CONTENTS)
        self._references += step * (name == f"{_TEXT}bibliography")
        self._lists += step * (name == f"{_TEXT}list")

    def _start_text(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "note":
            self._note = []
        elif tag in {"p", "h"}:
            kind = self._styles.kind(_spaced(attributes.get(f"{_TEXT}style-name", "")))
            if tag == "h":
                level = attributes.get(f"{_TEXT}outline-level", "1")
                is_level = len(level) < 3 and level.isdecimal()
                kind = ParagraphKind("heading", int(level) if is_level else 1)
            self._paragraphs.append(_Paragraph(self._kind_here(kind)))
        elif not self._paragraphs:
            return
        elif tag == "s":
            count = attributes.get(f"{_TEXT}c", "1")
            n_spaces = min(int(count[:9]), _MAX_SPACES) if count.isdecimal() else 1
            self._paragraphs[-1].pieces.append(" " * n_spaces)
        elif tag in {"tab", "line-break"}:
            self._paragraphs[-1].pieces.append("\t" if tag == "tab" else "\n")

    def _kind_here(self, styled: ParagraphKind) -> ParagraphKind:
        """Return what a paragraph of this style is inside the open elements."""
        if self._contents:
            return ParagraphKind("contents")
        if self._references:
            return ParagraphKind("references")
        if self._lists and styled.kind in {"paragraph", "list_item"}:
            return ParagraphKind("list_item", self._lists)
        return styled

    def end(self, name: str) -> None:
        if self._in_body and not self._not_read:
            self._count(name, -1)
            if name in {f"{_TEXT}p", f"{_TEXT}h"} and self._paragraphs:
                self._end_paragraph(self._paragraphs.pop())
            elif name == f"{_TEXT}note":
                self._end_note()
            elif name == f"{_TABLE}table" and self._note is None:
                self.built.end_table()
        self._not_read -= name in _NOT_READ
        self._in_body &= name != f"{_OFFICE}body"

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text = joined_pieces(paragraph.pieces, paragraph.kind)
        if self._note is None:
            self.built.add_paragraph(text, paragraph.kind)
        else:
            self._note.append(text)

    def _end_note(self) -> None:
        paragraphs, self._note = self._note or [], None
        if self._paragraphs:
            self._paragraphs[-1].pieces.append(self.built.add_note(paragraphs))

    def text(self, text: str) -> None:
        if self._paragraphs and not self._not_read:
            self._paragraphs[-1].pieces.append(" ".join(text.split("\n")))

"""ODT, the text documents of LibreOffice and others, read from their XML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.docx import kind_by_name
from docbats.readers.ooxml import parse
from docbats.readers.text_builder import CellTable, ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from docbats.readers.content import Archive, FileText

_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE, _STYLE, _OFFICE = (
    f"{_NAMESPACE}{name}:1.0 " for name in ("text", "table", "style", "office")
)
_MANIFEST = "META-INF/manifest.xml"
_MAX_PARENTS = 20  # styles may be based on each other in a circle
_MAX_SPACES = 100  # that one element stands for
_CONTENTS = {
    f"{_TEXT}{name}"
    for name in ("table-of-content", "illustration-index", "table-index", "alphabetical-index",
                 "user-index", "object-index")
}  # fmt: skip
_NOT_READ = {
    *(
        f"{_TEXT}{name}"
        for name in ("tracked-changes", "note", "ruby-text", "index-title-template")
    ),
    *(f"{_OFFICE}{name}" for name in ("annotation", "forms", "scripts", "font-face-decls")),
    "http://www.w3.org/2000/svg title",
    f"{_NAMESPACE}svg-compatible:1.0 title",
    f"{_NAMESPACE}svg-compatible:1.0 desc",
}


def read_odt(archive: Archive) -> FileText:
    """Read the body; headers, footers, notes, comments and deleted words are left out."""
    _refuse_encrypted(archive)
    styles = _Styles()
    for name in ("styles.xml", "content.xml"):
        if name in archive.names:
            parse(archive.read(name), styles.start, lambda _: None)
    body = _Body(styles)
    parse(archive.read("content.xml"), body.start, body.end, body.text)
    built = body.built()
    if not built:
        msg = "a document without text: if its pages are images, recognize their text first"
        raise ReadError(msg)
    return built.file_text()


def _refuse_encrypted(archive: Archive) -> None:
    """Refuse a document with a password: its XML is there, but scrambled."""
    found = False

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal found
        found |= name.endswith(" encryption-data")

    if _MANIFEST in archive.names:
        parse(archive.read(_MANIFEST), start, lambda _: None)
    if found:
        msg = "encrypted: open it and save it without a password"
        raise ReadError(msg)


class _Styles:
    """The names of paragraph styles, and those that they are based on."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, str]] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{_STYLE}style" and attributes.get(f"{_STYLE}family") == "paragraph":
            own = attributes.get(f"{_STYLE}name", "")
            shown = attributes.get(f"{_STYLE}display-name", own)
            self._parents[own] = shown, attributes.get(f"{_STYLE}parent-style-name", "")

    def kind(self, style: str) -> ParagraphKind:
        """Return what the paragraphs of a style are, by its name or by one it is based on."""
        for _ in range(_MAX_PARENTS):
            shown, parent = self._parents.get(style, (style, ""))
            found = kind_by_name(shown.replace("_20_", " "))
            if found is not None:
                return found
            if not parent:
                break
            style = parent
        return ParagraphKind()


@dataclass
class _Paragraph:
    kind: ParagraphKind
    pieces: list[str] = field(default_factory=list)


class _Body:
    """Collects paragraphs, headings, lists and tables."""

    def __init__(self, styles: _Styles) -> None:
        self._built = TextBuilder()
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # one is in another where it is in a text box
        self._lists = self._tables = self._contents = self._references = self._not_read = 0
        self._in_body = False
        self._table = CellTable()
        self._code: list[str] = []  # lines that make one block

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _NOT_READ:
            self._not_read += 1
        if name == f"{_OFFICE}body":
            self._in_body = True
        if self._not_read or not self._in_body:
            return
        self._contents += name in _CONTENTS
        self._references += name == f"{_TEXT}bibliography"
        self._lists += name == f"{_TEXT}list"
        if name.startswith(_TABLE):
            self._start_table(name.removeprefix(_TABLE))
        elif name.startswith(_TEXT):
            self._start_text(name.removeprefix(_TEXT), attributes)

    def _start_table(self, tag: str) -> None:
        self._tables += tag == "table"
        if self._tables == 1 and tag == "table-row":
            self._table.start_row()
        elif self._tables == 1 and tag in {"table-cell", "covered-table-cell"}:
            self._table.start_cell()

    def _start_text(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in {"p", "h"}:
            kind = self._styles.kind(attributes.get(f"{_TEXT}style-name", ""))
            if tag == "h":
                level = attributes.get(f"{_TEXT}outline-level", "1")
                kind = ParagraphKind(
                    "heading", int(level) if len(level) < 3 and level.isdecimal() else 1
                )
            self._paragraphs.append(_Paragraph(self._kind(kind)))
        elif not self._paragraphs:
            return
        elif tag == "s":
            count = attributes.get(f"{_TEXT}c", "1")
            n_spaces = min(int(count[:9]), _MAX_SPACES) if count.isdecimal() else 1
            self._paragraphs[-1].pieces.append(" " * n_spaces)
        elif tag in {"tab", "line-break"}:
            self._paragraphs[-1].pieces.append("\t" if tag == "tab" else "\n")

    def _kind(self, styled: ParagraphKind) -> ParagraphKind:
        """Return what a paragraph is where it stands."""
        if self._contents:
            return ParagraphKind("contents")
        if self._references:
            return ParagraphKind("references")
        if self._lists and styled.kind in {"paragraph", "list_item"}:
            return ParagraphKind("list_item", self._lists)
        return styled

    def end(self, name: str) -> None:
        if self._in_body and not self._not_read:
            self._contents -= name in _CONTENTS
            self._references -= name == f"{_TEXT}bibliography"
            self._lists -= name == f"{_TEXT}list"
            if name in {f"{_TEXT}p", f"{_TEXT}h"} and self._paragraphs:
                self._end_paragraph(self._paragraphs.pop())
            elif name == f"{_TABLE}table":
                self._tables -= 1
                if self._tables == 0:
                    self._end_code()
                    self._table.add_to(self._built)
                    self._table = CellTable()
        if name in _NOT_READ:
            self._not_read -= 1
        if name == f"{_OFFICE}body":
            self._in_body = False

    def text(self, text: str) -> None:
        if self._paragraphs and not self._not_read:
            self._paragraphs[-1].pieces.append(" ".join(text.split("\n")))

    def built(self) -> TextBuilder:
        """Return all that was read."""
        self._end_code()
        return self._built

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text, kind = "".join(paragraph.pieces), paragraph.kind
        if self._tables:
            if text.strip():
                self._table.add(text.strip(), kind)
        elif kind.kind == "code":
            self._code.append(text.rstrip())
        elif text.strip():
            self._end_code()
            self._built.add(text.strip(), kind.kind, kind.level)

    def _end_code(self) -> None:
        """Add the lines of code as one block."""
        code = "\n".join(self._code).strip()
        self._code = []
        if code:
            self._built.add(code, "code")

"""DOCX, read from its XML; python-docx would need lxml for what takes a few lines here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import ReadError
from docbats.readers.file_text import FileText
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.readers.parsers.xml import parse
from docbats.readers.places import Places

if TYPE_CHECKING:
    from docbats.readers.parsers.archive import Archive

__all__ = ["read_docx"]

_WORD_NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",  # the strict variant
}
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_HEADING_STYLE = re.compile(r"heading (\d)", re.IGNORECASE)
_CONTENTS_STYLE = re.compile(r"toc \d|toc heading|table of figures", re.IGNORECASE)
_MAX_STYLE_PARENTS = 20  # styles may be based on each other in a circle


def read_docx(archive: Archive) -> FileText:
    """Read the body; headers, footers and notes are other parts of the archive."""
    styles = _Styles()
    if "word/styles.xml" in archive.names:
        parse(archive.read("word/styles.xml"), styles.start, styles.end)
    body = _Body(styles)
    parse(archive.read("word/document.xml"), body.start, body.end, body.text)
    if not body.built.text:
        msg = "a document without text: if its pages are images, recognize their text first"
        raise ReadError(msg)
    return FileText(body.built.text, Places(headings=tuple(body.built.headings)))


class _Style(NamedTuple):
    name: str
    level: int | None
    parent: str | None


class _Styles:
    """The styles of a document, and which of them are those of headings."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._id = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _local(name)
        value = _attribute(attributes, "val")
        style = self._styles.get(self._id, _Style("", None, None))
        if tag == "style":
            self._id = _attribute(attributes, "styleId")
            style = _Style("", None, None)
        elif tag == "name":
            style = style._replace(name=value)
        elif tag == "basedOn":
            style = style._replace(parent=value)
        elif tag == "outlineLvl":
            style = style._replace(level=_level(value))
        else:
            return
        if self._id:
            self._styles[self._id] = style

    def end(self, name: str) -> None:
        if _local(name) == "style":
            self._id = ""

    def level(self, style_id: str) -> int | None:
        """Return the level of a heading style, or of the one it is based on; None for others."""
        for _ in range(_MAX_STYLE_PARENTS):
            style = self._styles.get(style_id)
            if style is None:
                return None
            named = _HEADING_STYLE.fullmatch(style.name)
            if named:
                return int(named[1])
            if style.name.lower() == "title":
                return 1
            if style.level is not None:
                return style.level
            style_id = style.parent or ""
        return None

    def is_contents(self, style_id: str) -> bool:
        """Whether the style is that of a table of contents."""
        style = self._styles.get(style_id)
        return bool(_CONTENTS_STYLE.fullmatch(style.name if style else style_id))


class _Body:
    """Collects paragraphs; the cells of a table row make one."""

    def __init__(self, styles: _Styles) -> None:
        self.built = TextBuilder()
        self._styles = styles
        self._pieces: list[str] = []
        self._row: list[str] = []
        self._rows = self._fallbacks = 0
        self._in_text = False
        self._style = ""
        self._own_level: int | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == _FALLBACK:
            self._fallbacks += 1
        match _local(name):
            case "p":
                self._style, self._own_level = "", None
            case "pStyle":
                self._style = _attribute(attributes, "val")
            case "outlineLvl":
                self._own_level = _level(_attribute(attributes, "val"))
            case "t":
                self._in_text = True
            case "tab":
                self._pieces.append("\t" if self._pieces else "")
            case "br" | "cr":
                self._pieces.append("\n" if _attribute(attributes, "type") != "page" else " ")
            case "noBreakHyphen":
                self._pieces.append("-")
            case "tr":
                self._rows += 1

    def end(self, name: str) -> None:
        if name == _FALLBACK:
            self._fallbacks -= 1
        match _local(name):
            case "t":
                self._in_text = False
            case "p":
                self._end_paragraph()
            case "tr":
                self._rows -= 1
                if self._rows == 0:
                    self._add("\t".join(self._row), None)
                    self._row = []

    def text(self, text: str) -> None:
        if self._in_text and not self._fallbacks:
            self._pieces.append(text)

    def _end_paragraph(self) -> None:
        text = "".join(self._pieces).strip()
        self._pieces = []
        if not text or self._styles.is_contents(self._style):
            return
        if self._rows:
            self._row.append(text)
            return
        level = self._own_level
        self._add(text, self._styles.level(self._style) if level is None else level)

    def _add(self, text: str, level: int | None) -> None:
        if text:
            self.built.add(text, level)


def _local(name: str) -> str:
    """Return the name of an element of Word's own, or an empty string."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace in _WORD_NAMESPACES else ""


def _attribute(attributes: dict[str, str], wanted: str) -> str:
    return next((value for name, value in attributes.items() if _local(name) == wanted), "")


def _level(value: str) -> int | None:
    """Convert Word's outline level, which counts from 0 and where 9 is running text."""
    return int(value) + 1 if value.isdecimal() and int(value) < 9 else None

"""DOCX, read from its XML: python-docx would bring lxml for what takes a few lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from docbats.errors import ReadError
from docbats.readers.archive import Archive
from docbats.readers.extract import BlockText, Extract
from docbats.readers.places import Places
from docbats.readers.xml import parse

__all__ = ["read_docx"]

_NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",  # the strict variant
}
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_CONTENTS = re.compile(r"toc \d|toc heading|table of figures", re.IGNORECASE)


def read_docx(data: bytes) -> Extract:
    """Read the body; headers, footers, notes and deleted words are other parts of the file."""
    archive = Archive(data)
    styles = _Styles()
    if "word/styles.xml" in archive.names:
        parse(archive.read("word/styles.xml"), styles.start, styles.end)
    body = _Body(styles)
    parse(archive.read("word/document.xml"), body.start, body.end, body.text)
    if not body.built.text:
        msg = "a document without text"
        raise ReadError(msg)
    return Extract(body.built.text, "docx", Places(headings=tuple(body.built.headings)))


class _Style(NamedTuple):
    name: str
    level: int | None
    parent: str | None


class _Styles:
    """Which styles are those of headings."""

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
        """Give the level of the headings in this style, or in the one that it is based on."""
        for _ in range(20):
            style = self._styles.get(style_id)
            if style is None:
                return None
            named = _HEADING.fullmatch(style.name)
            if named:
                return int(named[1])
            if style.name.lower() == "title":
                return 1
            if style.level is not None:
                return style.level
            style_id = style.parent or ""
        return None

    def is_contents(self, style_id: str) -> bool:
        """Tell whether the style is that of a table of contents."""
        style = self._styles.get(style_id)
        return bool(_CONTENTS.fullmatch(style.name if style else style_id))


class _Body:
    """Gathers paragraphs; the cells of a table's row make one."""

    def __init__(self, styles: _Styles) -> None:
        self.built = BlockText()
        self._styles = styles
        self._words: list[str] = []
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
                self._words.append("\t" if self._words else "")
            case "br" | "cr":
                self._words.append("\n" if _attribute(attributes, "type") != "page" else " ")
            case "noBreakHyphen":
                self._words.append("-")
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
            self._words.append(text)

    def _end_paragraph(self) -> None:
        words = "".join(self._words).strip()
        self._words = []
        if not words or self._styles.is_contents(self._style):
            return
        if self._rows:
            self._row.append(words)
            return
        level = self._own_level
        self._add(words, self._styles.level(self._style) if level is None else level)

    def _add(self, words: str, level: int | None) -> None:
        if words:
            self.built.add(words, level)


def _local(name: str) -> str:
    """Give the name of an element of Word's own, or nothing."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace in _NAMESPACES else ""


def _attribute(attributes: dict[str, str], wanted: str) -> str:
    return next((value for name, value in attributes.items() if _local(name) == wanted), "")


def _level(value: str) -> int | None:
    """Turn Word's outline level, where 9 is that of running text, into ours."""
    return int(value) + 1 if value.isdecimal() and int(value) < 9 else None

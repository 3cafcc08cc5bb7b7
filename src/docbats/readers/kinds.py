"""What kind of file some bytes are: by their content first, then by their name."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal, get_args

from docbats.errors import ReadError

__all__ = ["KINDS", "FileKind", "binary_kind", "text_kind"]

FileKind = Literal["text", "markdown", "html", "pdf", "docx", "epub", "srt", "vtt", "notebook"]
KINDS: tuple[FileKind, ...] = get_args(FileKind)

_SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".srt": "srt",
    ".vtt": "vtt",
    ".ipynb": "notebook",
}

_SPACE_AND_COMMENTS = r"(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).){0,2000}-->)*+"
_HTML = re.compile(
    _SPACE_AND_COMMENTS + r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TIMES = r"(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}[ \t]+-->[ \t]+(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}"
_SRT = re.compile(r"\s*(?:\d+[ \t]*\r?\n)?[ \t]*" + _TIMES)
_VTT = re.compile(r"WEBVTT(?:[ \t\r\n]|$)")
_OPENING = 4000  # characters by which a text is told

_OTHERS = {
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
    b"{\\rtf": "an RTF file: save it as DOCX or plain text first",
    b"\x89PNG": "a picture: recognise its text first, e.g. with tesseract",
    b"\xff\xd8\xff": "a picture: recognise its text first, e.g. with tesseract",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IN_ZIP = {
    "word/document.xml": "docx",
    "META-INF/container.xml": "epub",
}
_OTHER_ZIPS = {
    "xl/workbook.xml": "an Excel file: save the sheet as CSV or plain text first",
    "ppt/presentation.xml": "a PowerPoint file: save it as PDF first",
    "content.xml": "an OpenDocument file: save it as DOCX first",
}


def binary_kind(data: bytes) -> str | None:
    """Tell PDF, DOCX and EPUB from text, which is None; refuse what none of our readers reads."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _zip_kind(data)
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            msg = "an Office file with a password: open it and save it without one"
        else:
            msg = "an old Office file: save it as DOCX or plain text first"
        raise ReadError(msg)
    for magic, advice in _OTHERS.items():
        if data.startswith(magic):
            raise ReadError(advice)
    return None


def text_kind(text: str, name: str | None) -> str:
    """Tell what kind of text this is."""
    opening = text[:_OPENING]
    if _VTT.match(opening):
        return "vtt"
    if _SRT.match(opening):
        return "srt"
    if _HTML.match(opening):
        return "html"
    if opening.lstrip()[:1] == "{" and '"nbformat"' in text and '"cell' in text:
        return "notebook"
    return _SUFFIXES.get(PurePath(name or "").suffix.lower(), "text")


def _zip_kind(data: bytes) -> str:
    from docbats.readers.archive import Archive

    names = Archive(data).names
    for member, kind in _IN_ZIP.items():
        if member in names:
            return kind
    for member, advice in _OTHER_ZIPS.items():
        if member in names:
            raise ReadError(advice)
    msg = "a ZIP archive: unpack it first, and name the files in it"
    raise ReadError(msg)

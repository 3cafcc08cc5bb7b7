"""Every kind of file that docbats reads, and how to recognize it.

The command imports this module whenever it starts, so the modules that read files are imported
when they are first used, and so are patterns compiled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from docbats.errors import ReadError
from docbats.text.markup import looks_like_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.content import FileContent, FileText


@dataclass(frozen=True, eq=False)
class Reader:
    """A kind of file, and how to recognize and read it."""

    kind: str  # its name in options, messages and results
    suffixes: tuple[str, ...]  # the endings of its file names, in lower case, with the dot
    media_types: tuple[str, ...]  # the content types under which the service accepts it
    # ``module:function`` in this package: returns the `FileText` of a `FileContent`, or raises a
    # `ReadError` that says what to do.
    function: str
    # Whether a file is of this kind, judging by its content; None if only its name can tell.
    sniff: Callable[[FileContent], bool] | None = None
    # A file that is not text is recognized by its content alone, before anything is decoded.
    is_binary: bool = False

    def read(self, content: FileContent) -> FileText:
        """Return the text of a file."""
        module, _, name = self.function.partition(":")
        return cast("FileText", getattr(import_module(f"docbats.readers.{module}"), name)(content))


def _is_html(content: FileContent) -> bool:
    space_and_comments = r"(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).){0,2000}-->)*+"
    page_start = rf"(?is){space_and_comments}<(?:!doctype\s+html|html|head|body)\b"
    return re.match(page_start, content.opening) is not None


def _is_pdf(content: FileContent) -> bool:
    return b"%PDF-" in content.data[:1024]  # some files have other bytes before it


def _is_docx(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.docx import find_body

    return find_body(content.archive) is not None


def _is_pptx(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.pptx import find_presentation

    return find_presentation(content.archive) is not None


_ODT_MEDIA_TYPES = (
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-template",
)


def _is_odt(content: FileContent) -> bool:
    if not content.is_zip or not {"mimetype", "content.xml"} <= content.archive.names:
        return False
    return content.archive.read("mimetype").strip().decode("ascii", "replace") in _ODT_MEDIA_TYPES


def _is_rtf(content: FileContent) -> bool:
    return content.data.startswith(b"{\\rtf")


def _is_epub(content: FileContent) -> bool:
    return content.is_zip and "META-INF/container.xml" in content.archive.names


def _is_srt(content: FileContent) -> bool:
    time = r"(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
    first_caption = rf"\s*(?:\d+[ \t]*\r?\n)?[ \t]*{time}[ \t]*-->[ \t]*{time}"
    return re.match(first_caption, content.opening) is not None


def _is_vtt(content: FileContent) -> bool:
    return re.match(r"WEBVTT(?![^ \t\r\n])", content.opening) is not None


def _is_notebook(content: FileContent) -> bool:
    is_json = content.opening.lstrip().startswith("{")
    return is_json and '"nbformat"' in content.text and '"cell' in content.text


_MAIL_HEADERS = {
    b"from", b"to", b"subject", b"date", b"message-id", b"mime-version", b"received",
    b"content-type", b"return-path", b"delivered-to", b"reply-to", b"sender",
}  # fmt: skip
_MIN_MAIL_HEADERS = 3  # a text may begin with one or two lines that look like headers


def _is_mail(content: FileContent) -> bool:
    headers = rb"(?:From [^\r\n]*\r?\n)?(?:[!-9;-~]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+"
    opening = re.match(headers, content.data[:20_000])
    if opening is None:
        return False
    names = {name.lower() for name in re.findall(rb"(?m)^([!-9;-~]+):", opening[0])}
    return len(_MAIL_HEADERS & names) >= _MIN_MAIL_HEADERS


_OFFICE = "application/vnd.openxmlformats-officedocument"

# In the order in which kinds are listed and recognized.
# fmt: off
READERS = (
    Reader("text", (".txt",), ("text/plain",), "content:read_unchanged"),
    Reader("markdown", (".md", ".markdown", ".mdown"), ("text/markdown",),
           "content:read_unchanged"),
    Reader("html", (".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml"),
           "html_main:read_html", _is_html),
    Reader("pdf", (".pdf",), ("application/pdf",), "pdf:read_pdf", _is_pdf, is_binary=True),
    Reader("docx", (".docx",), (f"{_OFFICE}.wordprocessingml.document",),
           "docx:read_docx", _is_docx, is_binary=True),
    Reader("odt", (".odt", ".ott"), _ODT_MEDIA_TYPES, "odt:read_odt", _is_odt, is_binary=True),
    Reader("rtf", (".rtf",), ("application/rtf", "text/rtf"),
           "rtf:read_rtf", _is_rtf, is_binary=True),
    Reader("pptx", (".pptx",), (f"{_OFFICE}.presentationml.presentation",),
           "pptx:read_pptx", _is_pptx, is_binary=True),
    Reader("epub", (".epub",), ("application/epub+zip",),
           "epub:read_epub", _is_epub, is_binary=True),
    Reader("srt", (".srt",), ("application/x-subrip",), "captions:read_captions", _is_srt),
    Reader("vtt", (".vtt",), ("text/vtt",), "captions:read_captions", _is_vtt),
    Reader("notebook", (".ipynb",), ("application/x-ipynb+json",),
           "notebook:read_notebook", _is_notebook),
    Reader("mail", (".eml", ".mbox"), ("message/rfc822", "application/mbox"),
           "mail:read_mail", _is_mail, is_binary=True),
)
# fmt: on

KINDS = tuple(reader.kind for reader in READERS)
"""The names of the kinds of files."""

SUFFIXES = frozenset(suffix for reader in READERS for suffix in reader.suffixes)
"""The endings of the names of all files that docbats reads."""

READER_OF_KIND = {reader.kind: reader for reader in READERS}
PLAIN_TEXT = READER_OF_KIND["text"]

if TYPE_CHECKING:
    FileKind = str  # type checkers need literals spelled out; the table knows them at run time
else:
    FileKind = Literal[KINDS]


def detect_reader(content: FileContent) -> Reader:
    """Return the reader of a file; raise a `ReadError` for known formats that none can read.

    The content decides first, then the name; everything else is plain text.
    """
    for is_binary in (True, False):
        for reader in READERS:
            if reader.is_binary == is_binary and reader.sniff is not None and reader.sniff(content):
                return reader
        if is_binary and (advice := _find_advice(content)) is not None:
            raise ReadError(advice)
    suffix = PurePath(content.name).suffix.lower()
    if suffix in {"", *PLAIN_TEXT.suffixes} and looks_like_markdown(content.text):
        return READER_OF_KIND["markdown"]
    by_name = (reader for reader in READERS if not reader.is_binary and suffix in reader.suffixes)
    return next(by_name, PLAIN_TEXT)


_ADVICE_BY_MAGIC = {
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
    b"\x89PNG": "an image: recognize its text first, e.g. with tesseract",
    b"\xff\xd8\xff": "an image: recognize its text first, e.g. with tesseract",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
}
_ADVICE_BY_ZIP_MEMBER = {
    "xl/workbook.xml": "an Excel file: save the sheet as CSV or plain text first",
    "content.xml": "an OpenDocument file other than text: save it as PDF or plain text first",
}
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def _find_advice(content: FileContent) -> str | None:
    """Return what to do with a file in a known format that no reader handles."""
    if content.is_zip:
        for member, advice in _ADVICE_BY_ZIP_MEMBER.items():
            if member in content.archive.names:
                return advice
        return "a ZIP archive: unpack it first, and name the files in it"
    if content.data.startswith(_OLE_MAGIC):
        if _OLE_ENCRYPTED in content.data:
            return "an Office file with a password: open it and save it without one"
        return "an old Office file: save it as DOCX or plain text first"
    advice_by_magic = _ADVICE_BY_MAGIC.items()
    return next((advice for sign, advice in advice_by_magic if content.data.startswith(sign)), None)

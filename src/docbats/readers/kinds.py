"""The kinds of files, and which one a file is: by its content first, then by its name."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from docbats.errors import ReadError
from docbats.readers.all_readers import READERS
from docbats.readers.formats.markdown import READER as MARKDOWN
from docbats.readers.formats.plain_text import READER as PLAIN_TEXT
from docbats.text.markup import looks_like_markdown

if TYPE_CHECKING:
    from docbats.readers.content import FileContent
    from docbats.readers.reader import Reader

_ADVICE_BY_MAGIC = {
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
    b"\x89PNG": "an image: recognize its text first, e.g. with tesseract",
    b"\xff\xd8\xff": "an image: recognize its text first, e.g. with tesseract",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
}
_ADVICE_BY_ZIP_MEMBER = {
    "xl/workbook.xml": "an Excel file: save the sheet as CSV or plain text first",
    "content.xml": "an OpenDocument file, but no text: save it as PDF or plain text first",
}
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def refuse_unreadable(content: FileContent) -> None:
    """Raise a `ReadError` that says what to do with a file in one of these formats."""
    if content.is_zip:
        raise ReadError(_zip_advice(content.archive.names))
    if content.data.startswith(_OLE_MAGIC):
        if _OLE_ENCRYPTED in content.data:
            msg = "an Office file with a password: open it and save it without one"
        else:
            msg = "an old Office file: save it as DOCX or plain text first"
        raise ReadError(msg)
    for magic, advice in _ADVICE_BY_MAGIC.items():
        if content.data.startswith(magic):
            raise ReadError(advice)


def _zip_advice(names: frozenset[str]) -> str:
    for member, advice in _ADVICE_BY_ZIP_MEMBER.items():
        if member in names:
            return advice
    return "a ZIP archive: unpack it first, and name the files in it"


KINDS = tuple(reader.kind for reader in READERS)
"""The names of the kinds of files."""

if TYPE_CHECKING:
    FileKind = str  # type checkers need literals spelled out; the table knows them at run time
else:
    FileKind = Literal[KINDS]

_READER_OF_KIND = {reader.kind: reader for reader in READERS}
_BINARY_READERS = tuple(reader for reader in READERS if reader.is_binary)
_TEXT_READERS = tuple(reader for reader in READERS if not reader.is_binary)
_TELLS_NOTHING = frozenset({"", *PLAIN_TEXT.suffixes})  # what any kind of text may be called
_READER_OF_SUFFIX = {suffix: reader for reader in _TEXT_READERS for suffix in reader.suffixes}


def reader_of_kind(kind: str) -> Reader | None:
    """Return the reader of a kind of file; None if there is none."""
    return _READER_OF_KIND.get(kind)


def detect_reader(content: FileContent) -> Reader:
    """Return the reader of a file; raise a `ReadError` for known formats that none can read."""
    for reader in _BINARY_READERS:
        if reader.sniff is not None and reader.sniff(content):
            return reader
    refuse_unreadable(content)
    for reader in _TEXT_READERS:
        if reader.sniff is not None and reader.sniff(content):
            return reader
    suffix = PurePath(content.name).suffix.lower()
    if suffix in _TELLS_NOTHING and looks_like_markdown(content.text):
        return MARKDOWN
    return _READER_OF_SUFFIX.get(suffix, PLAIN_TEXT)

"""Well-known formats that no reader handles, and what to save such files as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.errors import ReadError

if TYPE_CHECKING:
    from docbats.readers.file_content import FileContent

__all__ = ["refuse_unreadable"]

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

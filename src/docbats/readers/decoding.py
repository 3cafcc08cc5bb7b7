"""Bytes to text, with every character kept, so that offsets stay true."""

from __future__ import annotations

import codecs

from docbats.errors import ReadError
from docbats.readers.paths import read_bytes, shown_name

__all__ = ["NOT_FOR_FILES", "decode", "marked_encoding", "read_text"]

NOT_FOR_FILES = {"idna", "punycode", "undefined"}
"""Encodings of names, by their names in Python; some take quadratic time."""

# UTF-32 before UTF-16: the mark of the one begins with that of the other.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ADVICE_BY_MAGIC = {
    b"%PDF-": "a PDF file, not text: convert it to text first, e.g. with pdftotext",
    b"PK\x03\x04": "a ZIP archive or an Office file, not text: save it as plain text first",
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
}


def read_text(path: str, encoding: str | None = None) -> str:
    """Read a text file, or standard input where `path` is ``-``.

    Without `encoding` the byte order mark decides, and UTF-8 is assumed where there is none. Line
    ends are kept as they are.
    """
    data = read_bytes(path)
    name = shown_name(path)
    for magic, advice in _ADVICE_BY_MAGIC.items():
        if data.startswith(magic):
            msg = f"{name}: {advice}"
            raise ReadError(msg)
    return decode(data, name, encoding)


def decode(data: bytes, name: str, encoding: str | None = None) -> str:
    """Decode bytes by the encoding given, by their byte order mark, or as UTF-8."""
    if encoding is None:
        encoding = marked_encoding(data)
        if encoding is None and b"\0" in data:
            msg = (
                f"{name}: a binary file, not text (it holds zero bytes): convert it to text first, "
                "or name its encoding, e.g. utf-16"
            )
            raise ReadError(msg)
    try:
        if encoding is not None and codecs.lookup(encoding).name in NOT_FOR_FILES:
            data.decode("undefined")
        return data.decode(encoding or "utf-8")
    except UnicodeError as error:
        where = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        msg = f"{name}: not {encoding or 'UTF-8'} text{where}: name its encoding, e.g. latin-1"
        raise ReadError(msg) from None
    except (LookupError, ValueError):
        msg = f"{name}: there is no encoding {encoding!r}: try utf-8, latin-1 or cp1252"
        raise ReadError(msg) from None


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding of a byte order mark; None without one."""
    return next((e for mark, e in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)

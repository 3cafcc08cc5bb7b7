"""Plain text, with its characters kept as they are, so that offsets stay true."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from docbats.errors import ReadError

__all__ = ["STDIN", "decode", "marked_encoding", "read_bytes", "read_text", "shown_name"]

STDIN = "-"

# UTF-32 before UTF-16: the mark of the one begins with that of the other.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def shown_name(path: str) -> str:
    """Name a file, or standard input where `path` is ``-``, for people."""
    return "standard input" if path == STDIN else path


_OTHER_FILES = {
    b"%PDF-": "a PDF file, not text: turn it into text first, e.g. with pdftotext",
    b"PK\x03\x04": "a ZIP archive or an Office file, not text: save it as plain text first",
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
}


def read_text(path: str, encoding: str | None = None) -> str:
    """Read a file, or standard input where `path` is ``-``.

    Without `encoding` the byte order mark decides, and UTF-8 where there is none. Line ends are
    not translated.
    """
    data = read_bytes(path)
    name = shown_name(path)
    for magic, advice in _OTHER_FILES.items():
        if data.startswith(magic):
            msg = f"{name}: {advice}"
            raise ReadError(msg)
    return decode(data, name, encoding)


def decode(data: bytes, name: str, encoding: str | None = None) -> str:
    """Turn bytes into text, by the encoding that is named, by the byte order mark, or as UTF-8."""
    if encoding is None:
        encoding = marked_encoding(data)
        if encoding is None and b"\0" in data:
            msg = (
                f"{name}: a binary file, not text (it holds zero bytes): convert it to text first, "
                "or name its encoding, e.g. utf-16"
            )
            raise ReadError(msg)
    try:
        return data.decode(encoding or "utf-8")
    except UnicodeError as error:
        where = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        msg = f"{name}: not {encoding or 'UTF-8'} text{where}: name its encoding, e.g. latin-1"
        raise ReadError(msg) from None
    except (LookupError, ValueError):
        msg = f"{name}: there is no encoding {encoding!r}: try utf-8, latin-1 or cp1252"
        raise ReadError(msg) from None


def marked_encoding(data: bytes) -> str | None:
    """Give the encoding that a byte order mark tells."""
    return next((e for mark, e in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)


def read_bytes(path: str, most: int | None = None) -> bytes:
    """Read a file, or standard input where `path` is ``-``; no more than `most` bytes of it."""
    if path == STDIN and sys.stdin is None:
        msg = f"{shown_name(path)}: closed: name a file, or pipe a text in"
        raise ReadError(msg)
    size = -1 if most is None else most
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(size)
        with Path(path).open("rb") as file:
            return file.read(size)
    except FileNotFoundError:
        msg = f"{path}: no such file"
    except IsADirectoryError:
        msg = f"{path}: a folder, not a file: name the files in it, e.g. {path.rstrip('/')}/*.txt"
    except (OSError, ValueError) as error:
        msg = f"{shown_name(path)}: cannot be read: {getattr(error, 'strerror', None) or error}"
    raise ReadError(msg)

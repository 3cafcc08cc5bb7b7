"""Bytes to text, with every character kept, so that offsets stay true."""

from __future__ import annotations

import codecs
import re
import sys
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

from docbats.errors import ReadError

STDIN = "-"


def shown_name(path: str) -> str:
    """Return what messages call a file, or standard input where `path` is ``-``."""
    return "standard input" if path == STDIN else path


def read_bytes(path: str, max_bytes: int | None = None) -> bytes:
    """Return at most `max_bytes` bytes of a file, or of standard input where `path` is ``-``."""
    if path == STDIN and sys.stdin is None:
        msg = f"{shown_name(path)}: closed: name a file, or pipe a text in"
        raise ReadError(msg)
    size = -1 if max_bytes is None else max_bytes
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
        reason = getattr(error, "strerror", None) or error
        msg = f"{shown_name(path)}: cannot be read: {reason}"
    raise ReadError(msg)


NOT_FOR_FILES = {"idna", "punycode", "undefined"}
"""Codecs of names rather than of text, as Python calls them; some take quadratic time."""

# UTF-32 before UTF-16, whose mark is a prefix.
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

    Without `encoding`, a byte order mark decides, and UTF-8 is the default. Line ends are kept.
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
        if encoding is None and _has_zeros(data):
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


def _has_zeros(data: bytes) -> bool:
    """Whether there are zero bytes other than the marks of Info files."""
    return b"\0" in data and b"\0" in data.replace(b"\0\b[", b"").replace(b"\0\b]", b"")


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding of a byte order mark; None without one."""
    return next((e for mark, e in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)


_META_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_XML_ENCODING = re.compile(
    rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{2,40})["']""", re.IGNORECASE
)
_HEAD_BYTES = 2048  # in which a page declares its encoding
# The larger encodings that browsers use where a page declares one of these.
_LARGER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "tis-620": "cp874",
}
# Of the characters outside ASCII; with more bad ones the text is in another encoding.
_MAX_BAD_SHARE = 0.05
_MAX_BAD = 3  # bad characters allowed in any text that is UTF-8 or declares its encoding
_SAMPLE_BYTES = 200_000
_MIN_WIDE = 200  # bytes; with fewer, only many zero bytes prove that characters are wide
_ASCII = bytes(range(128))
# Quotation marks, dashes, the ellipsis and the euro sign of Windows. Other encodings have letters
# there, which do not occur by themselves.
_WINDOWS_MARKS = b"\x80\x82\x84\x85\x91\x92\x93\x94\x96\x97\xa0"
_OTHER_LETTER = re.compile("[\u0370-\u06ff]")  # Greek, Cyrillic, Hebrew, Arabic
_MIXED_LETTERS = re.compile("[A-Za-z][\u0370-\u06ff]|[\u0370-\u06ff](?=[A-Za-z])")
_MAX_MIXED_SHARE = 0.3  # of the letters of other alphabets
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_MAX_CONTROL_SHARE = 0.01  # of the characters; with more it is not text
_NOT_ASSIGNED = {"Cn", "Co", "Cs"}  # categories of code points
_REPLACEMENT = "\ufffd"
_ESCAPES = (b"\x1b", b"~{")  # switch to other scripts in 7-bit encodings


class DecodedText(NamedTuple):
    """A text, its encoding, whether that was guessed, and how many characters were replaced."""

    text: str
    encoding: str
    is_guess: bool = False
    n_replaced: int = 0


def detect_text(data: bytes, name: str) -> DecodedText:
    """Decode bytes by the encoding that is marked, declared or guessed; UTF-8 before guessing.

    A few invalid bytes are replaced by U+FFFD and counted.
    """
    marked = marked_encoding(data)
    if marked is not None:
        return _decoded(data, marked) or DecodedText(decode(data, name), marked)
    if not _has_zeros(data):
        known = ["utf-8"]
        if b"<" in data[:_HEAD_BYTES] and (declared := declared_encoding(data)):
            known = [declared, _LARGER.get(declared, declared), "utf-8"]
        if any(escape in data for escape in _ESCAPES):
            escaped = guess_encoding(data) or ""
            if escaped.startswith(("iso2022", "hz")):
                return DecodedText(decode(data, name, escaped), escaped, is_guess=True)
        found = [decoded for encoding in known if (decoded := _decoded(data, encoding))]
        if found:
            return min(found, key=lambda decoded: decoded.n_replaced)
    guess = guess_encoding(data)
    if guess is None:
        return DecodedText(decode(data, name), "utf-8")
    text = data.decode(guess, "replace")
    return DecodedText(text, guess, is_guess=True, n_replaced=_count_bad(data, text, guess))


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that a page declares in its head, as browsers understand it."""
    found = _XML_ENCODING.search(data, 0, _HEAD_BYTES) or _META_CHARSET.search(data, 0, _HEAD_BYTES)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except (LookupError, ValueError):
        return None
    if name in NOT_FOR_FILES | {"raw-unicode-escape", "unicode-escape", "utf-7"}:
        return None
    if name.startswith("utf-16"):  # the declaration could be read, so it is not UTF-16
        return "utf-8"
    return "cp1252" if name in {"iso8859-1", "ascii"} else name


def guess_encoding(data: bytes) -> str | None:
    """Guess an encoding from the bytes; None if they are not text.

    >>> text = "Fünf Fledermäuse fliegen höher, über Dächer, für größere Käfer."
    >>> guess_encoding(text.encode("cp1252"))
    'cp1252'
    """
    from chardet import detect_all

    others = data.translate(None, _ASCII)
    if others and not others.translate(None, _WINDOWS_MARKS):
        return "cp1252"
    guesses = [_python_name(found["encoding"]) for found in detect_all(data, compat_names=False)]
    if guesses[:1] == [None]:
        return None
    if b"\0" in data:  # only wide characters have zero bytes
        is_sure = len(data) >= _MIN_WIDE or data.count(b"\0") >= 0.3 * (len(data) // 2)
        guesses = [g for g in guesses if is_sure and g and g.startswith(("utf-16", "utf-32"))]
    for guess in filter(None, guesses):
        # chardet looks only at the beginning.
        name = guess if _decoded(data, guess) else _LARGER.get(guess, guess)
        decoded = _decoded(data[:_SAMPLE_BYTES], name)
        if decoded is not None and _is_plausible(decoded.text):
            western = _decoded(data[:_SAMPLE_BYTES], "cp1252")
            is_same = western is not None and western.text == decoded.text
            return "cp1252" if is_same else name
    western = None if b"\0" in data else _decoded(data, "cp1252")
    return "cp1252" if western is not None and _is_plausible(western.text) else None


def _python_name(encoding: str | None) -> str | None:
    """Return Python's name of an encoding; None if it does not know it."""
    try:
        return None if encoding is None else codecs.lookup(encoding).name
    except LookupError:
        return None


def _is_plausible(text: str) -> bool:
    """Whether a text has few control characters and few words in two alphabets ("perch\u0439")."""
    n_other = len(_OTHER_LETTER.findall(text))
    return (
        len(_CONTROL.findall(text)) <= _MAX_CONTROL_SHARE * len(text)
        and not any(category(letter) in _NOT_ASSIGNED for letter in set(text))
        and "\ufeff" not in text
        and len(_MIXED_LETTERS.findall(text)) <= _MAX_MIXED_SHARE * n_other
    )


def _decoded(data: bytes, encoding: str) -> DecodedText | None:
    """Decode, replacing a few invalid bytes; return None if there are many."""
    try:
        return DecodedText(data.decode(encoding), encoding)
    except UnicodeError:
        text = data.decode(encoding, "replace")
    except (LookupError, ValueError):
        return None
    n_bad = _count_bad(data, text, encoding)
    n_other = len(text) - len(text.encode("ascii", "ignore")) - n_bad
    if n_bad > max(_MAX_BAD if n_other > _MAX_BAD else 0, _MAX_BAD_SHARE * n_other):
        return None
    return DecodedText(text, encoding, n_replaced=n_bad)


def _count_bad(data: bytes, text: str, encoding: str) -> int:
    """Return the number of characters that replace bytes that could not be decoded."""
    if _REPLACEMENT not in text:
        return 0
    written = 0
    if encoding.startswith("utf"):  # the text may contain U+FFFD itself
        written = data.count(_REPLACEMENT.encode(encoding.removesuffix("-sig")))
    return max(0, text.count(_REPLACEMENT) - written)

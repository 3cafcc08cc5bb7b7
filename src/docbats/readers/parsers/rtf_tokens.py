"""The tokens of an RTF file: groups, control words, bytes and text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["RtfToken", "scan_rtf"]

_TOKEN = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\(?P<symbol>[\s\S])|(?P<open>\{)|(?P<close>\})|(?P<line>[\r\n]+)"
    rb"|(?P<text>[^\\{}\r\n]+)"
)


class RtfToken(NamedTuple):
    """A token: ``{``, ``}``, ``word``, ``symbol`` or ``bytes``, and what it says."""

    kind: str
    data: bytes = b""
    number: int | None = None


def scan_rtf(data: bytes) -> Iterator[RtfToken]:
    r"""Yield the tokens; the bytes after ``\bin`` are left out, and so is a backslash at the end.

    >>> [token.kind for token in scan_rtf(rb"{\b1 Bats\'e4}")]
    ['{', 'word', 'bytes', 'bytes', '}']
    """
    at = 0
    while (found := _TOKEN.match(data, at)) is not None:
        at = found.end()
        match found.lastgroup:
            case "hex":
                yield RtfToken("bytes", bytes.fromhex(found["hex"].decode("ascii")))
            case "word" | "number":
                word, number = found["word"], found["number"]
                value = None if number is None else int(number)
                if word == b"bin":
                    at += max(0, value or 0)
                else:
                    yield RtfToken("word", word, value)
            case "symbol":
                yield RtfToken("symbol", found["symbol"])
            case "open":
                yield RtfToken("{")
            case "close":
                yield RtfToken("}")
            case "text":
                yield RtfToken("bytes", found["text"])

"""The headers and parts of an e-mail, in time that grows with its size.

Python's own parser of headers takes gigabytes for one of a few hundred kilobytes, and its parser
of parts looks for every open boundary in every line.
"""

from __future__ import annotations

import binascii
import codecs
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.readers.decoding import NOT_FOR_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_DEPTH = 20  # parts within parts; each level is searched for boundaries once more
_MAX_BOUNDARY = 1000  # bytes; the standard allows 70
_HEADERS = re.compile(
    rb"(?:[!-9;-~]++:[^\r\n]*+(?:\r\n|\r|\n|\Z)(?:[ \t][^\r\n]*+(?:\r\n|\r|\n|\Z))*+)*+"
)
_HEADER = re.compile(rb"([!-9;-~]++):((?:[^\r\n]|(?:\r\n|\r|\n)[ \t])*+)")
_BLANK_LINE = re.compile(rb"[ \t]*(?:\r\n|\r|\n)")
_PARAMETER = re.compile(
    r";\s*+([^\s=;\"]++)\s*+=\s*+(?:\"((?:[^\"\\]|\\.)*+)\"?|([^;\s]*+))", re.DOTALL
)
_ENCODED_WORDS = re.compile(
    r"=\?([^?\s]{1,100})\?([bBqQ])\?([^?]*+)\?=(?:\s++(?==\?[^?\s]{1,100}\?[bBqQ]\?[^?]*+\?=))?"
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(frozen=True, eq=False)
class Part:
    """A message or a part of one: its headers, and what follows them."""

    headers: dict[str, str]  # the first of each name, in lower case, on one line
    body: bytes
    depth: int = 0
    default_type: str = "text/plain"

    @classmethod
    def parse(cls, data: bytes, depth: int = 0, default_type: str = "text/plain") -> Part:
        r"""Return the message in some bytes.

        >>> part = Part.parse(b"Subject: Bats\n and tea\n\nThey fly.\n")
        >>> part.headers, part.body
        ({'subject': 'Bats and tea'}, b'They fly.\n')
        """
        found = _HEADERS.match(data)
        end = found.end() if found else 0
        headers: dict[str, str] = {}
        for header in _HEADER.finditer(data, 0, end):
            value = b" ".join(header[2].split()).decode("utf-8", "replace")
            headers.setdefault(header[1].decode("ascii").lower(), value)
        blank = _BLANK_LINE.match(data, end)
        return cls(headers, data[blank.end() if blank else end :], depth, default_type)

    @property
    def subject(self) -> str:
        """The subject, with its encoded words decoded."""
        return " ".join(decode_words(self.headers.get("subject", "")).split())

    @cached_property
    def type(self) -> str:
        """The type of its content, such as ``text/plain``."""
        given = self.headers.get("content-type")
        if given is None:
            return self.default_type
        name = given.partition(";")[0].strip().lower()
        return name if name.count("/") == 1 else "text/plain"

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The parameters of its type, by their names in lower case."""
        found: dict[str, str] = {}
        for name, quoted, plain in _PARAMETER.findall(self.headers.get("content-type", "")):
            value = _ESCAPED.sub(r"\1", quoted) or plain
            base, star, _ = name.lower().partition("*")
            if star and name.endswith("*"):
                value = value.rpartition("'")[2]  # "utf-8''..."
            if base not in found:
                found[base] = value
            elif star and len(found[base]) < _MAX_BOUNDARY:
                found[base] += value
        return found

    @property
    def is_attachment(self) -> bool:
        """Whether it is a file to save rather than to read."""
        disposition = self.headers.get("content-disposition", "")
        return disposition.partition(";")[0].strip().lower() == "attachment"

    @cached_property
    def parts(self) -> list[Part]:
        """What it consists of: its parts, or the message that it holds."""
        if self.depth >= _MAX_DEPTH:
            return []
        if self.type == "message/rfc822":
            return [Part.parse(self.content, self.depth + 1)]
        boundary = self.parameters.get("boundary", "").rstrip()
        if not self.type.startswith("multipart/") or not 0 < len(boundary) <= _MAX_BOUNDARY:
            return []
        mark = re.escape(boundary.encode("utf-8", "replace"))
        line = re.compile(rb"--%s(--)?[ \t]*+(?:\r\n|\r|\n|\Z)" % mark)
        default = "message/rfc822" if self.type == "multipart/digest" else "text/plain"
        starts: list[int] = []
        ends: list[int] = []
        for found in line.finditer(self.body):
            before = self.body[max(0, found.start() - 2) : found.start()]
            if before and before[-1:] not in {b"\r", b"\n"}:
                continue
            if starts:  # the line end before a boundary belongs to it
                ends.append(found.start() - (2 if before == b"\r\n" else 1))
            if found[1]:
                break
            starts.append(found.end())
        ends.append(len(self.body))  # where the last boundary is missing
        return [
            Part.parse(self.body[start:end], self.depth + 1, default)
            for start, end in zip(starts, ends, strict=False)
        ]

    def find_text(self) -> Part | None:
        """Return the plain text of a message, or its page if it has none."""
        first: Part | None = None
        for part in self._texts():
            if part.type == "text/plain":
                return part
            first = first or part
        return first

    def _texts(self) -> Iterator[Part]:
        if self.is_attachment:
            return
        if self.type in {"text/plain", "text/html"}:
            yield self
        elif self.type.startswith("multipart/"):
            if not self.parts and self.depth < _MAX_DEPTH:  # its boundary is missing
                yield Part({"content-type": "text/plain"}, self.body)
            is_related = self.type == "multipart/related"
            for part in self._root() if is_related else self.parts:
                yield from part._texts()

    def _root(self) -> list[Part]:
        """Return the part that shows the others, such as a page with its images."""
        start = self.parameters.get("start")
        named = [part for part in self.parts if start and part.headers.get("content-id") == start]
        return (named or self.parts)[:1]

    @cached_property
    def content(self) -> bytes:
        """The body as it was before it was encoded for transport."""
        match self.headers.get("content-transfer-encoding", "").strip().lower():
            case "quoted-printable":
                return binascii.a2b_qp(self.body)
            case "base64":
                return _unpack_base64(self.body)
            case "x-uuencode" | "uuencode" | "uue" | "x-uue":
                return _unpack_uu(self.body)
            case _:
                return self.body

    @property
    def text(self) -> str:
        """The content as text, with what cannot be decoded replaced."""
        return _decode(self.content, self.parameters.get("charset", ""))


def decode_words(text: str) -> str:
    """Return a header with its encoded words decoded; those of one encoding are joined first.

    >>> decode_words("=?utf-8?q?B=C3?= =?utf-8?q?=A4r?= and =?utf-8?b?VGVl?=")
    'Bär and Tee'
    """
    parts: list[str] = []
    words: list[bytes] = []
    encoding, end = "", 0
    for found in _ENCODED_WORDS.finditer(text):
        if words and (found.start() > end or found[1].lower() != encoding):
            parts.append(_decode(b"".join(words), encoding))
            words = []
        parts.append(text[end : found.start()])
        words.append(_word_bytes(found[2], found[3]))
        encoding, end = found[1].lower(), found.end()
    return "".join([*parts, _decode(b"".join(words), encoding), text[end:]])


def _word_bytes(kind: str, word: str) -> bytes:
    data = word.encode("utf-8", "replace")
    return _unpack_base64(data) if kind in "bB" else binascii.a2b_qp(data, header=True)


def _decode(data: bytes, charset: str) -> str:
    """Return bytes as text; by UTF-8, if it fits, where the charset is missing or unknown."""
    encoding = find_encoding(charset.partition("*")[0])  # a language may follow it
    try:
        if encoding in {None, "ascii"}:
            return data.decode("utf-8")
        return data.decode(encoding or "", "replace")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
    except (ValueError, LookupError):
        return data.decode("utf-8", "replace")


def find_encoding(name: str) -> str | None:
    """Return Python's name of an encoding; None if it knows none for text by that name."""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_text = getattr(found, "_is_text_encoding", True)
    return found.name if is_text and found.name not in NOT_FOR_FILES else None


def _unpack_base64(data: bytes) -> bytes:
    pieces = (_NOT_BASE64.sub(b"", piece) for piece in data.split(b"="))
    whole = (piece[: len(piece) - (len(piece) % 4 == 1)] for piece in pieces)
    return b"".join(binascii.a2b_base64(each + b"=" * (-len(each) % 4)) for each in whole)


def _unpack_uu(data: bytes) -> bytes:
    parts = []
    for line in data.splitlines():
        if line.strip() and not line.startswith((b"begin ", b"end")):
            try:
                parts.append(binascii.a2b_uu(line))
            except binascii.Error:
                continue
    return b"".join(parts)

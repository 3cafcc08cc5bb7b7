"""E-mail: single messages, and archives of them (mbox)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_OPENING = rb"(?:From [^\r\n]*\r?\n)?(?:[!-9;-~]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+"
_NAME = rb"(?m)^([!-9;-~]+):"
_KNOWN = {
    b"from", b"to", b"subject", b"date", b"message-id", b"mime-version", b"received",
    b"content-type", b"return-path", b"delivered-to", b"reply-to", b"sender",
}  # fmt: skip
_MIN_KNOWN = 3  # headers; a text may begin with one or two lines like that


def _sniff(content: FileContent) -> bool:
    opening = re.match(_OPENING, content.data[:20_000])
    if opening is None:
        return False
    return len(_KNOWN & {name.lower() for name in re.findall(_NAME, opening[0])}) >= _MIN_KNOWN


def _read(content: FileContent) -> FileText:
    from docbats.readers.mail import read_mail

    return read_mail(content.data)


READER = Reader(
    kind="mail",
    suffixes=(".eml", ".mbox"),
    media_types=("message/rfc822", "application/mbox"),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

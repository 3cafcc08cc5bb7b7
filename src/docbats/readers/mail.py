"""E-mail: the subject and text of a message, or of each message of an mbox archive."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.html_main import add_blocks, html_blocks
from docbats.readers.markdown import PARAGRAPH
from docbats.readers.mime import Part
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.content import FileContent, FileText

_ENVELOPE = re.compile(rb"(?m)^From [^\r\n]*\r?\n")
_QUOTED_ENVELOPE = re.compile(rb"(?m)^>(>*From )")
_HEADER = re.compile(rb"[!-9;-~]+:")
_QUOTE_MARK = re.compile(r"^[ \t]*>[> \t]?", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- \n[\s\S]*\Z", re.MULTILINE)
_MAX_MESSAGES = 100_000
_MAX_DEPTH = 20  # messages attached to messages


def read_mail(content: FileContent) -> FileText:
    """Read the messages: the subject as a heading, then the text; attachments are left out."""
    data = content.data
    if not data.startswith(b"From ") and not _HEADER.match(data):
        msg = "not an e-mail (no header at its start): save it as .eml from the mail program"
        raise ReadError(msg)
    built = TextBuilder()
    for message in split_messages(data):
        _add_message(Part.parse(message), built, 1)
    return built.file_text(
        "an e-mail without text: its attachments are not read; save them as files first"
    )


def split_messages(data: bytes) -> list[bytes]:
    r"""Return the messages of an mbox archive, or a single message.

    >>> split_messages(b"From a Mon\nTo: b\n\nBats\n>From here\n\nFrom b Tue\nTo: a\n\nTea\n")
    [b'To: b\n\nBats\nFrom here\n\n', b'To: a\n\nTea\n']
    """
    if not data.startswith(b"From "):
        return [data]
    envelopes = [
        found.span()
        for found in _ENVELOPE.finditer(data)
        # A line of text may begin with "From ", too, but no header follows it.
        if _HEADER.match(data, found.end())
        and (found.start() == 0 or data.endswith((b"\n\n", b"\n\r\n"), 0, found.start()))
    ]
    if not envelopes or envelopes[0][0] != 0:
        envelopes.insert(0, (0, 0))  # text before the first envelope is a message, too
    if len(envelopes) > _MAX_MESSAGES:
        msg = f"more than {_MAX_MESSAGES:,} messages: split the archive first"
        raise ReadError(msg)
    ends = [*(start for start, _ in envelopes[1:]), len(data)]
    messages = (data[start:end] for (_, start), end in zip(envelopes, ends, strict=True))
    return [_QUOTED_ENVELOPE.sub(rb"\1", message) for message in messages]


def _add_message(message: Part, built: TextBuilder, level: int) -> None:
    if message.subject:
        built.add(message.subject, "heading", level)
    body = message.find_text()
    if body is not None:
        text = body.text.replace("\r\n", "\n")
        if body.type == "text/html":
            add_blocks(html_blocks(text, whole=True), built)
        else:
            _add_plain(text, built)
    if level < _MAX_DEPTH:
        for attached in _attached(message):
            _add_message(attached, built, level + 1)


def _attached(message: Part) -> Iterator[Part]:
    """Yield the messages attached to a message, but not those attached to them."""
    for part in message.parts:
        if part.type == "message/rfc822":
            yield from part.parts
        elif part.type.startswith("multipart/"):
            yield from _attached(part)


def _add_plain(text: str, built: TextBuilder) -> None:
    """Add paragraphs and quotations; the signature is left out."""
    for found in PARAGRAPH.finditer(_SIGNATURE.sub("", text)):
        paragraph = found[0].rstrip()
        lines = paragraph.split("\n")
        if all(_QUOTE_MARK.match(line) for line in lines):
            quoted = _QUOTE_MARK.sub("", paragraph).strip()
            if quoted:
                built.add(quoted, "quote")
        else:
            built.add(paragraph)

"""E-mail: the text of a message, or of the messages of an mbox archive, with their subjects."""

from __future__ import annotations

import codecs
import re
from email import errors, message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.readers.decoding import NOT_FOR_FILES
from docbats.readers.html_main import html_blocks
from docbats.readers.markdown import PARAGRAPH
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.content import FileText

_ENVELOPE = re.compile(rb"(?m)^From [^\r\n]*\r?\n")
_QUOTED_ENVELOPE = re.compile(rb"(?m)^>(>*From )")
_HEADER = re.compile(rb"[!-9;-~]+:")
_QUOTE_MARK = re.compile(r"^[ \t]*>[> \t]?", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- \n[\s\S]*\Z", re.MULTILINE)
_MAX_MESSAGES = 100_000
_MAX_DEPTH = 20  # messages that are attached to messages


def read_mail(data: bytes) -> FileText:
    """Read the messages: the subject as a heading, then the text; attachments are left out."""
    if not data.startswith(b"From ") and not _HEADER.match(data):
        msg = "not an e-mail (it begins with no header): save it as .eml from the mail program"
        raise ReadError(msg)
    built = TextBuilder()
    try:
        for message in split_messages(data):
            _add_message(message, built, 1)
    except RecursionError:  # Python's own parser of headers and parts recurses
        msg = "a broken e-mail (comments or parts nested too deeply): save it again as .eml"
        raise ReadError(msg) from None
    if not built:
        msg = "an e-mail without text: its attachments are not read; save them as files first"
        raise ReadError(msg)
    return built.file_text()


def split_messages(data: bytes) -> list[bytes]:
    r"""Return the messages of an mbox archive; a message alone is one.

    >>> split_messages(b"From a Mon\nTo: b\n\nBats\n>From here\n\nFrom b Tue\nTo: a\n\nTea\n")
    [b'To: b\n\nBats\nFrom here\n\n', b'To: a\n\nTea\n']
    """
    if not data.startswith(b"From "):
        return [data]
    envelopes = [
        found.span()
        for found in _ENVELOPE.finditer(data)
        # A line of the text may begin so, too, but no header follows it.
        if _HEADER.match(data, found.end())
        and (found.start() == 0 or data.endswith((b"\n\n", b"\n\r\n"), 0, found.start()))
    ]
    if not envelopes or envelopes[0][0] != 0:
        envelopes.insert(0, (0, 0))  # what stands before the first envelope is a message, too
    if len(envelopes) > _MAX_MESSAGES:
        msg = f"more than {_MAX_MESSAGES:,} messages: split the archive first"
        raise ReadError(msg)
    ends = [*(start for start, _ in envelopes[1:]), len(data)]
    messages = (data[start:end] for (_, start), end in zip(envelopes, ends, strict=True))
    return [_QUOTED_ENVELOPE.sub(rb"\1", message) for message in messages]


def _add_message(data: bytes, built: TextBuilder, level: int) -> None:
    message = message_from_bytes(data, policy=policy.default)
    _add_parsed(message, built, level)


def _add_parsed(message: EmailMessage, built: TextBuilder, level: int) -> None:
    subject = " ".join(_header(message, "subject").split())
    if subject:
        built.add(subject, "heading", level)
    body = _body(message)
    if body is not None:
        is_page = body.get_content_type() == "text/html"
        text = _content(body)
        if is_page:
            for block in html_blocks(text, whole=True):
                built.add(
                    block.text, block.kind, block.level, block.number, is_prose=block.is_prose
                )
        else:
            _add_plain(text, built)
    if level < _MAX_DEPTH:
        for part in _attached(message):
            _add_parsed(part, built, level + 1)


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except (
        errors.MessageError,
        ValueError,
        IndexError,
        AttributeError,
        LookupError,
        RecursionError,
    ):
        return ""  # a header that the library cannot parse


def _body(message: EmailMessage) -> MIMEPart | None:
    try:
        return message.get_body(("plain", "html"))
    except (errors.MessageError, ValueError, KeyError, AttributeError, LookupError):
        return message if not message.is_multipart() else None


def _content(body: MIMEPart) -> str:
    """Return the text of a part; what cannot be decoded is replaced."""
    if _encoding(body) in NOT_FOR_FILES:
        del body["Content-Type"]  # all of it: the rest may be something that cannot be written back
    try:
        content = body.get_content()
    except (errors.MessageError, ValueError, KeyError, LookupError):
        del body["Content-Type"]
        payload = body.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return content.replace("\r\n", "\n") if isinstance(content, str) else ""


def _encoding(body: MIMEPart) -> str:
    """Return what Python calls the encoding of a part; empty if it has none that is known."""
    try:
        return codecs.lookup(str(body.get_content_charset(""))).name
    except (LookupError, ValueError, errors.MessageError, AttributeError):
        return ""


def _attached(message: Any) -> Iterator[EmailMessage]:
    """Yield the messages that are attached to a message, but not those attached to them."""
    parts = message.get_payload() if message.is_multipart() else None
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, EmailMessage | MIMEPart) and part.is_multipart():
            if part.get_content_type() == "message/rfc822":
                inner = part.get_payload()
                yield from (m for m in inner if isinstance(m, EmailMessage))
            else:
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

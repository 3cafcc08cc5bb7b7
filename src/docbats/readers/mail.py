"""E-mail: the subject and text of a message, or of each message of an mbox archive."""

from __future__ import annotations

import codecs
import re
from email import errors, message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.readers.decoding import NOT_FOR_FILES
from docbats.readers.html_main import add_blocks, html_blocks
from docbats.readers.markdown import PARAGRAPH
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
    try:
        for message in split_messages(data):
            _add_message(message_from_bytes(message, policy=policy.default), built, 1)
    except RecursionError:  # Python's own parser of headers and parts recurses
        msg = "a broken e-mail (comments or parts nested too deeply): save it again as .eml"
        raise ReadError(msg) from None
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


def _add_message(message: EmailMessage, built: TextBuilder, level: int) -> None:
    subject = " ".join(_header(message, "subject").split())
    if subject:
        built.add(subject, "heading", level)
    body = _body(message)
    if body is not None:
        is_page = body.get_content_type() == "text/html"  # before _content changes it
        text = _content(body)
        if is_page:
            add_blocks(html_blocks(text, whole=True), built)
        else:
            _add_plain(text, built)
    if level < _MAX_DEPTH:
        for part in _attached(message):
            _add_message(part, built, level + 1)


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except (errors.MessageError, ValueError, AttributeError, LookupError, RecursionError):
        return ""  # a header that the library cannot parse


def _body(message: EmailMessage) -> MIMEPart | None:
    try:
        return message.get_body(("plain", "html"))
    except (errors.MessageError, ValueError, AttributeError, LookupError):
        return message if not message.is_multipart() else None


def _content(body: MIMEPart) -> str:
    """Return the text of a part, replacing what cannot be decoded."""
    if _encoding(body) in NOT_FOR_FILES:
        del body["Content-Type"]  # all of it: the rest may not survive being written back
    try:
        content = body.get_content()
    except (errors.MessageError, ValueError, LookupError):
        del body["Content-Type"]
        payload = body.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return content.replace("\r\n", "\n") if isinstance(content, str) else ""


def _encoding(body: MIMEPart) -> str:
    """Return Python's name of the encoding of a part; empty if it does not know it."""
    try:
        return codecs.lookup(str(body.get_content_charset(""))).name
    except (LookupError, ValueError, errors.MessageError, AttributeError):
        return ""


def _attached(message: Any) -> Iterator[EmailMessage]:
    """Yield the messages attached to a message, but not those attached to them."""
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

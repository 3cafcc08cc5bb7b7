"""The body of a request: read within limits, parsed by its content type, opened as a document."""

from __future__ import annotations

import asyncio
import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from docbats.document import Document
from docbats.errors import MissingExtraError, ReadError
from docbats.readers.read_file import read_file
from docbats.runtime import tell_stage
from docbats.serve.problems import Kind, Problem
from docbats.serve.responses import ANY_FILE, FILES, JSON, TEXT
from docbats.serve.schema import DocumentRequest, explain, parse_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from docbats.readers.content import FileText
    from docbats.readers.kinds import FileKind
    from docbats.settings import Settings

MAX_BODY_SECONDS = 30.0  # larger values let slow clients hold their places for longer
_MAX_DRAIN_SECONDS = 5.0
_MAX_DRAIN_FACTOR = 8  # how many times the allowed size is read before a client is cut off

_CHARSETS = {"utf-8", "utf-16", "iso8859-1", "cp1252", "ascii"}


async def read_body(request: Request, limit: int) -> bytes:
    """Return the whole body; raise a problem if it is larger than `limit` or arrives too slowly."""
    declared = request.headers.get("content-length", "")
    stream = request.stream()
    if declared.isdecimal() and int(declared) > limit:
        if "expect" not in request.headers:  # else the client awaits the status before it sends
            await _drain(stream, limit)
        raise too_large(limit)
    parts, size = [], 0
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            async for part in stream:
                parts.append(part)
                size += len(part)
                if size > limit:
                    await _drain(stream, limit)
                    raise too_large(limit)
    except TimeoutError:
        msg = f"The body did not arrive within {MAX_BODY_SECONDS:g} seconds: send it again, faster."
        raise Problem(Kind.TOO_SLOW_TO_ARRIVE, msg, headers={"Connection": "close"}) from None
    return b"".join(parts)


def parse_body(media: str, charset: str, body: bytes) -> dict[str, Any]:
    """Return the values that a body of this media type holds; files are not opened yet."""
    if media == TEXT:
        return {"text": _decode(body, charset)}
    if media in FILES:
        return {"file": body, "encoding": _encoding(charset) if charset else None}
    if media != JSON:
        instead = f"{TEXT}, {JSON} with a member named text, or a file as {ANY_FILE}"
        raise unsupported_type(media, instead)
    try:
        return parse_json(DocumentRequest, body).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise explain(error) from None


def unsupported_type(media: str, instead: str) -> Problem:
    """Return the problem of a body that has another media type than the service reads."""
    msg = f"{media or 'A body without a content type'} is not supported: send {instead}."
    return Problem(Kind.UNSUPPORTED_TYPE, msg)


def parse_content_type(request: Request) -> tuple[str, str]:
    """Return the media type and the charset of the body; raise a problem if it is compressed."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        msg = f"The body is compressed ({encoding:.30}): send it uncompressed."
        raise Problem(Kind.UNSUPPORTED_TYPE, msg)
    kind, *parameters = request.headers.get("content-type", "").split(";")
    names = (p.strip() for p in parameters)
    charset = next((p[8:].strip("\"' ") for p in names if p.lower().startswith("charset=")), "")
    return kind.strip().lower(), charset


def too_large(limit: int) -> Problem:
    """Return the problem of a document that has more bytes than allowed."""
    msg = (
        f"A document may have at most {limit:,} bytes: send it in parts, or start docbats serve "
        "with a larger --max-bytes."
    )
    return Problem(Kind.TOO_LARGE, msg, headers={"Connection": "close"})


def _encoding(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        name = ""
    if name not in _CHARSETS:
        msg = f"The charset {charset[:30]!r} is not supported: send UTF-8."
        raise Problem(Kind.UNSUPPORTED_TYPE, msg)
    return "utf-8-sig" if name == "utf-8" else name


def _decode(body: bytes, charset: str) -> str:
    try:
        return body.decode(_encoding(charset or "utf-8"))
    except UnicodeDecodeError as error:
        msg = (
            f"The body is not {charset or 'UTF-8'} text at byte {error.start}: send UTF-8, or name "
            "its charset, e.g. Content-Type: text/plain; charset=iso-8859-1."
        )
        raise Problem(Kind.BAD_REQUEST, msg) from None


async def _drain(stream: AsyncIterator[bytes], limit: int) -> None:
    """Read on for a while, since a client that is still sending does not read the response."""
    size = 0
    try:
        async with asyncio.timeout(_MAX_DRAIN_SECONDS):
            async for part in stream:
                size += len(part)
                if size > _MAX_DRAIN_FACTOR * limit:
                    return
    except TimeoutError:
        return


@dataclass(frozen=True)
class Upload:
    """A text, or the bytes of a file.

    Attributes
    ----------
    content
        What was sent.
    name
        What the client calls it; the suffix of a file's name may decide its kind.
    kind
        The kind of file; None to detect it, and for plain text.
    encoding
        The character encoding of a file; None to detect it.
    """

    content: str | bytes
    name: str = ""
    kind: FileKind | None = None
    encoding: str | None = None

    def open(self, settings: Settings, max_characters: int = 5_000_000) -> OpenedUpload:
        """Return it as a document; raise a problem where it cannot be read or is too long."""
        sentences, language = settings.sentences, settings.language
        if isinstance(self.content, str) and self.kind in {None, "text"}:
            return OpenedUpload(
                Document.of(self.content, self.kind, sentences=sentences, language=language)
            )
        read = self._read()
        if len(read.text) > max_characters:
            msg = (
                f"The file holds {len(read.text):,} characters of text, but at most "
                f"{max_characters:,} are allowed: send it in parts, or start docbats serve with a "
                "larger --max-bytes."
            )
            raise Problem(Kind.TOO_LARGE, msg)
        notes = (f"The file is {read.note}.",) if read.note else ()
        return OpenedUpload(read.document(sentences, language), notes)

    def _read(self) -> FileText:
        data, encoding = self.content, self.encoding
        if isinstance(data, str):
            data, encoding = data.encode(), "utf-8"
        try:
            return read_file(
                data, name=self.name or None, encoding=encoding, kind=self.kind, on_page=_tell_page
            )
        except ReadError as error:
            raise Problem(Kind.CANNOT_BE_READ, f"{error}.") from None
        except MissingExtraError as error:
            raise Problem(Kind.UNSUPPORTED_TYPE, f"{error}, where the service runs.") from None


def _tell_page(done: int, pages: int) -> None:
    tell_stage(f"Reading page {done:,} of {pages:,}", done / pages)


@dataclass(frozen=True)
class OpenedUpload:
    """A document, and notes on how it was read."""

    document: Document
    notes: tuple[str, ...] = ()

"""The body of a request, read within limits."""

from __future__ import annotations

import asyncio
import codecs
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from docbats.serve.media import ANY_FILE, FILES, JSON, TEXT
from docbats.serve.problems import Kind, Problem
from docbats.serve.schema import DocumentRequest, explain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

__all__ = ["content_type", "not_read", "read_body", "read_document", "too_large"]

BODY_SECONDS = 30.0
_DRAIN_SECONDS = 5.0
_DRAIN_TIMES = 8

_CHARSETS = {"utf-8", "utf-16", "iso8859-1", "cp1252", "ascii"}


async def read_body(request: Request, limit: int) -> bytes:
    """Read the whole body, unless it is larger than `limit` or does not arrive."""
    declared = request.headers.get("content-length", "")
    stream = request.stream()
    if declared.isdecimal() and int(declared) > limit:
        if "expect" not in request.headers:  # otherwise the client waits to hear before it sends
            await _drain(stream, limit)
        raise too_large(limit)
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in stream:
                parts.append(part)
                size += len(part)
                if size > limit:
                    await _drain(stream, limit)
                    raise too_large(limit)
    except TimeoutError:
        msg = f"The body did not arrive within {BODY_SECONDS:g} seconds: send it again, faster."
        raise Problem(Kind.TOO_SLOW_TO_ARRIVE, msg, headers={"Connection": "close"}) from None
    return b"".join(parts)


def read_document(media: str, charset: str, body: bytes) -> dict[str, Any]:
    """Turn a body of this media type into what it asks for; a file stays closed."""
    if media == TEXT:
        return {"text": _decode(body, charset)}
    if media in FILES:
        return {"file": body, "encoding": _encoding(charset) if charset else None}
    if media != JSON:
        raise not_read(media, f"{TEXT}, {JSON} with a member named text, or a file as {ANY_FILE}")
    try:
        return DocumentRequest.model_validate_json(body).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise explain(error) from None


def not_read(media: str, instead: str) -> Problem:
    """Say that bodies of this media type are not read, and what to send instead."""
    msg = f"{media or 'A body without a content type'} is not read here: send {instead}."
    return Problem(Kind.UNSUPPORTED_TYPE, msg)


def content_type(request: Request) -> tuple[str, str]:
    """Give the media type and the charset of the body; compressed ones are refused."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        msg = f"The body is compressed ({encoding:.30}), which is not read here: send it as it is."
        raise Problem(Kind.UNSUPPORTED_TYPE, msg)
    kind, *parameters = request.headers.get("content-type", "").split(";")
    names = (p.strip() for p in parameters)
    charset = next((p[8:].strip("\"' ") for p in names if p.lower().startswith("charset=")), "")
    return kind.strip().lower(), charset


def too_large(limit: int) -> Problem:
    """Say that a document has more bytes than are allowed."""
    msg = (
        f"A document may have {limit:,} bytes: send it in parts, or start docbats serve with a "
        "larger --max-bytes."
    )
    return Problem(Kind.TOO_LARGE, msg, headers={"Connection": "close"})


def _encoding(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except LookupError:
        name = ""
    if name not in _CHARSETS:
        msg = f"The charset {charset[:30]!r} is not read here: send UTF-8."
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
    """Read on for a while: a client that is still sending does not hear the answer."""
    size = 0
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for part in stream:
                size += len(part)
                if size > _DRAIN_TIMES * limit:
                    return
    except TimeoutError:
        return

"""The body of a request: read within limits and parsed by its content type."""

from __future__ import annotations

import asyncio
import codecs
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from docbats.serve.problems import Kind, Problem
from docbats.serve.responses import ANY_FILE, FILES, JSON, TEXT
from docbats.serve.schema import DocumentRequest, explain, parse_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

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
    """Return the values in a body of this media type; files are not opened yet."""
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
    """Return the problem for a body whose media type the service does not read."""
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
    """Return the problem for a document with more bytes than allowed."""
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
    """Keep reading for a while, since a client that is still sending does not read the response."""
    size = 0
    try:
        async with asyncio.timeout(_MAX_DRAIN_SECONDS):
            async for part in stream:
                size += len(part)
                if size > _MAX_DRAIN_FACTOR * limit:
                    return
    except TimeoutError:
        return

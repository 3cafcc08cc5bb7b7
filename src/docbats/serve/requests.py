"""The body of a request: read within limits and parsed by its content type."""

from __future__ import annotations

import asyncio
import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import ValidationError

from docbats.serve.problems import Kind, Problem
from docbats.serve.responses import ANY_FILE, FILES, FORM, JSON, TEXT
from docbats.serve.schema import explain, parse_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from pydantic import BaseModel
    from starlette.requests import Request

MAX_BODY_SECONDS = 30.0  # larger values let slow clients hold their places for longer
_MAX_DRAIN_SECONDS = 5.0
_MAX_DRAIN_FACTOR = 8  # how many times the allowed size is read before a client is cut off

MAX_PARTS = 1_000
"""Of a form; more would be slow to check."""

_MAX_PART_HEAD = 8_000
_PARAMETER = re.compile(
    r';\s*(?P<name>[\w.-]+)\s*=\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<token>[^;"\s]+))'
)
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


def parse_values(
    type_: BodyType, body: bytes, model: type[BaseModel], query: dict[str, Any]
) -> dict[str, Any]:
    """Return the values of a request; files are not opened yet.

    Those in the body go before those in the query. `model` describes JSON, and the fields of forms.
    """
    media, charset = type_.media, type_.charset
    if media == TEXT:
        return {**query, "text": _decode(body, charset)}
    if media in FILES:
        return {"type": FILES[media], **query, "file": body, "encoding": _known_encoding(charset)}
    try:
        if media == JSON:
            return {**query, **parse_json(model, body).model_dump(exclude_unset=True)}
        if media == FORM:
            return _parse_form(parse_parts(body, type_.parameters.get("boundary")), model, query)
    except ValidationError as error:
        raise explain(error) from None
    instead = f"{TEXT}, {JSON} with a member named text, or a file as {ANY_FILE} or in a {FORM}"
    raise unsupported_type(media, instead)


def _parse_form(
    parts: list[FormPart], model: type[BaseModel], query: dict[str, Any]
) -> dict[str, Any]:
    """Return the values in a form: a document as the part file or text, and any settings."""
    files = [part for part in parts if part.name == "file"]
    fields: dict[str, list[str]] = {}
    for part in parts:
        if part.name != "file":
            fields.setdefault(part.name, []).append(_decode(part.content, part.type.charset))
    if len(files) + len(fields.get("text", ())) != 1:
        msg = "A form must hold one document, as the part file or the part text."
        raise Problem(Kind.BAD_REQUEST, msg)
    lists = {name for name, field in model.model_fields.items() if _takes_list(field.annotation)}
    values = {
        name: given if name in lists or len(given) > 1 else given[0]
        for name, given in fields.items()
    }
    checked = model.model_validate({"text": "", **values}).model_dump(exclude_unset=True)
    if not files:
        return {**query, **checked}
    (file,) = files
    del checked["text"]
    known = {"type": FILES.get(file.type.media), **query, **checked}
    return {
        **known,
        "name": known.get("name") or file.filename[:300],
        "file": file.content,
        "encoding": _known_encoding(file.type.charset),
    }


def _takes_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(map(_takes_list, get_args(annotation)))


@dataclass(frozen=True)
class BodyType:
    """The content type of a body, in lower case, with its parameters."""

    media: str
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, header: str) -> BodyType:
        """Return the type in a header.

        >>> BodyType.of('Multipart/form-data; boundary="a;b"').parameters
        {'boundary': 'a;b'}
        """
        value, parameters = _parse_header(header)
        return cls(value.lower(), parameters)

    @property
    def charset(self) -> str:
        """Its charset; empty if none is named."""
        return self.parameters.get("charset", "")


@dataclass(frozen=True)
class FormPart:
    """A part of a form, and the name of its file if it has one, without folders."""

    name: str
    filename: str
    type: BodyType
    content: bytes


def parse_parts(body: bytes, boundary: str | None) -> list[FormPart]:
    r"""Return the parts of a form (RFC 7578); raise a problem if they cannot be told apart.

    >>> lines = b"--x", b'Content-Disposition: form-data; name="k"', b"", b"6", b"--x--"
    >>> [(part.name, part.content) for part in parse_parts(b"\r\n".join(lines), "x")]
    [('k', b'6')]
    """
    if not boundary or len(boundary) > 70 or not boundary.isascii():
        msg = "The form has no valid boundary: send one in the content type."
        raise Problem(Kind.BAD_REQUEST, msg)
    # One more than allowed, so that a body of nothing but boundaries is not split for long.
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode(), MAX_PARTS + 2)
    if len(parts) > MAX_PARTS + 1:
        msg = f"The form has more than {MAX_PARTS:,} parts: send JSON."
        raise Problem(Kind.BAD_REQUEST, msg)
    if not parts or not parts[-1].startswith(b"--"):
        msg = "The form ends before its last boundary: send it whole."
        raise Problem(Kind.BAD_REQUEST, msg)
    return [_parse_part(part) for part in parts[:-1]]


def _parse_part(part: bytes) -> FormPart:
    """Return a part from what is between two boundaries."""
    padding, _, rest = part.partition(b"\r\n")
    head, blank, content = (b"\r\n" + rest).partition(b"\r\n\r\n")
    headers = {}
    for line in head[:_MAX_PART_HEAD].decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    disposition, parameters = _parse_header(headers.get("content-disposition", ""))
    if padding.strip() or not blank or disposition.lower() != "form-data":
        msg = "A part of the form has no header Content-Disposition: form-data; name=...."
        raise Problem(Kind.BAD_REQUEST, msg)
    filename = re.split(r"[/\\]", parameters.get("filename", ""))[-1]
    type_ = BodyType.of(headers.get("content-type", ""))
    return FormPart(parameters.get("name", ""), filename, type_, content)


def _parse_header(header: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header and its parameters, by their names in lower case."""
    value, _, rest = header.partition(";")
    parameters = {
        match["name"].lower(): match["token"] or re.sub(r"\\(.)", r"\1", match["quoted"] or "")
        for match in _PARAMETER.finditer(f";{rest}")
    }
    return value.strip(), parameters


def unsupported_type(media: str, instead: str) -> Problem:
    """Return the problem for a body whose media type the service does not read."""
    msg = f"{media or 'A body without a content type'} is not supported: send {instead}."
    return Problem(Kind.UNSUPPORTED_TYPE, msg)


def parse_content_type(request: Request) -> BodyType:
    """Return the type of the body; raise a problem if it is compressed."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        msg = f"The body is compressed ({encoding:.30}): send it uncompressed."
        raise Problem(Kind.UNSUPPORTED_TYPE, msg)
    return BodyType.of(request.headers.get("content-type", ""))


def too_large(limit: int) -> Problem:
    """Return the problem for a document with more bytes than allowed."""
    msg = (
        f"A document may have at most {limit:,} bytes: send it in parts, or start docbats serve "
        "with a larger --max-bytes."
    )
    return Problem(Kind.TOO_LARGE, msg, headers={"Connection": "close"})


def _known_encoding(charset: str) -> str | None:
    return _encoding(charset) if charset else None


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

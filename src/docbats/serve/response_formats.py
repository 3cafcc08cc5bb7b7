"""The formats of a result, and which of them an Accept header asks for."""

from __future__ import annotations

from typing import Literal, get_args

from docbats.serve.media_types import DOCX
from docbats.serve.problems import Kind, Problem

__all__ = ["FORMATS", "Format", "choose_format", "media_type"]

Format = Literal["json", "md", "csv", "html", "fragment", "vtt", "youtube", "docx", "pdf"]
FORMATS: tuple[Format, ...] = get_args(Format)

_MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "fragment": "text/html",
    "vtt": "text/vtt",
    "youtube": "text/plain",
    "docx": DOCX,
    "pdf": "application/pdf",
}
_NEGOTIABLE: tuple[Format, ...] = ("json", "md", "csv", "html")


def media_type(format_: Format) -> str:
    """Return the media type of a format, with its charset where it has one."""
    name = _MEDIA_TYPES[format_]
    return f"{name}; charset=utf-8" if name.startswith("text/") else name


def choose_format(accept: str | None) -> Format:
    """Return the format that an Accept header prefers; of equals the first, JSON if it has none.

    >>> choose_format(None), choose_format("text/*;q=0.5, text/csv")
    ('json', 'csv')
    """
    ranges = _parse_ranges(accept or "*/*")
    qualities = {name: _quality(_MEDIA_TYPES[name], ranges) for name in _NEGOTIABLE}
    best = max(_NEGOTIABLE, key=lambda name: qualities[name])
    if qualities[best] <= 0:
        available = ", ".join(_MEDIA_TYPES[name] for name in _NEGOTIABLE)
        msg = f"No type in the Accept header is available: accept one of {available}."
        raise Problem(Kind.NOT_ACCEPTABLE, msg)
    return best


def _parse_ranges(accept: str) -> dict[str, float]:
    """Return the quality of each media range in an Accept header, 1 where it has none."""
    ranges = {}
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            ranges[name] = float(quality)
        except ValueError:
            ranges[name] = 1.0
    return ranges


def _quality(name: str, ranges: dict[str, float]) -> float:
    """Return the quality of the narrowest range that includes a media type."""
    for range_ in (name, f"{name.split('/', maxsplit=1)[0]}/*", "*/*"):
        if range_ in ranges:
            return ranges[range_]
    return 0.0

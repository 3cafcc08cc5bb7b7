"""The forms in which a result can be had, and which of them a client wants."""

from __future__ import annotations

from typing import Literal, get_args

from docbats.serve.problems import Kind, Problem

__all__ = ["FORMATS", "Format", "choose_format", "media_type"]

Format = Literal["json", "md", "csv", "html", "fragment"]
FORMATS: tuple[Format, ...] = get_args(Format)

_MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "fragment": "text/html",
}
_OFFERED: tuple[Format, ...] = ("json", "md", "csv", "html")


def media_type(format_: Format) -> str:
    """Give the media type of a form, with its charset where it has one."""
    name = _MEDIA_TYPES[format_]
    return name if format_ == "json" else f"{name}; charset=utf-8"


def choose_format(accept: str | None) -> Format:
    """Take the form that an Accept header likes best; of equals the first, of all JSON.

    >>> choose_format(None), choose_format("text/*;q=0.5, text/csv")
    ('json', 'csv')
    """
    ranges = _ranges(accept or "*/*")
    likings = {form: _liking(_MEDIA_TYPES[form], ranges) for form in _OFFERED}
    best = max(_OFFERED, key=lambda form: likings[form])
    if likings[best] <= 0:
        offered = ", ".join(_MEDIA_TYPES[form] for form in _OFFERED)
        msg = f"None of the types in the Accept header can be made: accept one of {offered}."
        raise Problem(Kind.NOT_ACCEPTABLE, msg)
    return best


def _ranges(accept: str) -> dict[str, float]:
    ranges = {}
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            ranges[name] = float(quality)
        except ValueError:
            ranges[name] = 1.0
    return ranges


def _liking(name: str, ranges: dict[str, float]) -> float:
    """Give the quality of the narrowest range that holds a type."""
    for wider in (name, f"{name.split('/', maxsplit=1)[0]}/*", "*/*"):
        if wider in ranges:
            return ranges[wider]
    return 0.0

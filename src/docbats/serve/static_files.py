"""The page and its files, held in memory: no address ever becomes a path."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Asset", "page", "static"]

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
_OWN = ("app.css", "app.js", "example.txt", "icon.svg")
_OF_THE_REPORT = ("view.css", "view.js")


@dataclass(frozen=True)
class Asset:
    """A file to send."""

    body: bytes
    media_type: str
    etag: str


@cache
def page() -> Asset:
    """Give the application."""
    return _load("docbats.serve", "static", "index.html")


@cache
def static() -> dict[str, Asset]:
    """Give everything that the page loads, by its name under /static."""
    own = {name: _load("docbats.serve", "static", name) for name in _OWN}
    return own | {name: _load("docbats.render", "assets", name) for name in _OF_THE_REPORT}


def _load(package: str, folder: str, name: str) -> Asset:
    body = files(package).joinpath(folder, name).read_bytes()
    digest = hashlib.sha256(body).hexdigest()[:20]
    return Asset(body, _TYPES[name.rpartition(".")[2]], f'"{digest}"')

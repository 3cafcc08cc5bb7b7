"""The page and the files it loads, held in memory: no URL ever becomes a path."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from docbats.render.html import asset

__all__ = ["StaticFile", "index_page", "static_files"]

_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
_OWN_FILES = (
    "address.js",
    "app.css",
    "app.js",
    "decode.js",
    "dom.js",
    "editing.js",
    "example.txt",
    "icon.svg",
    "library.js",
    "progress.js",
    "service.js",
    "settings.js",
    "theme.js",
)
_REPORT_FILES = ("view.css", "view.js")


@dataclass(frozen=True)
class StaticFile:
    """A file as it is sent."""

    body: bytes
    media_type: str
    etag: str


@cache
def index_page() -> StaticFile:
    """Return the page itself."""
    return _load("docbats.serve", "static", "index.html")


@cache
def static_files() -> dict[str, StaticFile]:
    """Return everything that the page loads, by its name under /static."""
    own = {name: _load("docbats.serve", "static", name) for name in _OWN_FILES}
    return own | {name: _made(name, asset(name).encode()) for name in _REPORT_FILES}


def _load(package: str, folder: str, name: str) -> StaticFile:
    return _made(name, files(package).joinpath(folder, name).read_bytes())


def _made(name: str, body: bytes) -> StaticFile:
    digest = hashlib.sha256(body).hexdigest()[:20]
    return StaticFile(body, _MEDIA_TYPES[name.rpartition(".")[2]], f'"{digest}"')

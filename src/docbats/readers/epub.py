"""EPUB: the chapters of its spine, one after the other."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docbats.errors import ReadError
from docbats.readers.archive import Archive
from docbats.readers.extract import BlockText, Extract
from docbats.readers.html import html_blocks
from docbats.readers.places import Places
from docbats.readers.xml import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_epub"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}


def read_epub(data: bytes) -> Extract:
    """Read the chapters in their order; the table of contents is none."""
    archive = Archive(data)
    package = _package_path(archive)
    book = _Package()
    parse(archive.read(package), book.start, book.end)
    encrypted = _encrypted(archive)
    built = BlockText()
    for href in book.chapters():
        name = _inside(package, href)
        if name in encrypted:
            msg = "protected against reading (DRM): get a copy without it"
            raise ReadError(msg)
        if name not in archive.names:
            continue  # a link to nowhere, which reading programs pass over, too
        page = archive.read(name).decode("utf-8-sig", "replace")
        for block in html_blocks(page, whole=True):
            built.add(block.text, block.level)
    if not built.text:
        msg = "a book without text: its pages may be pictures; recognise their text first"
        raise ReadError(msg)
    return Extract(built.text, "epub", Places(headings=tuple(built.headings)))


@dataclass
class _Package:
    """The manifest and the spine of a book."""

    _files: dict[str, str] = field(default_factory=dict)
    _spine: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "item" and attributes.get("media-type") in _PAGES:
            if "nav" not in attributes.get("properties", "").split():
                self._files[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref" and attributes.get("linear") != "no":
            self._spine.append(attributes.get("idref", ""))

    def end(self, name: str) -> None:
        """Nothing ends that matters."""

    def chapters(self) -> Iterator[str]:
        """Name the files of the spine, each once."""
        return (self._files[name] for name in dict.fromkeys(self._spine) if name in self._files)


def _package_path(archive: Archive) -> str:
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == "rootfile":
            found.append(attributes.get("full-path", ""))

    parse(archive.read(_CONTAINER), start, lambda _: None)
    if not found:
        msg = f"a broken book: {_CONTAINER} names no package: make the file anew"
        raise ReadError(msg)
    return found[0]


def _encrypted(archive: Archive) -> set[str]:
    """Name the files that are encrypted; often these are but fonts."""
    names: set[str] = set()
    if _ENCRYPTION not in archive.names:
        return names

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == "CipherReference":
            names.add(unquote(attributes.get("URI", "")))

    parse(archive.read(_ENCRYPTION), start, lambda _: None)
    return names


def _inside(package: str, href: str) -> str:
    """Follow a link from the package; what leaves the archive is no name of a file in it."""
    path = unquote(urlsplit(href).path)
    return posixpath.normpath(posixpath.join(posixpath.dirname(package), path))

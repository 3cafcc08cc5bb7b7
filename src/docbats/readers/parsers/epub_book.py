"""EPUB: the chapters of its spine, one after the other."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docbats.errors import ReadError
from docbats.readers.file_text import FileText
from docbats.readers.parsers.html_page import html_blocks
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.readers.parsers.xml import parse
from docbats.readers.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.parsers.archive import Archive

__all__ = ["read_epub"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGE_MEDIA_TYPES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}


def read_epub(archive: Archive) -> FileText:
    """Read the chapters in reading order, without the navigation document."""
    package = _package_path(archive)
    book = _Package()
    parse(archive.read(package), book.start, book.end)
    encrypted = _encrypted_names(archive)
    built = TextBuilder()
    for href in book.chapters():
        name = _linked_name(package, href)
        if name in encrypted:
            msg = "protected against reading (DRM): use a copy without it"
            raise ReadError(msg)
        if name not in archive.names:
            continue  # a missing file, which e-book readers skip, too
        page = archive.read(name).decode("utf-8-sig", "replace")
        for block in html_blocks(page, whole=True):
            built.add(block.text, block.level)
    if not built.text:
        msg = "a book without text: its pages may be images; recognize their text first"
        raise ReadError(msg)
    return FileText(built.text, Places(headings=tuple(built.headings)))


@dataclass
class _Package:
    """The manifest and the spine of a book."""

    _files: dict[str, str] = field(default_factory=dict)
    _spine: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "item" and attributes.get("media-type") in _PAGE_MEDIA_TYPES:
            if "nav" not in attributes.get("properties", "").split():
                self._files[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref" and attributes.get("linear") != "no":
            self._spine.append(attributes.get("idref", ""))

    def end(self, name: str) -> None:
        """Do nothing: no end of an element matters."""

    def chapters(self) -> Iterator[str]:
        """Return the files of the spine, each once."""
        return (self._files[name] for name in dict.fromkeys(self._spine) if name in self._files)


def _package_path(archive: Archive) -> str:
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == "rootfile":
            found.append(attributes.get("full-path", ""))

    parse(archive.read(_CONTAINER), start, lambda _: None)
    if not found:
        msg = f"a broken book: {_CONTAINER} names no package: save the file again"
        raise ReadError(msg)
    return found[0]


def _encrypted_names(archive: Archive) -> set[str]:
    """Return the names of the encrypted files, which often are only fonts."""
    names: set[str] = set()
    if _ENCRYPTION not in archive.names:
        return names

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == "CipherReference":
            names.add(unquote(attributes.get("URI", "")))

    parse(archive.read(_ENCRYPTION), start, lambda _: None)
    return names


def _linked_name(package: str, href: str) -> str:
    """Return the archive name behind a link of the package; no such member if it leads outside."""
    path = unquote(urlsplit(href).path)
    return posixpath.normpath(posixpath.join(posixpath.dirname(package), path))

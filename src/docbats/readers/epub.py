"""EPUB: the chapters of its spine, one after the other."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docbats.errors import ReadError
from docbats.readers.decoding import detect_text, marked_encoding
from docbats.readers.html_main import add_blocks, html_blocks
from docbats.readers.packages import local_name, parse_xml
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.content import FileContent, FileText
    from docbats.readers.html import HtmlBlock
    from docbats.readers.packages import Archive

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# A chapter with more than this share of its characters in links is a table of contents.
_MAX_LINKED_SHARE = 0.5
# The beginnings of chapters in UTF-16 without a byte order mark.
_WIDE_MARKS = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_PAGE_MEDIA_TYPES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}


def read_epub(content: FileContent) -> FileText:
    """Read the chapters in reading order; a navigation document among them is contents."""
    archive = content.archive
    package = _package_path(archive)
    book = _Package()
    parse_xml(archive.read(package), book.start)
    encrypted = _encrypted_names(archive)
    built = TextBuilder()
    read: set[str] = set()  # a manifest may list one file under many ids
    for href, is_navigation in book.chapters():
        name = _linked_name(package, href)
        if name in read:
            continue
        read.add(name)
        if name in encrypted:
            msg = "protected against reading (DRM): use a copy without it"
            raise ReadError(msg)
        if name not in archive.names:
            continue  # e-book readers skip missing files, too
        blocks = html_blocks(_decode_page(archive.read(name), name), whole=True)
        if is_navigation or _is_mostly_links(blocks):
            for block in blocks:
                built.add(block.text, "contents")
        else:
            add_blocks(blocks, built)
    return built.file_text(
        "a book without text: its pages may be images; recognize their text first"
    )


def _decode_page(data: bytes, name: str) -> str:
    """Decode a chapter like other pages, replacing what cannot be decoded."""
    for mark, encoding in _WIDE_MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return detect_text(data, name).text
    except ReadError:  # damaged, or an image: the other chapters can still be read
        return data.decode(marked_encoding(data) or "utf-8", "replace")


def _is_mostly_links(blocks: list[HtmlBlock]) -> bool:
    """Whether a chapter, apart from its heading, is a table of contents."""
    body = [block for block in blocks if block.kind != "heading"]
    length = sum(len(block.text) for block in body)
    return sum(block.linked for block in body) > _MAX_LINKED_SHARE * length


@dataclass
class _Package:
    """The manifest and the spine of a book."""

    _files: dict[str, tuple[str, bool]] = field(default_factory=dict)
    _spine: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = local_name(name)
        if tag == "item" and attributes.get("media-type") in _PAGE_MEDIA_TYPES:
            is_navigation = "nav" in attributes.get("properties", "").split()
            self._files[attributes.get("id", "")] = attributes.get("href", ""), is_navigation
        elif tag == "itemref" and attributes.get("linear") != "no":
            self._spine.append(attributes.get("idref", ""))

    def chapters(self) -> Iterator[tuple[str, bool]]:
        """Return the files of the spine, each once, and whether each is for navigation."""
        return (self._files[name] for name in dict.fromkeys(self._spine) if name in self._files)


def _package_path(archive: Archive) -> str:
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if local_name(name) == "rootfile":
            found.append(attributes.get("full-path", ""))

    parse_xml(archive.read(_CONTAINER), start)
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
        if local_name(name) == "CipherReference":
            names.add(unquote(attributes.get("URI", "")))

    parse_xml(archive.read(_ENCRYPTION), start)
    return names


def _linked_name(package: str, href: str) -> str:
    """Return the name in the archive of a file that the package links to."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:  # half of an IPv6 address
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(package), path))

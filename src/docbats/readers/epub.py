"""EPUB: the chapters of its spine, one after the other."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docbats.errors import ReadError
from docbats.readers.decoding import detect_text, marked_encoding
from docbats.readers.html_main import add_blocks, html_blocks
from docbats.readers.packages import find_elements
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
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
    packages = find_elements(archive.read(_CONTAINER), "rootfile")
    if not packages:
        msg = f"a broken book: {_CONTAINER} names no package: save the file again"
        raise ReadError(msg)
    package = packages[0].get("full-path", "")
    chapters = _chapters(archive.read(package), package)
    encrypted = _encrypted_names(archive)
    built = TextBuilder()
    for name, is_navigation in chapters.items():
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


def _chapters(data: bytes, package: str) -> dict[str, bool]:
    """Return the files of the spine, each once, and whether each is for navigation."""
    items = find_elements(data, "item")
    pages = {i.get("id", ""): i for i in items if i.get("media-type") in _PAGE_MEDIA_TYPES}
    chapters: dict[str, bool] = {}
    for reference in find_elements(data, "itemref"):
        item = pages.get(reference.get("idref", ""))
        if reference.get("linear") != "no" and item is not None:
            # A manifest may list one file under many ids: the first counts.
            name = _linked_name(package, item.get("href", ""))
            chapters.setdefault(name, "nav" in item.get("properties", "").split())
    return chapters


def _encrypted_names(archive: Archive) -> set[str]:
    """Return the names of the encrypted files, which often are only fonts."""
    if _ENCRYPTION not in archive.names:
        return set()
    links = find_elements(archive.read(_ENCRYPTION), "CipherReference")
    return {unquote(link.get("URI", "")) for link in links}


def _linked_name(package: str, href: str) -> str:
    """Return the name in the archive of a file that the package links to."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:  # half of an IPv6 address
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(package), path))

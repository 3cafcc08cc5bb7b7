"""Electronic books (EPUB)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    return content.is_zip and "META-INF/container.xml" in content.archive.names


def _read(content: FileContent) -> FileText:
    from docbats.readers.epub import read_epub

    return read_epub(content.archive)


READER = Reader(
    kind="epub",
    suffixes=(".epub",),
    media_types=("application/epub+zip",),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

"""PDF files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    return b"%PDF-" in content.data[:1024]  # some files have other bytes before it


def _read(content: FileContent) -> FileText:
    from docbats.readers.pdf import read_pdf

    return read_pdf(content.data, content.on_page)


READER = Reader(
    kind="pdf",
    suffixes=(".pdf",),
    media_types=("application/pdf",),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

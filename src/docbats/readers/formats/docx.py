"""Word documents (DOCX)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.docx import find_body

    return find_body(content.archive) is not None


def _read(content: FileContent) -> FileText:
    from docbats.readers.docx import read_docx

    return read_docx(content.archive)


READER = Reader(
    kind="docx",
    suffixes=(".docx",),
    media_types=("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

"""Presentations (PPTX)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.pptx import find_presentation

    return find_presentation(content.archive) is not None


def _read(content: FileContent) -> FileText:
    from docbats.readers.pptx import read_pptx

    return read_pptx(content.archive)


READER = Reader(
    kind="pptx",
    suffixes=(".pptx",),
    media_types=("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

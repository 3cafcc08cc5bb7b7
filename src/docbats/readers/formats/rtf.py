"""Rich text (RTF)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    return content.data.startswith(b"{\\rtf")


def _read(content: FileContent) -> FileText:
    from docbats.readers.rtf import read_rtf

    return read_rtf(content.data)


READER = Reader(
    kind="rtf",
    suffixes=(".rtf",),
    media_types=("application/rtf", "text/rtf"),
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

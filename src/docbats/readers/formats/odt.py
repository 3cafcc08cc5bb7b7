"""OpenDocument texts (ODT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_MEDIA_TYPES = (
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-template",
)


def _sniff(content: FileContent) -> bool:
    if not content.is_zip or not {"mimetype", "content.xml"} <= content.archive.names:
        return False
    return content.archive.read("mimetype").strip().decode("ascii", "replace") in _MEDIA_TYPES


def _read(content: FileContent) -> FileText:
    from docbats.readers.odt import read_odt

    return read_odt(content.archive)


READER = Reader(
    kind="odt",
    suffixes=(".odt", ".ott"),
    media_types=_MEDIA_TYPES,
    sniff=_sniff,
    read=_read,
    is_binary=True,
)

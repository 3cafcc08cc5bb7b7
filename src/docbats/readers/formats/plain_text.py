"""Plain text, with its characters kept as they are, so that offsets stay true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _read(content: FileContent) -> FileText:
    from docbats.readers.content import FileText

    return FileText(content.text)  # its structure is found as that of any string


READER = Reader(kind="text", suffixes=(".txt",), media_types=("text/plain",), read=_read)
"""The reader of all text that no other reader recognizes."""

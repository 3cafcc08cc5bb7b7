"""The kinds of files, and which one a file is: by its content first, then by its name."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from docbats.readers.all_readers import READERS
from docbats.readers.formats.plain_text import READER as PLAIN_TEXT

if TYPE_CHECKING:
    from docbats.readers.file_content import FileContent
    from docbats.readers.reader import Reader

__all__ = ["KINDS", "FileKind", "detect_reader", "reader_of_kind"]

KINDS = tuple(reader.kind for reader in READERS)
"""The names of the kinds of files."""

if TYPE_CHECKING:
    FileKind = str  # type checkers need literals spelled out; the table knows them at run time
else:
    FileKind = Literal[KINDS]

_READER_OF_KIND = {reader.kind: reader for reader in READERS}
_BINARY_READERS = tuple(reader for reader in READERS if reader.is_binary)
_TEXT_READERS = tuple(reader for reader in READERS if not reader.is_binary)
_READER_OF_SUFFIX = {suffix: reader for reader in _TEXT_READERS for suffix in reader.suffixes}


def reader_of_kind(kind: str) -> Reader | None:
    """Return the reader of a kind of file; None if there is none."""
    return _READER_OF_KIND.get(kind)


def detect_reader(content: FileContent) -> Reader:
    """Return the reader of a file; raise a `ReadError` for known formats that none can read."""
    from docbats.readers.unreadable import refuse_unreadable

    for reader in _BINARY_READERS:
        if reader.sniff is not None and reader.sniff(content):
            return reader
    refuse_unreadable(content)
    for reader in _TEXT_READERS:
        if reader.sniff is not None and reader.sniff(content):
            return reader
    return _READER_OF_SUFFIX.get(PurePath(content.name).suffix.lower(), PLAIN_TEXT)

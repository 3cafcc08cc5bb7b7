"""Plain text, with its characters kept as they are, so that offsets stay true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.file_content import FileContent
    from docbats.readers.file_text import FileText

__all__ = ["READER"]


def _read(content: FileContent) -> FileText:
    from docbats.readers.file_text import FileText
    from docbats.text.detect import detect_language
    from docbats.text.languages import load_language
    from docbats.text.structure import find_structure

    text = content.text
    found = find_structure(text, load_language(detect_language(text).code))
    if not found.blocks:
        return FileText(text)
    breaks = [edge for block in found.blocks for edge in (block.start, block.end)]
    return FileText(text, prose=found.prose(text), breaks=breaks, blocks=found.blocks)


READER = Reader(kind="text", suffixes=(".txt",), media_types=("text/plain",), read=_read)
"""The reader of all text that no other reader recognizes."""

"""The blocks that were found in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.blocks import check_blocks

if TYPE_CHECKING:
    from docbats.readers.content import FileText

__all__ = ["found_blocks"]


def found_blocks(read: FileText) -> list[tuple[str, int | None, str]]:
    check_blocks(read.blocks, len(read.text))
    assert read.document().sentences
    return [(b.kind, b.level, read.text[b.start : b.end]) for b in read.blocks]

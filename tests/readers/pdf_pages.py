"""Made-up pages of PDF files, and the blocks that are read from them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pypdf
from tests.sample_files import PdfLine

from docbats.blocks import check_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.content import FileText

BODY = "Bats hunt moths over the river at night, and the moths dive when they hear them call."


def read_pages(files: Any, *pages: list[PdfLine]) -> FileText:
    return read_file(files.pdf(list(pages)))


def shown(read: FileText, *kinds: str) -> list[tuple[str, str]]:
    """Return kinds and texts of the blocks, and see that they hold what all blocks must."""
    check_blocks(read.blocks, len(read.text))
    assert read.prose is not None
    assert len(read.prose) == len(read.text)
    outside = list(read.text)
    for block in read.blocks:
        outside[block.start : block.end] = " " * (block.end - block.start)
        if not block.is_prose:
            assert not read.prose[block.start : block.end].strip()
    assert not "".join(outside).strip()
    return [
        (block.kind, read.text[block.start : block.end])
        for block in read.blocks
        if not kinds or block.kind in kinds
    ]


def paragraph(y: float, n: int = 3, x: float = 72) -> list[PdfLine]:
    return [PdfLine(BODY, y - 14 * i, x=x) for i in range(n)]


def with_bookmarks(data: bytes, *bookmarks: tuple[str, int, int]) -> bytes:
    """Add bookmarks: titles, pages, and the number of the bookmark that each is under."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    items: list[Any] = [None]
    for title, page, parent in bookmarks:
        item = writer.add_outline_item(title=title, page_number=page, parent=items[parent])
        items.append(item)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()

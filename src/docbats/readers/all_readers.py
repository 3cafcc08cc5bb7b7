"""Every kind of file that docbats reads, in the order in which kinds are listed and recognized."""

from __future__ import annotations

from docbats.readers.formats import (
    docx,
    epub,
    html,
    markdown,
    notebook,
    pdf,
    plain_text,
    srt,
    vtt,
)

__all__ = ["READERS"]

READERS = (
    plain_text.READER,
    markdown.READER,
    html.READER,
    pdf.READER,
    docx.READER,
    epub.READER,
    srt.READER,
    vtt.READER,
    notebook.READER,
)

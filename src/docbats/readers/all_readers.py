"""Every kind of file that docbats reads, in the order in which kinds are listed and recognized."""

from __future__ import annotations

from docbats.readers.formats import (
    docx,
    epub,
    html,
    mail,
    markdown,
    notebook,
    odt,
    pdf,
    plain_text,
    pptx,
    rtf,
    srt,
    vtt,
)

READERS = (
    plain_text.READER,
    markdown.READER,
    html.READER,
    pdf.READER,
    docx.READER,
    odt.READER,
    rtf.READER,
    pptx.READER,
    epub.READER,
    srt.READER,
    vtt.READER,
    notebook.READER,
    mail.READER,
)

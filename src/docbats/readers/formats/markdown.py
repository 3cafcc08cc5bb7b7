"""Markdown: text whose name or look says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _read(content: FileContent) -> FileText:
    from docbats.readers.content import FileText

    return FileText(content.text)  # its blocks are found as in any string


READER = Reader(
    kind="markdown",
    suffixes=(".md", ".markdown", ".mdown"),
    media_types=("text/markdown",),
    read=_read,
)

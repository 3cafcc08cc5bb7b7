"""Markdown, which looks like any text: only the name of a file tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.file_content import FileContent
    from docbats.readers.file_text import FileText

__all__ = ["READER"]


def _read(content: FileContent) -> FileText:
    from docbats.readers.parsers.markdown_blocks import read_markdown

    return read_markdown(content.text)


READER = Reader(
    kind="markdown",
    suffixes=(".md", ".markdown", ".mdown"),
    media_types=("text/markdown",),
    read=_read,
)

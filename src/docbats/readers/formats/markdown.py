"""Markdown, which looks like any text: only the name of a file tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _read(content: FileContent) -> FileText:
    from docbats.readers.markdown import read_markdown

    return read_markdown(content.text)


READER = Reader(
    kind="markdown",
    suffixes=(".md", ".markdown", ".mdown"),
    media_types=("text/markdown",),
    read=_read,
)

"""Jupyter notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText


def _sniff(content: FileContent) -> bool:
    is_json = content.opening.lstrip().startswith("{")
    return is_json and '"nbformat"' in content.text and '"cell' in content.text


def _read(content: FileContent) -> FileText:
    from docbats.readers.notebook import read_notebook

    return read_notebook(content.text)


READER = Reader(
    kind="notebook",
    suffixes=(".ipynb",),
    media_types=("application/x-ipynb+json",),
    sniff=_sniff,
    read=_read,
)

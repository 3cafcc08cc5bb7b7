"""Captions in WebVTT."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.file_content import FileContent
    from docbats.readers.file_text import FileText

__all__ = ["READER"]

_SIGNATURE = re.compile(r"WEBVTT(?:[ \t\r\n]|$)")


def _sniff(content: FileContent) -> bool:
    return _SIGNATURE.match(content.opening) is not None


def _read(content: FileContent) -> FileText:
    from docbats.readers.parsers.captions import read_captions

    return read_captions(content.text)


READER = Reader(
    kind="vtt",
    suffixes=(".vtt",),
    media_types=("text/vtt",),
    sniff=_sniff,
    read=_read,
)

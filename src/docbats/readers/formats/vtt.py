"""Captions in WebVTT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_SIGNATURE = "WEBVTT"


def _sniff(content: FileContent) -> bool:
    after = content.opening.removeprefix(_SIGNATURE)[:1]
    return content.opening.startswith(_SIGNATURE) and (not after or after in " \t\r\n")


def _read(content: FileContent) -> FileText:
    from docbats.readers.captions import read_captions

    return read_captions(content.text)


READER = Reader(
    kind="vtt",
    suffixes=(".vtt",),
    media_types=("text/vtt",),
    sniff=_sniff,
    read=_read,
)

"""Captions in SubRip (SRT)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_TIME = r"(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
_FIRST_CAPTION = rf"\s*(?:\d+[ \t]*\r?\n)?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}"


def _sniff(content: FileContent) -> bool:
    return re.match(_FIRST_CAPTION, content.opening) is not None


def _read(content: FileContent) -> FileText:
    from docbats.readers.captions import read_captions

    return read_captions(content.text)


READER = Reader(
    kind="srt",
    suffixes=(".srt",),
    media_types=("application/x-subrip",),
    sniff=_sniff,
    read=_read,
)

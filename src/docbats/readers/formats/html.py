"""HTML and XHTML pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.readers.reader import Reader

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_SPACE_AND_COMMENTS = r"(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).){0,2000}-->)*+"
_PAGE_START = rf"(?is){_SPACE_AND_COMMENTS}<(?:!doctype\s+html|html|head|body)\b"


def _sniff(content: FileContent) -> bool:
    return re.match(_PAGE_START, content.opening) is not None


def _read(content: FileContent) -> FileText:
    from docbats.readers.html_main import read_html

    return read_html(content.text)


READER = Reader(
    kind="html",
    suffixes=(".html", ".htm", ".xhtml"),
    media_types=("text/html", "application/xhtml+xml"),
    sniff=_sniff,
    read=_read,
)

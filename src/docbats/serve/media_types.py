"""The media types of the documents that the service reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.readers.kinds import FileKind

__all__ = ["ANY_FILE", "FILES", "JSON", "LINES", "TEXT"]

TEXT = "text/plain"
JSON = "application/json"
LINES = ("application/jsonl", "application/x-ndjson", "application/jsonlines", JSON)
ANY_FILE = "application/octet-stream"

FILES: dict[str, FileKind | None] = {
    ANY_FILE: None,
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/epub+zip": "epub",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/vtt": "vtt",
    "application/x-subrip": "srt",
    "application/x-ipynb+json": "notebook",
}
"""The kind of file of each media type; None where the kind is detected from the content."""

"""The media types of the documents that the service reads."""

from __future__ import annotations

from docbats.readers.all_readers import READERS

__all__ = ["ANY_FILE", "DOCX", "FILES", "JSON", "LINES", "TEXT"]

TEXT = "text/plain"
JSON = "application/json"
LINES = ("application/jsonl", "application/x-ndjson", "application/jsonlines", JSON)
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ANY_FILE = "application/octet-stream"

FILES: dict[str, str | None] = {
    ANY_FILE: None,
    **{
        media_type: reader.kind
        for reader in READERS
        for media_type in reader.media_types
        if media_type != TEXT
    },
}
"""The kind of file of each media type; None where the kind is detected from the content."""

"""A document's result, or its failure, as a row: the same keys whatever became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.chunks import Chunk
    from docbats.corpus.errors import Failure
    from docbats.corpus.input.input_document import InputDocument
    from docbats.result import Result

__all__ = ["RowSummary", "chunks_row", "failure_row", "result_row"]

Row = dict[str, Any]


@dataclass(frozen=True)
class RowSummary:
    """What is read back of a row: to see whether it fits its document, and for the report.

    `words` holds the best words of each topic.
    """

    id: str
    place: int
    checksum: str | None
    failure: Failure | None
    characters: int = 0
    sentences: int = 0
    k: int = 0
    words: tuple[tuple[str, ...], ...] = field(default=(), repr=False)


def result_row(
    document: InputDocument,
    result: Result,
    *,
    top_words: int,
    with_text: bool,
    note: str | None = None,
) -> Row:
    """Return the row of a result; what all documents share is in ``run.json``.

    `note` is on how the document was read.
    """
    values = result.to_dict(top_words=top_words)
    if not with_text:
        for segment in values["segments"]:
            del segment["text"]
    if note is not None:
        values["notes"] = [*values["notes"], note]
    return {
        **_head(document),
        "error": None,
        "k": len(result.segments),
        **{name: values[name] for name in ("document", "choice", "topics", "segments", "notes")},
    }


def chunks_row(
    document: InputDocument,
    chunks: Sequence[Chunk],
    *,
    characters: int,
    with_text: bool,
    note: str | None = None,
) -> Row:
    """Return the row of a document that was cut into chunks, without an analysis."""
    rows = []
    for number, chunk in enumerate(chunks):
        row = {"chunk": number, **chunk.values()}
        if with_text:
            row["text"] = chunk.text
            if chunk.context:
                row["content"] = chunk.content
        rows.append(row)
    return {
        **_head(document),
        "error": None,
        "k": len(chunks),
        "document": {"characters": characters, "sentences": None},
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [] if note is None else [note],
        "chunks": rows,
    }


def failure_row(document: InputDocument, failure: Failure) -> Row:
    """Return the row of a document that has no result."""
    return {
        **_head(document),
        "error": {"kind": failure.kind, "message": failure.message},
        "k": None,
        "document": None,
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [],
    }


def _head(document: InputDocument) -> Row:
    return {
        "id": document.id,
        "place": document.place,
        "source": document.source,
        "sha256": document.checksum,
    }

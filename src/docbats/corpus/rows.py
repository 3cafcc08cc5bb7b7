"""A document's result, or its failure, as a row: the same keys whatever became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbats.corpus.errors import Failure
    from docbats.corpus.record import Record
    from docbats.result import Result

__all__ = ["Brief", "failed_row", "row_of"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Brief:
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


def row_of(
    record: Record, result: Result, *, top_words: int, with_text: bool, note: str | None = None
) -> Row:
    """Give the result of a document; what all documents share is in ``run.json``.

    `note` says how it was read, if anything has to be said about that.
    """
    values = result.to_dict(top_words=top_words)
    if not with_text:
        for segment in values["segments"]:
            del segment["text"]
    if note is not None:
        values["notes"] = [*values["notes"], note]
    return {
        **_head(record),
        "error": None,
        "k": len(result.segments),
        **{name: values[name] for name in ("document", "choice", "topics", "segments", "notes")},
    }


def failed_row(record: Record, failure: Failure) -> Row:
    """Say why a document has no result."""
    return {
        **_head(record),
        "error": {"kind": failure.kind, "message": failure.message},
        "k": None,
        "document": None,
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [],
    }


def _head(record: Record) -> Row:
    return {
        "id": record.id,
        "place": record.place,
        "source": record.source,
        "sha256": record.checksum,
    }

"""Rows come back in any order; parts are written when they are complete."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.corpus.engines.engine import AnalyzedDocument

__all__ = ["PartAssembler"]


@dataclass
class _Part:
    expected: int = 0
    is_closed: bool = False
    documents: dict[int, AnalyzedDocument] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return self.is_closed and len(self.documents) == self.expected


class PartAssembler:
    """Gathers rows into parts, and has each written once it is closed and all its rows are there.

    Parts are written one at a time in a thread of their own; an error of writing comes up with the
    next part, or at the end.

    Parameters
    ----------
    write
        Takes the number of a part, and its analyzed documents by their places.
    ordered
        Whether they are in the order of the input, or in that in which they came.

    Attributes
    ----------
    held
        Bytes of rows and pages that wait for the rest of their parts.
    """

    def __init__(
        self, write: Callable[[int, dict[int, AnalyzedDocument]], None], *, ordered: bool
    ) -> None:
        self._write, self._ordered = write, ordered
        self._parts: dict[int, _Part] = {}
        self._part_of: dict[int, int] = {}
        self._thread = ThreadPoolExecutor(1, "docbats-writer")
        self._writing: Future[None] | None = None
        self.held = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(wait=True)

    def expect(self, part: int, place: int) -> None:
        """Note that the document at a place belongs to a part."""
        self._parts.setdefault(part, _Part()).expected += 1
        self._part_of[place] = part

    def close(self, part: int) -> None:
        """Note that no more documents belong to a part."""
        if part in self._parts:
            self._parts[part].is_closed = True
            self._write_if_complete(part)

    def add(self, place: int, document: AnalyzedDocument) -> None:
        """Add a document that was expected."""
        part = self._part_of.pop(place)
        self._parts[part].documents[place] = document
        self.held += _size(document)
        self._write_if_complete(part)

    def wait(self) -> None:
        """Wait until everything that is complete is written."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def _write_if_complete(self, number: int) -> None:
        part = self._parts[number]
        if not part.is_complete:
            return
        del self._parts[number]
        self.wait()
        self.held -= sum(map(_size, part.documents.values()))
        documents = dict(sorted(part.documents.items())) if self._ordered else part.documents
        self._writing = self._thread.submit(self._write, number, documents)


def _size(document: AnalyzedDocument) -> int:
    return len(document.row) + len(document.page or b"")

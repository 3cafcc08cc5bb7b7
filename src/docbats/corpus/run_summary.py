"""How far a run is, and what it did in the end."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.corpus.errors import Failure
    from docbats.corpus.input.input_document import InputDocument

__all__ = ["DocumentCounter", "Progress", "Summary"]

_MAX_EXAMPLES = 5  # of documents that failed


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes
    ----------
    documents
        How many documents have a row.
    failed
        How many of them failed.
    resumed
        How many of them were there before this run.
    read, total
        Bytes of the input that are done, and all of them; `total` is None where that is unknown.
    skipped
        Bytes of the input that were done before this run.
    seconds
        Since the run began.
    """

    documents: int
    failed: int
    resumed: int
    read: int
    total: int | None
    skipped: int
    seconds: float

    @property
    def rate(self) -> float:
        """Documents a second of this run."""
        return (self.documents - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this rate; None where that is unknown.

        >>> Progress(20, 0, 0, read=200, total=1000, skipped=0, seconds=5.0).seconds_left
        20.0
        """
        done = self.read - self.skipped
        if self.total is None or done <= 0:
            return None
        return self.seconds * max(0, self.total - self.read) / done


@dataclass(frozen=True)
class Summary:
    """What a run did.

    Attributes
    ----------
    documents
        How many documents have a row.
    failures
        How many failed, by why.
    resumed
        How many rows were there before this run.
    parts
        How many parts there are.
    seconds
        How long this run took.
    examples
        The first documents that failed in the input, and why.
    repaired
        Files of finished parts that were damaged, and have been written again.
    """

    documents: int
    failures: Mapping[str, int]
    resumed: int
    parts: int
    seconds: float
    examples: tuple[tuple[str, Failure], ...] = field(default=(), repr=False)
    repaired: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """How many documents failed."""
        return sum(self.failures.values())

    @property
    def rate(self) -> float:
        """Documents a second of this run."""
        return (self.documents - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return what does not depend on how the run went, as JSON-ready values."""
        return {
            "documents": self.documents,
            "failed": self.failed,
            "failures": dict(self.failures),
            "parts": self.parts,
        }


class DocumentCounter:
    """Counts documents as they are done."""

    def __init__(self, total: int | None) -> None:
        self._total, self._began = total, time.monotonic()
        self._documents = self._resumed = self._read = self._skipped = 0
        self._failures: Counter[str] = Counter()
        self._examples: dict[int, tuple[str, Failure]] = {}

    def add(
        self, document: InputDocument, failure: Failure | None, *, resumed: bool = False
    ) -> None:
        """Count a document."""
        self._documents += 1
        self._resumed += resumed
        self._read = max(self._read, document.bytes_read)
        if resumed:
            self._skipped = self._read
        if failure is not None:
            self._failures[failure.kind] += 1
            self._examples[document.place] = (document.id, failure)
            if len(self._examples) > _MAX_EXAMPLES:
                del self._examples[max(self._examples)]

    @property
    def progress(self) -> Progress:
        """How far the run is."""
        seconds = time.monotonic() - self._began
        failed = self._failures.total()
        return Progress(
            documents=self._documents,
            failed=failed,
            resumed=self._resumed,
            read=self._read,
            total=self._total,
            skipped=self._skipped,
            seconds=seconds,
        )

    def summary(self, parts: int, repaired: tuple[str, ...] = ()) -> Summary:
        """Return what the run did."""
        return Summary(
            documents=self._documents,
            failures=dict(sorted(self._failures.items())),
            resumed=self._resumed,
            parts=parts,
            seconds=time.monotonic() - self._began,
            examples=tuple(self._examples[place] for place in sorted(self._examples)),
            repaired=repaired,
        )

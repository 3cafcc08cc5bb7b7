"""How documents are put together: into batches for the engine and parts for the output.

A part is a stretch of the input. Where it begins and ends follows from the documents alone, so that
an interrupted run and an undisturbed one agree on it, whatever finishes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.corpus.record import Record

__all__ = ["Limits", "Numbered", "in_batches", "in_parts"]


@dataclass(frozen=True)
class Limits:
    """The most documents and characters that belong together; a larger document stands alone."""

    documents: int
    characters: int


@dataclass(frozen=True)
class Numbered:
    """A document and the number of its part."""

    part: int
    record: Record


def in_parts(records: Iterable[Record], limits: Limits) -> Iterator[Numbered]:
    """Say which part each document belongs to."""
    gauge = _Gauge(limits)
    part = 0
    for record in records:
        if not gauge.fits(record.size):
            part += 1
            gauge.empty()
        gauge.add(record.size)
        yield Numbered(part, record)


def in_batches(records: Iterable[Record], limits: Limits) -> Iterator[list[Record]]:
    """Put documents together so that batches take about equally long."""
    gauge = _Gauge(limits)
    batch: list[Record] = []
    for record in records:
        if not gauge.fits(record.size):
            yield batch
            batch = []
            gauge.empty()
        gauge.add(record.size)
        batch.append(record)
    if batch:
        yield batch


class _Gauge:
    """Tells whether one more document fits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.empty()

    def empty(self) -> None:
        self._documents = self._characters = 0

    def fits(self, size: int) -> bool:
        if self._documents == 0:
            return True
        return (
            self._documents < self._limits.documents
            and self._characters + size <= self._limits.characters
        )

    def add(self, size: int) -> None:
        self._documents += 1
        self._characters += size

"""How documents are grouped: into batches for the engine and parts for the output.

A part is a stretch of the input. Where it begins and ends follows from the documents alone, so that
an interrupted run and an undisturbed one agree on it, whatever finishes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.corpus.input.input_document import InputDocument

__all__ = ["DocumentInPart", "GroupLimits", "assign_parts", "group_into_batches"]


@dataclass(frozen=True)
class GroupLimits:
    """The most documents and characters of a group; a larger document stands alone."""

    documents: int
    characters: int


@dataclass(frozen=True)
class DocumentInPart:
    """A document and the number of its part."""

    part: int
    document: InputDocument


def assign_parts(
    documents: Iterable[InputDocument], limits: GroupLimits
) -> Iterator[DocumentInPart]:
    """Yield each document with the number of its part."""
    group = _GroupSize(limits)
    part = 0
    for document in documents:
        if not group.fits(document.size):
            part += 1
            group.clear()
        group.add(document.size)
        yield DocumentInPart(part, document)


def group_into_batches(
    documents: Iterable[InputDocument], limits: GroupLimits
) -> Iterator[list[InputDocument]]:
    """Group documents so that batches take about equally long."""
    group = _GroupSize(limits)
    batch: list[InputDocument] = []
    for document in documents:
        if not group.fits(document.size):
            yield batch
            batch = []
            group.clear()
        group.add(document.size)
        batch.append(document)
    if batch:
        yield batch


class _GroupSize:
    """The size of a group, and whether one more document fits."""

    def __init__(self, limits: GroupLimits) -> None:
        self._limits = limits
        self.clear()

    def clear(self) -> None:
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

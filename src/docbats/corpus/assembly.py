"""Rows come back in any order; parts are written when they are complete."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.corpus.engine import Answer

__all__ = ["Assembly"]


@dataclass
class _Part:
    expected: int = 0
    is_closed: bool = False
    answers: dict[int, Answer] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return self.is_closed and len(self.answers) == self.expected


class Assembly:
    """Gathers rows into parts, and has each written once it is closed and all its rows are there.

    Parts are written one at a time beside the other work; an error of writing comes up with the
    next part, or at the end.

    Parameters
    ----------
    write
        Takes the number of a part, and its answers by the places of their documents.
    ordered
        Whether they are in the order of the input, or in that in which they came.
    """

    def __init__(self, write: Callable[[int, dict[int, Answer]], None], *, ordered: bool) -> None:
        self._write, self._ordered = write, ordered
        self._parts: dict[int, _Part] = {}
        self._part_of: dict[int, int] = {}
        self._thread = ThreadPoolExecutor(1, "docbats-writer")
        self._writing: Future[None] | None = None
        self.held = 0
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(wait=True)

    def expect(self, part: int, place: int) -> None:
        """Note that a row belongs to a part."""
        self._parts.setdefault(part, _Part()).expected += 1
        self._part_of[place] = part

    def close(self, part: int) -> None:
        """Note that no more rows belong to a part."""
        if part in self._parts:
            self._parts[part].is_closed = True
            self._finish(part)

    def add(self, place: int, answer: Answer) -> None:
        """Take an answer whose row was expected."""
        part = self._part_of.pop(place)
        self._parts[part].answers[place] = answer
        self.held += _size(answer)
        self._finish(part)

    def wait(self) -> None:
        """Wait until everything that is complete is written."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def _finish(self, number: int) -> None:
        part = self._parts[number]
        if not part.is_complete:
            return
        del self._parts[number]
        self.wait()
        self.held -= sum(map(_size, part.answers.values()))
        self.written += 1
        answers = dict(sorted(part.answers.items())) if self._ordered else part.answers
        self._writing = self._thread.submit(self._write, number, answers)


def _size(answer: Answer) -> int:
    return len(answer.row) + len(answer.page or b"")

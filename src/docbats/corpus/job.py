"""The documents of a run between its input and its parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.corpus.batches import Limits, in_parts
from docbats.corpus.errors import Failure, ResumeError
from docbats.corpus.record import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from docbats.corpus.assembly import Assembly
    from docbats.corpus.engine import Answer, Outcome
    from docbats.corpus.ids import SeenIds
    from docbats.corpus.plan import Plan
    from docbats.corpus.record import Record
    from docbats.corpus.rows import Brief
    from docbats.corpus.summary import Progress, Tally

__all__ = ["Job", "numbered"]

_PART_CHARACTERS = 8_000_000
_HELD = 64_000_000  # bytes of rows that may wait for the rest of their parts


def numbered(records: Iterable[Record], seen: SeenIds | None = None) -> Iterator[Record]:
    """Give each document its place, and let a second one with the same id fail."""
    for place, record in enumerate(records):
        failure = record.failure
        if failure is None and seen is not None and not seen.add(record.id):
            failure = Failure(
                "duplicate-id",
                f"an earlier document has the id {record.id!r}, too: give it another, or name "
                "another column by --id-column",
            )
        yield replace(record, place=place, failure=failure)


class Job:
    """What is under way: from records to be analysed to rows that wait to be written."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        assembly: Assembly,
        tally: Tally,
        on_progress: Callable[[Progress], object],
    ) -> None:
        self._format, self._work, self._folder = plan.output, plan.work, folder
        self._limits = Limits(plan.part_size, _PART_CHARACTERS)
        self._assembly, self._tally, self._on_progress = assembly, tally, on_progress
        self._finished = self._format.finished(folder)
        self._records: dict[int, Record] = {}

    @property
    def has_space(self) -> bool:
        """Whether more rows may be held."""
        return self._assembly.held < _HELD

    def todo(self, records: Iterable[Record]) -> Iterator[Record]:
        """Give the documents that have to be analysed, and see to the others."""
        part, there = -1, _Finished(self._folder, None)
        for item in in_parts(records, self._limits):
            if item.part != part:
                there.end()
                self._assembly.close(part)
                part = item.part
                there = _Finished(self._folder, self._read_part(part))
            record = item.record
            if there.rows is not None:
                brief = there.check(record)
                self._count(record, brief.failure, resumed=True)
                continue
            self._assembly.expect(part, record.place)
            self._records[record.place] = record
            if record.failure is None:
                yield record
            else:
                self._deliver(record.place, record.failure)
        there.end()
        self._assembly.close(part)
        if any(number > part for number in self._finished):
            raise _changed(self._folder, "it has fewer documents")

    def take(self, outcomes: Iterable[Outcome]) -> None:
        """Take what the engine gives back."""
        for outcome in outcomes:
            self._deliver(outcome.place, outcome.answer)

    def _deliver(self, place: int, answer: Answer | Failure) -> None:
        record = self._records.pop(place)
        if isinstance(answer, Failure):
            answer = self._work.failed(record, answer)
        self._assembly.add(place, answer)
        self._count(record, answer.failure)

    def _count(self, record: Record, failure: Failure | None, *, resumed: bool = False) -> None:
        self._tally.add(record.place, record.id, failure, record.read, resumed=resumed)
        self._on_progress(self._tally.progress)

    def _read_part(self, part: int) -> list[Brief] | None:
        """Read a finished part; one that is damaged counts as not finished."""
        if part not in self._finished:
            return None
        try:
            return self._format.read(self._folder, part)
        except (ValueError, OSError):
            return None


class _Finished:
    """The rows of a part that is finished, each of which has to fit its document."""

    def __init__(self, folder: Path, rows: list[Brief] | None) -> None:
        self._folder, self.rows = folder, rows
        self._place = 0

    def check(self, record: Record) -> Brief:
        """Give the row of the next document; ResumeError if it is that of another."""
        rows = self.rows or []
        brief = rows[self._place] if self._place < len(rows) else None
        self._place += 1
        if (
            brief is None
            or brief.place != record.place
            or without_surrogates(brief.id) != without_surrogates(record.id)
            or brief.checksum != record.checksum
        ):
            raise _changed(self._folder, f"document {record.place} ({record.id}) is another one")
        return brief

    def end(self) -> None:
        """See whether there were documents for all rows."""
        if self.rows is not None and self._place < len(self.rows):
            raise _changed(self._folder, "it has fewer documents")


def _changed(folder: Path, how: str) -> ResumeError:
    msg = (
        f"the input has changed since {folder} was begun: {how}. Give it as it was, or name "
        "another folder to begin anew"
    )
    return ResumeError(msg)

"""The documents of a run between its input and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.corpus.errors import Failure, ResumeError
from docbats.corpus.grouping import GroupLimits, assign_parts
from docbats.corpus.input.input_document import replace_surrogates
from docbats.corpus.output.part_checksums import find_damage, has_checksums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from docbats.corpus.corpus_options import CorpusOptions
    from docbats.corpus.engines.engine import AnalyzedDocument, Outcome
    from docbats.corpus.input.input_document import InputDocument
    from docbats.corpus.output.document_rows import RowSummary
    from docbats.corpus.output.part_assembler import PartAssembler
    from docbats.corpus.run_summary import DocumentCounter, Progress

__all__ = ["PendingDocuments"]

_MAX_PART_CHARACTERS = 8_000_000  # a change would move the ends of parts, and bar old runs' resume
_MAX_HELD_BYTES = 64_000_000  # of rows that wait for the rest of their parts


class PendingDocuments:
    """What is under way: from documents to be analyzed to rows that wait to be written.

    Attributes
    ----------
    damaged
        Files of finished parts that were not as they had been written; they are written again.
    """

    def __init__(
        self,
        folder: Path,
        options: CorpusOptions,
        assembler: PartAssembler,
        counter: DocumentCounter,
        on_progress: Callable[[Progress], object],
    ) -> None:
        self._folder, self._format, self._analyzer = folder, options.output, options.analyzer
        self._limits = GroupLimits(options.part_size, _MAX_PART_CHARACTERS)
        self._assembler, self._counter, self._on_progress = assembler, counter, on_progress
        self._finished_parts = self._format.finished(folder)
        self.damaged: list[str] = []
        self._documents: dict[int, InputDocument] = {}

    @property
    def has_room(self) -> bool:
        """Whether more rows may be held."""
        return self._assembler.held < _MAX_HELD_BYTES

    def to_analyze(self, documents: Iterable[InputDocument]) -> Iterator[InputDocument]:
        """Yield the documents that have to be analyzed; those that failed or are done get by.

        ResumeError if a document is not the one that a finished part has a row of.
        """
        part, finished = -1, _FinishedPart(self._folder, None)
        for item in assign_parts(documents, self._limits):
            if item.part != part:
                finished.check_end()
                self._assembler.close(part)
                part = item.part
                finished = _FinishedPart(self._folder, self._read_part(part))
            document = item.document
            if finished.rows is not None:
                row = finished.check(document)
                self._count(document, row.failure, resumed=True)
                continue
            self._assembler.expect(part, document.place)
            self._documents[document.place] = document
            if document.failure is None:
                yield document
            else:
                self._add_result(document.place, document.failure)
        finished.check_end()
        self._assembler.close(part)
        if any(number > part for number in self._finished_parts):
            raise _input_changed(self._folder, "it has fewer documents")

    def add_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Take what the engine returns."""
        for outcome in outcomes:
            self._add_result(outcome.place, outcome.result)

    def _add_result(self, place: int, result: AnalyzedDocument | Failure) -> None:
        document = self._documents.pop(place)
        if isinstance(result, Failure):
            result = self._analyzer.failed(document, result)
        self._assembler.add(place, result)
        self._count(document, result.failure)

    def _count(
        self, document: InputDocument, failure: Failure | None, *, resumed: bool = False
    ) -> None:
        self._counter.add(document, failure, resumed=resumed)
        self._on_progress(self._counter.progress)

    def _read_part(self, part: int) -> list[RowSummary] | None:
        """Read a finished part; one that is damaged counts as not finished, and is noted."""
        if part not in self._finished_parts or not has_checksums(self._folder, part):
            return None
        damage = find_damage(self._folder, part, self._format.file_names(part))
        if damage is not None:
            self.damaged.append(damage)
            return None
        try:
            return self._format.read(self._folder, part)
        except (ValueError, OSError):
            return None


class _FinishedPart:
    """The rows of a part that is finished, each of which has to fit its document."""

    def __init__(self, folder: Path, rows: list[RowSummary] | None) -> None:
        self._folder, self.rows = folder, rows
        self._checked = 0

    def check(self, document: InputDocument) -> RowSummary:
        """Return the row of the next document; ResumeError if it is that of another."""
        rows = self.rows or []
        row = rows[self._checked] if self._checked < len(rows) else None
        self._checked += 1
        if (
            row is None
            or row.place != document.place
            or replace_surrogates(row.id) != replace_surrogates(document.id)
            or row.checksum != document.checksum
        ):
            how = f"document {document.place} ({document.id}) is another one"
            raise _input_changed(self._folder, how)
        return row

    def check_end(self) -> None:
        """Raise ResumeError if there were fewer documents than rows."""
        if self.rows is not None and self._checked < len(self.rows):
            raise _input_changed(self._folder, "it has fewer documents")


def _input_changed(folder: Path, how: str) -> ResumeError:
    msg = (
        f"the input has changed since {folder} was begun: {how}. Give it as it was, or name "
        "another folder to begin anew"
    )
    return ResumeError(msg)

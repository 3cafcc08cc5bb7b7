"""A whole run: read, spread, survive and write."""

from __future__ import annotations

import errno
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING

from docbats.corpus.assembly import Assembly
from docbats.corpus.batches import Limits, in_batches, in_parts
from docbats.corpus.errors import CorpusError, Failure, ResumeError
from docbats.corpus.files import write_whole
from docbats.corpus.folder import open_folder, remove_summary, report_path, write_summary
from docbats.corpus.ids import SeenIds
from docbats.corpus.inputs import Inputs
from docbats.corpus.local import LocalEngine, usual_jobs
from docbats.corpus.plan import Plan
from docbats.corpus.record import without_surrogates
from docbats.corpus.summary import Progress, Summary, Tally
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from docbats.corpus.engine import Answer, Engine, MakeEngine, Outcome
    from docbats.corpus.formats import Format
    from docbats.corpus.inputs import Source
    from docbats.corpus.record import Record
    from docbats.corpus.rows import Brief

__all__ = ["make_local", "numbered", "run"]

_BATCH = Limits(documents=32, characters=50_000)
_PART_CHARACTERS = 8_000_000
_HELD = 64_000_000  # bytes of rows that may wait for the rest of their parts
_FULL = {errno.ENOSPC, errno.EDQUOT}

Names = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def run(
    inputs: Names,
    output: str | os.PathLike[str],
    plan: Plan | None = None,
    *,
    jobs: int | None = None,
    timeout: float = 60.0,
    ordered: bool = True,
    resume: bool = False,
    engine: MakeEngine | None = None,
    on_progress: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Analyse many documents and write their results, part by part, into a folder.

    Every document has one row, with its result or with why there is none. A run that was killed can
    be resumed, and ends with the bytes that it would have written undisturbed.

    Parameters
    ----------
    inputs
        Folders, patterns or files; ``"-"`` is standard input.
    output
        A folder that is empty or not there yet, unless the run is resumed.
    plan
        How to read, analyse and write.
    jobs
        How many processes; as many as there are processors by default.
    timeout
        Seconds that a document may take.
    ordered
        Whether the rows of a part are in the order of the input, or in that in which they came.
    resume
        Whether to go on with the run that the folder holds, if it holds one.
    engine
        What has the work done; processes of this machine by default, for which `jobs` and
        `timeout` are.
    on_progress
        Called after each document.
    """
    plan = plan or Plan()
    given = Inputs.from_names(inputs, plan.input_format)
    folder = Path(output)
    make_engine = engine or make_local(plan, jobs, timeout)
    _check_places(given, folder)
    plan.output.check()
    if not given.is_stream:
        plan.reader.check(_first_source(given))
    fingerprint = given.fingerprint()
    request = {**plan.to_dict(), "input": fingerprint}
    tally = Tally(fingerprint["bytes"])
    with ExitStack() as stack:
        with _writing(folder):
            stack.enter_context(open_folder(folder, request, resume=resume))
        write = partial(_write_part, folder, plan.output)
        assembly = stack.enter_context(Assembly(write, ordered=ordered))
        seen = stack.enter_context(closing(SeenIds()))
        job = _Job(folder, plan, assembly, tally, on_progress)
        records = numbered(plan.reader.read(given.sources()), seen)
        batches = in_batches(job.todo(records), _BATCH)
        first = next(batches, None)
        if first is not None:  # else nobody has to be started
            with make_engine(plan.work) as started:
                _drive(started, chain([first], batches), job)
        assembly.wait()
        summary = tally.summary(len(plan.output.finished(folder)))
        with _writing(folder):
            write_summary(folder, summary.to_dict())
    return summary


def make_local(
    plan: Plan, jobs: int | None, timeout: float, ahead: int = _BATCH.characters
) -> MakeEngine:
    """Give the local engine, after a look at what it is asked for."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        msg = f"jobs={jobs!r} makes no sense: give a whole number, at least 1"
        raise SettingsError(msg)
    if not timeout > 0:
        msg = f"timeout={timeout!r} makes no sense: give a number of seconds above 0"
        raise SettingsError(msg)
    try:
        pickle.dumps(plan.work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = f"the settings cannot be sent to other processes: {error}: give named functions"
        raise SettingsError(msg) from None
    return partial(LocalEngine, jobs=jobs or usual_jobs(), timeout=timeout, ahead=ahead)


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


class _Job:
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


def _drive(engine: Engine, batches: Iterator[list[Record]], job: _Job) -> None:
    """Keep the engine busy until everything has come back."""
    is_more = True
    while is_more or engine.waiting:
        while is_more and engine.has_room and (job.has_space or not engine.waiting):
            batch = next(batches, None)
            if batch is None:
                is_more = False
            else:
                engine.submit(batch)
        if engine.waiting or is_more:
            job.take(engine.collect())


def _write_part(folder: Path, format_: Format, part: int, answers: dict[int, Answer]) -> None:
    with _writing(folder):
        remove_summary(folder)
        for place, answer in answers.items():
            if answer.page is not None:
                path = report_path(folder, place)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, methodcaller("write", answer.page))
        format_.write(folder, part, [answer.row for answer in answers.values()])


def _first_source(inputs: Inputs) -> Source:
    for source in inputs.sources():
        return source
    msg = f"{', '.join(inputs.names)}: there is no file in it"
    raise ReadError(msg)


def _check_places(inputs: Inputs, folder: Path) -> None:
    for name in inputs.names:
        if folder.resolve().is_relative_to(Path(name).resolve()):
            msg = f"{folder} is inside of {name}, which is read: name another folder to write to"
            raise SettingsError(msg)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of writing into one that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        advice = "make room" if error.errno in _FULL else "see to that"
        msg = f"{folder}: cannot be written: {reason}: {advice}, then go on with --resume"
        raise CorpusError(msg) from error


def _changed(folder: Path, how: str) -> ResumeError:
    msg = (
        f"the input has changed since {folder} was begun: {how}. Give it as it was, or name "
        "another folder to begin anew"
    )
    return ResumeError(msg)

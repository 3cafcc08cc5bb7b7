"""Where documents are analyzed: the contract of an engine, and the processes of this machine."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, Self

from docbats.corpus.documents import InputDocument
from docbats.corpus.errors import EngineError, Failure
from docbats.errors import SettingsError
from docbats.processes import (
    ProcessPool,
    TaskDied,
    TaskDone,
    WorkerOptions,
    WorkersNeverReadyError,
    WorkerStartError,
    available_processors,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.processes import TaskOutcome

MIN_MEMORY = 300
"""Megabytes that a process takes at least."""


@dataclass(frozen=True)
class AnalyzedDocument:
    """What the analysis makes of a document.

    Attributes
    ----------
    row
        Its row, as the format of the output encodes it.
    failure
        Why there is no result, which the row says, too.
    page
        Its report, if wanted.
    """

    row: bytes
    failure: Failure | None = None
    page: bytes | None = None


AnalyzeDocument = Callable[[InputDocument], AnalyzedDocument]
"""From a document to its row; it can be pickled, and never raises on account of a document."""


@dataclass(frozen=True)
class Outcome:
    """What became of a document: its row, or why the engine could not get one."""

    place: int
    result: AnalyzedDocument | Failure


class Engine(Protocol):
    """Has documents analyzed somewhere; it is used as a context, within which it is ready."""

    @property
    def has_room(self) -> bool:
        """Whether a batch may be submitted now; bounded, since all that is submitted is held."""

    @property
    def waiting(self) -> int:
        """How many documents were submitted and have not come back."""

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Take a batch; to be called only if there is room."""

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for something to happen, at most `timeout` seconds; return what has come back.

        Every document comes back exactly once. EngineError if none ever would.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


MakeEngine = Callable[[AnalyzeDocument], Engine]
"""What a run is given: from the analysis of a document to an engine that has it done."""


def check_jobs_and_timeout(jobs: int | None, timeout: float) -> None:
    """Raise SettingsError for a number of processes or seconds that is too small."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        msg = f"jobs must be a whole number, at least 1, got {jobs!r}"
        raise SettingsError(msg)
    if not timeout > 0:
        msg = f"timeout must be a number of seconds above 0, got {timeout!r}"
        raise SettingsError(msg)


def check_memory(max_memory: int | None) -> None:
    """Raise SettingsError for megabytes with which not even the libraries can be loaded."""
    if max_memory is not None and (not isinstance(max_memory, int) or max_memory < MIN_MEMORY):
        msg = (
            f"max_memory must be a whole number of megabytes, at least {MIN_MEMORY}, or None, "
            f"got {max_memory!r}"
        )
        raise SettingsError(msg)


def check_picklable(analyze: AnalyzeDocument) -> None:
    """Raise SettingsError if the analysis cannot be sent to another process."""
    try:
        pickle.dumps(analyze)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = f"the settings cannot be sent to other processes: {error}: give named functions"
        raise SettingsError(msg) from None


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


_MAX_DEATHS = 2  # a process may also die through no fault of its document
_MAX_LOAD = 50_000  # characters from which a process is given no more documents
_WARM_UP = InputDocument("", "", "Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools.")
DEFAULT_MAX_MEMORY = 4000
"""Megabytes that a process may take; with more, a few documents could use up a machine's."""


def local_engine(
    jobs: int | None,
    timeout: float,
    max_load: int = _MAX_LOAD,
    *,
    max_memory: int | None = DEFAULT_MAX_MEMORY,
) -> MakeEngine:
    """Return an engine that uses processes of this machine; see :class:`LocalEngine`."""
    check_jobs_and_timeout(jobs, timeout)
    check_memory(max_memory)
    jobs = jobs or available_processors()
    return partial(
        LocalEngine, jobs=jobs, timeout=timeout, max_load=max_load, max_memory=max_memory
    )


class LocalEngine:
    """Has documents analyzed by processes of this machine.

    Parameters
    ----------
    analyze
        What to do with a document.
    jobs
        How many processes.
    timeout
        Seconds that a document may take.
    max_load
        Characters from which a process is given no more documents; 0 for one at a time.
    max_memory
        Megabytes that a process may take; None for as many as there are.
    """

    def __init__(
        self,
        analyze: AnalyzeDocument,
        *,
        jobs: int,
        timeout: float,
        max_load: int = _MAX_LOAD,
        max_memory: int | None = DEFAULT_MAX_MEMORY,
    ) -> None:
        self._timeout = timeout
        self._pool: ProcessPool[InputDocument, AnalyzedDocument] = ProcessPool(
            analyze,
            WorkerOptions(
                "docbats-corpus", warm_up=_WARM_UP, max_memory=max_memory, single_thread=True
            ),
            jobs=jobs,
            timeout=timeout,
            size=attrgetter("size"),
            max_load=max_load,
            max_deaths=_MAX_DEATHS,
        )

    def __enter__(self) -> Self:
        with _start_errors():
            self._pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.__exit__()

    @property
    def waiting(self) -> int:
        """How many documents have not come back."""
        return self._pool.waiting

    @property
    def has_room(self) -> bool:
        """Whether a process could do with more."""
        return self._pool.has_room

    @property
    def is_ready(self) -> bool:
        """Whether all processes have started."""
        return self._pool.is_ready

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Hand a batch to the process that has least to do."""
        self._pool.submit(batch)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for rows, for a process that died, or for a document that takes too long."""
        with _start_errors():
            return list(map(self._outcome, self._pool.collect(timeout)))

    def _outcome(self, outcome: TaskOutcome[InputDocument, AnalyzedDocument]) -> Outcome:
        result: AnalyzedDocument | Failure
        match outcome:
            case TaskDone():
                result = outcome.result
            case TaskDied():
                ended = _describe_exit(outcome.exit_code)
                message = f"the process that analyzed it died {_MAX_DEATHS} times ({ended})"
                result = Failure("crash", message)
            case _:
                message = f"it took longer than {self._timeout:g} seconds: allow more by --timeout"
                result = Failure("time-out", message)
        return Outcome(outcome.task.place, result)


_NO_START = (
    "the processes that analyze do not start: if this is a script of yours, it must call run() "
    'under if __name__ == "__main__":; else there may be too little memory, so try fewer --jobs'
)


@contextmanager
def _start_errors() -> Iterator[None]:
    """Turn the errors of processes that do not start into one that says what to do."""
    try:
        yield
    except WorkersNeverReadyError:
        raise EngineError(_NO_START) from None
    except WorkerStartError as error:
        raise EngineError(str(error)) from None


def _describe_exit(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"

"""Where documents are analyzed: the interface of an engine, and the processes of this machine."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
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

_MIN_MEMORY = 300  # megabytes that a process needs to load the libraries


@dataclass(frozen=True)
class AnalyzedDocument:
    """The result of a document.

    Attributes
    ----------
    row
        Its row, encoded in the format of the output.
    failure
        Why there is no result; the row says so, too.
    page
        Its report, if requested.
    """

    row: bytes
    failure: Failure | None = None
    page: bytes | None = None


AnalyzeDocument = Callable[[InputDocument], AnalyzedDocument]
"""From a document to its row; it can be pickled, and no document makes it raise an exception."""


@dataclass(frozen=True)
class Outcome:
    """The row of a document, or why the engine could not get one."""

    place: int
    result: AnalyzedDocument | Failure


class Engine(Protocol):
    """Has documents analyzed somewhere; it runs within its ``with`` block."""

    @property
    def has_room(self) -> bool:
        """Whether a batch may be submitted now; limited, since submitted batches are in memory."""

    @property
    def waiting(self) -> int:
        """The number of documents that were submitted and have not come back."""

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Take a batch; call it only if there is room."""

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait at most `timeout` seconds for something to happen; return what has come back.

        Every document comes back exactly once. EngineError if none ever would.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


MakeEngine = Callable[[AnalyzeDocument], Engine]
"""From the analysis of a document to the engine of a run."""


def check_jobs_and_timeout(jobs: int | None, timeout: float) -> None:
    """Raise SettingsError for a number of processes or seconds that is too small."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        msg = f"jobs must be a whole number, at least 1, got {jobs!r}"
        raise SettingsError(msg)
    if not timeout > 0:
        msg = f"timeout must be a number of seconds above 0, got {timeout!r}"
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
    """Maximum documents and characters of a group; a larger document is a group by itself."""

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
    part = n_documents = n_characters = 0
    for document in documents:
        n_documents += 1
        n_characters += document.size
        is_full = n_documents > limits.documents or n_characters > limits.characters
        if is_full and n_documents > 1:
            part += 1
            n_documents, n_characters = 1, document.size
        yield DocumentInPart(part, document)


def group_into_batches(
    documents: Iterable[InputDocument], limits: GroupLimits
) -> Iterator[list[InputDocument]]:
    """Group documents so that batches take about equally long."""
    for _, batch in groupby(assign_parts(documents, limits), attrgetter("part")):
        yield [item.document for item in batch]


_MAX_DEATHS = 2  # a process may also die through no fault of its document
_MAX_LOAD = 50_000  # characters with which a process gets no more documents
_WARM_UP = InputDocument("", "", "Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools.")
DEFAULT_MAX_MEMORY = 4000
"""Megabytes that a process may use; with more, a few documents could use up all memory."""


def local_engine(
    jobs: int | None,
    timeout: float,
    max_load: int = _MAX_LOAD,
    *,
    max_memory: int | None = DEFAULT_MAX_MEMORY,
) -> MakeEngine:
    """Return an engine that uses processes of this machine; see :class:`LocalEngine`."""
    check_jobs_and_timeout(jobs, timeout)
    if max_memory is not None and (not isinstance(max_memory, int) or max_memory < _MIN_MEMORY):
        msg = (
            f"max_memory must be a whole number of megabytes, at least {_MIN_MEMORY}, or None, "
            f"got {max_memory!r}"
        )
        raise SettingsError(msg)
    jobs = jobs or available_processors()
    return partial(
        LocalEngine, jobs=jobs, timeout=timeout, max_load=max_load, max_memory=max_memory
    )


class LocalEngine:
    """Has documents analyzed by processes of this machine.

    A process gets no more documents once it has `max_load` characters to work on; 0 means one
    document at a time. It may use `max_memory` megabytes; None for no limit.
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
        """The number of documents that have not come back."""
        return self._pool.waiting

    @property
    def has_room(self) -> bool:
        """Whether a process could take more documents."""
        return self._pool.has_room

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Send a batch to the process that has the least to do."""
        self._pool.submit(batch)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for rows, for a process that dies, or for a document that takes too long."""
        with _start_errors():
            return list(map(self._outcome, self._pool.collect(timeout)))

    def _outcome(self, outcome: TaskOutcome[InputDocument, AnalyzedDocument]) -> Outcome:
        result: AnalyzedDocument | Failure
        match outcome:
            case TaskDone():
                result = outcome.result
            case TaskDied(exit_code=code):
                ended = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
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
    """Turn errors of processes that do not start into one that says what to do."""
    try:
        yield
    except WorkersNeverReadyError:
        raise EngineError(_NO_START) from None
    except WorkerStartError as error:
        raise EngineError(str(error)) from None

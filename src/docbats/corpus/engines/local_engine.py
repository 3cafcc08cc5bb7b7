"""The local engine: processes of this machine."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Self

from docbats.corpus.engines.engine import Outcome, check_jobs_and_timeout, check_memory
from docbats.corpus.errors import EngineError, Failure
from docbats.corpus.input.input_document import InputDocument
from docbats.processes.process_pool import (
    ProcessPool,
    TaskDied,
    TaskDone,
    WorkersNeverReadyError,
    WorkerStartError,
    available_processors,
)
from docbats.processes.worker_process import WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.corpus.engines.engine import AnalyzedDocument, AnalyzeDocument, MakeEngine
    from docbats.processes.process_pool import TaskOutcome

__all__ = ["DEFAULT_MAX_MEMORY", "LocalEngine", "local_engine"]

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

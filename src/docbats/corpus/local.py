"""The local engine: processes of this machine.

The pools of the standard library cannot stop a document that takes too long, and lose all that is
under way when a process dies. Here such a process is replaced, and only the document that it was
working on is to blame.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from contextlib import suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Self

from docbats.corpus.engine import Outcome
from docbats.corpus.errors import EngineError, Failure
from docbats.corpus.worker import Worker, WorkerDiedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.corpus.engine import Work
    from docbats.corpus.record import Record

__all__ = ["LocalEngine", "usual_jobs"]

_START_SECONDS = 120.0  # a busy machine may take long to import everything
_TRIES = 2  # a process may also die through no fault of its document
_FALSE_STARTS = 5


class LocalEngine:
    """Processes with a warm analyser each.

    Parameters
    ----------
    work
        What to do with a document.
    jobs
        How many processes.
    timeout
        Seconds that a document may take.
    ahead
        Characters up to which a process is given more while it works. It never waits then; but what
        it was given waits, where a document before it takes long.
    """

    def __init__(self, work: Work, *, jobs: int, timeout: float, ahead: int = 50_000) -> None:
        self._work, self._jobs, self._timeout, self._ahead = work, jobs, timeout, ahead
        self._workers: list[Worker] = []
        self._again: deque[list[Record]] = deque()
        self._tries: Counter[int] = Counter()
        self._false_starts = 0
        self.restarts = 0

    def __enter__(self) -> Self:
        self._workers = [Worker(self._work) for _ in range(self._jobs)]
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.end()

    @property
    def waiting(self) -> int:
        """How many documents have not come back."""
        again = sum(map(len, self._again))
        return again + sum(len(worker.todo) for worker in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a process could do with more."""
        return not self._again and self._free_worker() is not None

    def submit(self, batch: Sequence[Record]) -> None:
        """Give a batch to the process that has least to do."""
        self._again.append(list(batch))
        self._hand_out()

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for answers, for a process that is gone, or for a document that takes too long."""
        now = time.monotonic()
        pause = min(self._deadline(worker) for worker in self._workers) - now
        pause = max(0.0, pause if timeout is None else min(pause, timeout))
        said = set(wait([worker.pipe for worker in self._workers], pause))
        now = time.monotonic()
        outcomes: list[Outcome] = []
        for worker in list(self._workers):
            if worker.pipe in said:
                outcomes += self._listen(worker)
            elif now >= self._deadline(worker):
                outcomes += self._stop(worker)
        self._hand_out()
        return outcomes

    def _free_worker(self) -> Worker | None:
        free = [
            worker
            for worker in self._workers
            if worker.is_ready and (not worker.todo or worker.load < self._ahead)
        ]
        return min(free, key=lambda worker: worker.load, default=None)

    def _hand_out(self) -> None:
        while self._again and (worker := self._free_worker()) is not None:
            with suppress(WorkerDiedError):  # it will be found dead
                worker.send(self._again.popleft())

    def _deadline(self, worker: Worker) -> float:
        """Say until when the process has to say something."""
        if not worker.is_ready:
            return worker.since + _START_SECONDS
        return worker.since + self._timeout if worker.todo else float("inf")

    def _listen(self, worker: Worker) -> list[Outcome]:
        try:
            heard = worker.receive()
        except WorkerDiedError:
            return self._bury(worker)
        self._false_starts = 0
        if heard is None:
            return []
        record, answer = heard
        return [Outcome(record.place, answer)]

    def _stop(self, worker: Worker) -> list[Outcome]:
        """Stop a process that takes too long."""
        if not worker.is_ready:
            return self._bury(worker)
        record = worker.todo.popleft()
        message = f"it took longer than {self._timeout:g} seconds: allow more by --timeout"
        self._replace(worker)
        return [Outcome(record.place, Failure("time-out", message))]

    def _bury(self, worker: Worker) -> list[Outcome]:
        """Replace a process that died; try its document once more, by itself."""
        outcomes = []
        if not worker.is_ready:
            self._false_starts += 1
            if self._false_starts >= _FALSE_STARTS:
                raise EngineError(_NO_START)
        elif worker.todo:
            record = worker.todo.popleft()
            self._tries[record.place] += 1
            if self._tries[record.place] < _TRIES:
                self._again.append([record])
            else:
                code = worker.end()
                del self._tries[record.place]
                message = f"the process that analysed it died {_TRIES} times ({_ended(code)})"
                outcomes.append(Outcome(record.place, Failure("crash", message)))
        self._replace(worker)
        return outcomes

    def _replace(self, worker: Worker) -> None:
        """Start another process in its place, and let the others take over what is left."""
        worker.end()
        self.restarts += 1
        if worker.todo:
            self._again.append(list(worker.todo))
        self._workers[self._workers.index(worker)] = Worker(self._work)


_NO_START = (
    "the processes that analyse do not start: if this is a script of yours, it must call run() "
    'under if __name__ == "__main__":; else there may be too little memory, so try fewer --jobs'
)


def usual_jobs() -> int:
    """Give as many processes as this one may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover  (macOS, Windows)


def _ended(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"

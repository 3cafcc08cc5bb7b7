"""The Ray engine: the processors of a cluster, or of this machine, by Ray Data.

Batches are gathered into waves. Each wave is a pipeline of Ray Data, with a few tasks for each
processor; Ray gives them to whichever is free, and those of a node that is lost to others. The next
wave begins before the last one ends, so that no processor waits.
"""

from __future__ import annotations

import itertools
import math
import pickle
import queue
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

from docbats.corpus.engines.engine import check_jobs_and_timeout
from docbats.corpus.engines.ray_connection import (
    check_address,
    connect_to_ray,
    count_processors,
    ray_module,
)
from docbats.corpus.engines.ray_task import TaskContext, run_task
from docbats.corpus.errors import EngineError
from docbats.errors import DocbatsError, MissingExtraError
from docbats.versions import row_versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.corpus.engines.engine import AnalyzeDocument, MakeEngine, Outcome
    from docbats.corpus.input.input_document import InputDocument

__all__ = ["RayEngine", "ray_engine"]

_WAVE_BATCHES = 32  # of a wave, for each processor; with more, a wave takes longer and holds more
_WAVE_TASKS = 2  # of a wave, for each processor; with more, each has less to do for its start
_MAX_WAVES = 2  # that are submitted at a time, as long as batches come
_MAX_CHARACTERS = 32_000_000  # that may be submitted at a time, all of which are in memory
_MAX_LOSSES = 5  # of a task whose wave fails, beside the attempts that Ray makes by itself


def ray_engine(
    address: str | None = None, *, jobs: int | None = None, timeout: float = 60.0
) -> MakeEngine:
    """Return an engine that has documents analyzed by Ray.

    Parameters
    ----------
    address
        Of a running cluster: ``"host:6379"``, or ``"auto"`` for the one that this machine is in.
        Without it, Ray runs on this machine for as long as it is needed. A process that is
        connected to Ray already uses that.
    jobs
        How many processors of this machine; a cluster brings its own.
    timeout
        Seconds that a document may take.
    """
    check_jobs_and_timeout(jobs, timeout)
    if find_spec("ray") is None:
        msg = 'the engine ray needs Ray: pip install "docbats[ray]"'
        raise MissingExtraError(msg)
    if address is not None:
        check_address(address, jobs)
    return partial(RayEngine, address=address, jobs=jobs, timeout=timeout)


@dataclass
class _Task:
    """The documents of some batches, which one process works on."""

    documents: list[InputDocument]
    batches: int
    losses: int = 0


@dataclass(frozen=True)
class _TaskDone:
    """A task came back; `outcomes` is pickled."""

    number: int
    outcomes: bytes


@dataclass(frozen=True)
class _WaveEnded:
    """A wave is over, with or without all of its tasks."""

    numbers: tuple[int, ...]
    error: Exception | None = None


class RayEngine:
    """Has documents analyzed by the tasks of Ray Data.

    The parameters are those of :func:`ray_engine`.

    Attributes
    ----------
    waiting
        How many documents were submitted and have not come back.
    """

    def __init__(
        self, analyze: AnalyzeDocument, *, address: str | None, jobs: int | None, timeout: float
    ) -> None:
        versions = tuple(row_versions().items())
        self._context = TaskContext(pickle.dumps(analyze), timeout, versions)
        self._address, self._jobs = address, jobs
        self._batches: list[Sequence[InputDocument]] = []
        self._lost: list[_Task] = []
        self._under_way: dict[int, _Task] = {}
        self._events: queue.SimpleQueue[_TaskDone | _WaveEnded] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._processors = self._n_batches = self._n_characters = 0
        self.waiting = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(connect_to_ray(self._address, self._jobs))
        self._processors = count_processors()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def has_room(self) -> bool:
        """Whether the waves that may be under way are not full."""
        return (
            self._n_batches < _MAX_WAVES * self._wave_size and self._n_characters < _MAX_CHARACTERS
        )

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Take a batch for the next wave."""
        self._batches.append(batch)
        self._count(batch, 1)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Begin a wave if it is time, and wait for a task to come back."""
        while len(self._batches) >= self._wave_size or self._is_idle:
            self._begin_wave()
        outcomes: list[Outcome] = []
        try:
            outcomes += self._handle(self._events.get(timeout=timeout))
            while True:
                outcomes += self._handle(self._events.get_nowait())
        except queue.Empty:
            return outcomes

    @property
    def _wave_size(self) -> int:
        return _WAVE_BATCHES * self._processors

    @property
    def _is_idle(self) -> bool:
        """Whether a processor has nothing to do while there is something."""
        return bool(self._batches or self._lost) and len(self._under_way) < self._processors

    def _begin_wave(self) -> None:
        self._processors = count_processors()  # nodes come and go
        batches, self._batches = self._batches[: self._wave_size], self._batches[self._wave_size :]
        together = math.ceil(len(batches) / (_WAVE_TASKS * self._processors)) or 1
        tasks, self._lost = self._lost, []
        for start in range(0, len(batches), together):
            some = batches[start : start + together]
            tasks.append(_Task([document for batch in some for document in batch], len(some)))
        wave = dict(zip(self._numbers, tasks, strict=False))
        self._under_way |= wave
        rows = [
            {"number": number, "documents": pickle.dumps(task.documents)}
            for number, task in wave.items()
        ]
        threading.Thread(target=self._run_wave, args=(rows, tuple(wave)), daemon=True).start()

    def _run_wave(self, rows: list[dict[str, Any]], numbers: tuple[int, ...]) -> None:
        """Have the tasks of a wave done, and report what comes back."""
        try:
            for row in _map_with_ray(rows, self._context):
                self._events.put(_TaskDone(row["number"], row["outcomes"]))
        except Exception as error:
            self._events.put(_WaveEnded(numbers, error))
        else:
            self._events.put(_WaveEnded(numbers))

    def _handle(self, event: _TaskDone | _WaveEnded) -> list[Outcome]:
        if isinstance(event, _WaveEnded):
            self._recover_lost_tasks(event)
            return []
        outcomes: list[Outcome] | DocbatsError = pickle.loads(event.outcomes)
        if isinstance(outcomes, DocbatsError):
            raise outcomes
        task = self._under_way.pop(event.number)
        self._count(task.documents, -task.batches)
        return outcomes

    def _count(self, documents: Sequence[InputDocument], batches: int) -> None:
        """Add batches to what is held, or take them away if there are fewer than none."""
        sign = 1 if batches > 0 else -1
        self._n_batches += batches
        self.waiting += sign * len(documents)
        self._n_characters += sign * sum(document.size for document in documents)

    def _recover_lost_tasks(self, ended: _WaveEnded) -> None:
        """Put what a wave has lost into the next one; EngineError if that is hopeless."""
        lost = [
            self._under_way.pop(number) for number in ended.numbers if number in self._under_way
        ]
        if lost and "No module named 'docbats" in str(ended.error):
            msg = "docbats is not installed on a node of the cluster: install it on all of them"
            raise EngineError(msg)
        for task in lost:
            task.losses += 1
            if task.losses >= _MAX_LOSSES:
                reason = " ".join(str(ended.error).split())[-500:]
                msg = (
                    f"Ray has lost the same documents {_MAX_LOSSES} times: {reason}: repair the "
                    "cluster, then continue with --resume"
                )
                raise EngineError(msg)
        self._lost += lost


def _map_with_ray(rows: list[dict[str, Any]], context: TaskContext) -> Iterator[dict[str, Any]]:
    """Have each row processed by a task, and yield the results as they come."""
    tasks = ray_module().data.from_items(rows, override_num_blocks=len(rows))
    results = tasks.map(run_task, fn_kwargs={"context": context}, num_cpus=1)
    for table in results.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from table.to_pylist()

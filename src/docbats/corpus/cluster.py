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

from docbats.corpus.connection import check_address, connected, count_processors, ray_module
from docbats.corpus.engine import check_call
from docbats.corpus.errors import EngineError
from docbats.corpus.node import Order, answer
from docbats.corpus.versions import computing_versions
from docbats.errors import DocbatsError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.corpus.engine import MakeEngine, Outcome, Work
    from docbats.corpus.record import Record

__all__ = ["RayEngine", "ray_engine"]

_BATCHES, _TASKS = 32, 2  # of a wave, for each processor
_WAVES = 2  # that are handed in at a time, as long as batches come
_HELD = 32_000_000  # characters that may be handed in
_TRIES = 5  # of a task whose wave fails, beside those that Ray makes by itself


def ray_engine(
    address: str | None = None, *, jobs: int | None = None, timeout: float = 60.0
) -> MakeEngine:
    """Give an engine that has the work done by Ray.

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
    check_call(jobs, timeout)
    if find_spec("ray") is None:
        msg = 'the engine ray needs Ray: pip install "docbats[ray]"'
        raise MissingExtraError(msg)
    if address is not None:
        check_address(address, jobs)
    return partial(RayEngine, address=address, jobs=jobs, timeout=timeout)


@dataclass
class _Task:
    """Some batches that one process works on."""

    records: list[Record]
    batches: int
    tries: int = 0


@dataclass(frozen=True)
class _Came:
    """A task came back."""

    number: int
    said: bytes


@dataclass(frozen=True)
class _Ended:
    """A wave is over, with or without all of its tasks."""

    numbers: tuple[int, ...]
    error: Exception | None = None


class RayEngine:
    """Has the work done by the tasks of Ray Data.

    The parameters are those of :func:`ray_engine`.

    Attributes
    ----------
    waiting
        How many documents were handed in and have not come back.
    """

    def __init__(
        self, work: Work, *, address: str | None, jobs: int | None, timeout: float
    ) -> None:
        self._order = Order(pickle.dumps(work), timeout, tuple(computing_versions().items()))
        self._address, self._jobs = address, jobs
        self._pending: list[Sequence[Record]] = []
        self._again: list[_Task] = []
        self._under_way: dict[int, _Task] = {}
        self._said: queue.SimpleQueue[_Came | _Ended] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._processors = self._batches = self._characters = 0
        self.waiting = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(connected(self._address, self._jobs))
        self._processors = count_processors()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def has_room(self) -> bool:
        """Whether the waves that may be under way are not full."""
        return self._batches < _WAVES * self._wave_size and self._characters < _HELD

    def submit(self, batch: Sequence[Record]) -> None:
        """Take a batch for the next wave."""
        self._pending.append(batch)
        self._count(batch, 1)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Let a wave begin if it is time, and wait for a task to come back."""
        while len(self._pending) >= self._wave_size or self._is_idle:
            self._begin_wave()
        outcomes: list[Outcome] = []
        try:
            outcomes += self._hear(self._said.get(timeout=timeout))
            while True:
                outcomes += self._hear(self._said.get_nowait())
        except queue.Empty:
            return outcomes

    @property
    def _wave_size(self) -> int:
        return _BATCHES * self._processors

    @property
    def _is_idle(self) -> bool:
        """Whether a processor has nothing to do while there is something."""
        return bool(self._pending or self._again) and len(self._under_way) < self._processors

    def _begin_wave(self) -> None:
        self._processors = count_processors()  # nodes come and go
        batches, self._pending = self._pending[: self._wave_size], self._pending[self._wave_size :]
        together = math.ceil(len(batches) / (_TASKS * self._processors)) or 1
        tasks, self._again = self._again, []
        for start in range(0, len(batches), together):
            some = batches[start : start + together]
            tasks.append(_Task([record for batch in some for record in batch], len(some)))
        wave = dict(zip(self._numbers, tasks, strict=False))
        self._under_way |= wave
        items = [{"number": n, "records": pickle.dumps(task.records)} for n, task in wave.items()]
        threading.Thread(target=self._run, args=(items, tuple(wave)), daemon=True).start()

    def _run(self, items: list[dict[str, Any]], numbers: tuple[int, ...]) -> None:
        """Have a wave done; tell what comes of it."""
        try:
            for row in _through_ray(items, self._order):
                self._said.put(_Came(row["number"], row["said"]))
        except Exception as error:
            self._said.put(_Ended(numbers, error))
        else:
            self._said.put(_Ended(numbers))

    def _hear(self, said: _Came | _Ended) -> list[Outcome]:
        if isinstance(said, _Ended):
            self._see_to(said)
            return []
        heard: list[Outcome] | DocbatsError = pickle.loads(said.said)
        if isinstance(heard, DocbatsError):
            raise heard
        task = self._under_way.pop(said.number)
        self._count(task.records, -task.batches)
        return heard

    def _count(self, records: Sequence[Record], batches: int) -> None:
        """Add batches to what is held, or take them away if there are fewer than none."""
        sign = 1 if batches > 0 else -1
        self._batches += batches
        self.waiting += sign * len(records)
        self._characters += sign * sum(record.size for record in records)

    def _see_to(self, ended: _Ended) -> None:
        """Hand in again what a wave has lost."""
        lost = [
            self._under_way.pop(number) for number in ended.numbers if number in self._under_way
        ]
        if lost and "No module named 'docbats" in str(ended.error):
            msg = "docbats is not installed on a node of the cluster: install it on all of them"
            raise EngineError(msg)
        for task in lost:
            task.tries += 1
            if task.tries >= _TRIES:
                told = " ".join(str(ended.error).split())[-500:]
                msg = (
                    f"Ray has lost the same documents {_TRIES} times: {told}: see to the cluster, "
                    "then go on with --resume"
                )
                raise EngineError(msg)
        self._again += lost


def _through_ray(items: list[dict[str, Any]], order: Order) -> Iterator[dict[str, Any]]:
    """Have each item answered by a task, and give the answers as they come."""
    tasks = ray_module().data.from_items(items, override_num_blocks=len(items))
    answers = tasks.map(answer, fn_kwargs={"order": order}, num_cpus=1)
    for table in answers.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from table.to_pylist()

"""The Ray engine: the processors of a cluster, or of this machine, by Ray Data."""

from __future__ import annotations

import itertools
import logging
import math
import os
import pickle
import platform
import queue
import socket
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from docbats.corpus.engines import LocalEngine, check_jobs_and_timeout
from docbats.corpus.errors import EngineError
from docbats.errors import DocbatsError, MissingExtraError, SettingsError
from docbats.processes import available_processors
from docbats.runtime import row_versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.corpus.documents import InputDocument
    from docbats.corpus.engines import AnalyzeDocument, MakeEngine, Outcome

_CONNECT_SECONDS = 5.0
_RAY_VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # a wave that an interrupted run leaves would start another Ray
    "RAY_NUM_REDIS_GET_RETRIES": "2",  # of 40 seconds each, if another program answers
}


def count_processors() -> int:
    """Return the number of processors of all nodes that are up now."""
    return max(1, int(ray_module().cluster_resources().get("CPU", 1)))


@contextmanager
def connect_to_ray(address: str | None, jobs: int | None) -> Iterator[None]:
    """Connect to the cluster of this process, to the one at the address, or to a new one here."""
    for name, value in _RAY_VARIABLES.items():
        os.environ.setdefault(name, value)
    ray = ray_module()
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {
            "address": "local",
            "num_cpus": jobs or available_processors(),
            "include_dashboard": False,
        }
    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # of many kinds: no answer, another version of Ray or of Python
        reason = " ".join(str(error).split())[:500]
        msg = f"Ray does not start{f' at {address}' if address else ''}: {reason}"
        raise EngineError(msg) from None
    # docbats alone shows progress and errors; Ray still writes its log.
    ray.data.DataContext.get_current().enable_progress_bars = False
    for handler in logging.getLogger("ray.data").handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        ray.shutdown()


def ray_module() -> Any:
    """Import Ray, with Ray Data; they take a second to load."""
    import ray
    import ray.data

    return ray


def check_address(address: str, jobs: int | None) -> None:
    """Raise SettingsError for an impossible address, EngineError if nothing answers."""
    if jobs is not None:
        msg = "--jobs is for this machine: a cluster at an --address has its own processors"
        raise SettingsError(msg)
    if address.startswith("ray://"):
        msg = (
            f"{address}: Ray Data has to run in the cluster itself: call docbats on one of its "
            "nodes with --address auto, or from here by ray job submit"
        )
        raise SettingsError(msg)
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or _last_started_address()
        if not address:
            return  # Ray looks for itself, and fails soon
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        msg = f"--address must be auto or host:port, e.g. 10.0.0.1:6379, got {address}"
        raise SettingsError(msg)
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        msg = (
            f"nothing answers at {address} ({error.strerror or error}): start a cluster there by "
            f"ray start --head --port {port}, or name another"
        )
        raise EngineError(msg) from None


def _last_started_address() -> str:
    """Return the address of the cluster that was last started here, which may be gone."""
    folder = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir())
    try:
        return (folder / "ray" / "ray_current_cluster").read_text().strip()
    except OSError:
        return ""


@dataclass(frozen=True)
class TaskContext:
    """What all tasks of a run share: the pickled analysis, and the versions it was started with."""

    analyze: bytes
    timeout: float
    versions: tuple[tuple[str, str], ...]


def run_task(row: dict[str, Any], context: TaskContext) -> dict[str, Any]:
    """Turn a row of documents into one of outcomes, or of the error that ends the run."""
    outcomes: list[Outcome] | DocbatsError
    try:
        outcomes = _outcomes(pickle.loads(row["documents"]), context)
    except DocbatsError as error:
        outcomes = error
    return {"number": row["number"], "outcomes": pickle.dumps(outcomes)}


_ENGINES: dict[TaskContext, LocalEngine] = {}  # at most one, for the last context


def _outcomes(documents: list[InputDocument], context: TaskContext) -> list[Outcome]:
    engine = _engine_for(context)
    try:
        engine.submit(documents)
        outcomes = []
        while engine.waiting:
            outcomes += engine.collect()
    except BaseException:
        _close_engines()
        raise
    return outcomes


def _engine_for(context: TaskContext) -> LocalEngine:
    if context not in _ENGINES:
        _close_engines()
        _check_versions(dict(context.versions))
        engine = LocalEngine(pickle.loads(context.analyze), jobs=1, timeout=context.timeout)
        _ENGINES[context] = engine.__enter__()
    return _ENGINES[context]


def _close_engines() -> None:
    while _ENGINES:
        _ENGINES.popitem()[1].__exit__()


def _check_versions(wanted: dict[str, str]) -> None:
    found = row_versions()
    differing = [name for name in wanted if found[name] != wanted[name]]
    if differing:
        listed = ", ".join(f"{name} {found[name]} instead of {wanted[name]}" for name in differing)
        msg = (
            f"the node {platform.node()} of the cluster would compute something else: it has "
            f"{listed}. Install the same versions on all nodes and here"
        )
        raise EngineError(msg)


_WAVE_BATCHES = 32  # of a wave, for each processor; with more, a wave takes longer and more memory
_WAVE_TASKS = 2  # of a wave, for each processor; with more, starting them costs more
_MAX_WAVES = 2  # that are submitted at a time, as long as there are batches
_MAX_CHARACTERS = 32_000_000  # that may be submitted at a time; all of them are in memory
_MAX_LOSSES = 5  # of a task whose wave fails, in addition to Ray's own attempts


def ray_engine(
    address: str | None = None, *, jobs: int | None = None, timeout: float = 60.0
) -> MakeEngine:
    """Return an engine that has documents analyzed by Ray.

    Parameters
    ----------
    address
        Address of a running cluster: ``"host:6379"``, or ``"auto"`` for the one that this machine
        is in. Without it, Ray runs on this machine during the run. A process that is already
        connected to Ray uses that connection.
    jobs
        Number of processors of this machine to use; a cluster has its own.
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
    """The documents of some batches, for one process."""

    documents: list[InputDocument]
    batches: int
    losses: int = 0


@dataclass(frozen=True)
class _WaveEnded:
    """A wave is over, with or without all of its tasks."""

    numbers: tuple[int, ...]
    error: Exception | None


class RayEngine:
    """Has documents analyzed by tasks of Ray Data; :func:`ray_engine` describes the parameters.

    `waiting` is the number of documents that were submitted and have not come back.
    """

    def __init__(
        self, analyze: AnalyzeDocument, *, address: str | None, jobs: int | None, timeout: float
    ) -> None:
        versions = tuple(row_versions().items())
        self._context = TaskContext(pickle.dumps(analyze), timeout, versions)
        self._connection = connect_to_ray(address, jobs)
        self._batches: list[Sequence[InputDocument]] = []
        self._lost: list[_Task] = []
        self._under_way: dict[int, _Task] = {}
        self._events: queue.SimpleQueue[dict[str, Any] | _WaveEnded] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._processors = self._n_batches = self._n_characters = 0
        self.waiting = 0

    def __enter__(self) -> Self:
        self._connection.__enter__()
        self._processors = count_processors()
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.__exit__(None, None, None)

    @property
    def has_room(self) -> bool:
        """Whether another batch fits in the waves under way."""
        return (
            self._n_batches < _MAX_WAVES * self._wave_size and self._n_characters < _MAX_CHARACTERS
        )

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Take a batch for the next wave."""
        self._batches.append(batch)
        self._count(batch, 1)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Begin a wave if there is enough for one, and wait for a task to come back."""
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
        """Whether a processor has nothing to do although there is work."""
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
        """Run the tasks of a wave, and report what comes back."""
        error = None
        try:
            for row in _map_with_ray(rows, self._context):
                self._events.put(row)
        except Exception as raised:
            error = raised
        self._events.put(_WaveEnded(numbers, error))

    def _handle(self, event: dict[str, Any] | _WaveEnded) -> list[Outcome]:
        """Take a row that :func:`run_task` returned, or the end of a wave."""
        if isinstance(event, _WaveEnded):
            self._recover_lost_tasks(event)
            return []
        outcomes: list[Outcome] | DocbatsError = pickle.loads(event["outcomes"])
        if isinstance(outcomes, DocbatsError):
            raise outcomes
        task = self._under_way.pop(event["number"])
        self._count(task.documents, -task.batches)
        return outcomes

    def _count(self, documents: Sequence[InputDocument], batches: int) -> None:
        """Count batches that were submitted, or a negative number of batches that came back."""
        sign = 1 if batches > 0 else -1
        self._n_batches += batches
        self.waiting += sign * len(documents)
        self._n_characters += sign * sum(document.size for document in documents)

    def _recover_lost_tasks(self, ended: _WaveEnded) -> None:
        """Put lost tasks into the next wave; EngineError if that is hopeless."""
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
    """Have each row processed by a task, and yield the results as they arrive."""
    tasks = ray_module().data.from_items(rows, override_num_blocks=len(rows))
    results = tasks.map(run_task, fn_kwargs={"context": context}, num_cpus=1)
    for table in results.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from table.to_pylist()

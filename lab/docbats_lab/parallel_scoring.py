"""Score documents in several processes, in their order; a process that dies loses no document."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from docbats.processes import ProcessPool, TaskDone, WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats_lab.row_files import Row
    from docbats_lab.runner import Scorer
    from docbats_lab.segmented_document import SegmentedDocument

    Rows = dict[str, Row]

_MAX_BACKLOG = 4  # documents sent to each process ahead of time; with more, more results are held
_WORKER_OPTIONS = WorkerOptions("docbats-lab", single_thread=True)


@dataclass(frozen=True, eq=False)
class ScoringTask:
    """A document, and the variants that it is to be scored under."""

    document: SegmentedDocument
    variants: tuple[str, ...]


def score_in_order(
    tasks: Iterable[ScoringTask], scorer: Scorer, jobs: int
) -> Iterator[tuple[ScoringTask, Rows]]:
    """Yield each task with its rows, in the order of the tasks; `jobs` are scored at a time."""
    if jobs == 1:
        with threadpool_limits(1):
            for task in tasks:
                yield task, _score(scorer, task)
        return
    waiting = deque(tasks)
    under_way: deque[ScoringTask] = deque()
    scored: dict[ScoringTask, Rows] = {}
    died: deque[ScoringTask] = deque()
    with _pool(scorer, jobs) as pool:
        while waiting or under_way:
            while waiting and not died and pool.has_room and len(under_way) < jobs * _MAX_BACKLOG:
                under_way.append(waiting.popleft())
                pool.submit([under_way[-1]])
            if died and not pool.waiting:
                # Whatever its process died of, such as too little memory: it has the machine alone.
                task = died.popleft()
                scored[task] = _score_alone(scorer, task)
            else:
                for outcome in pool.collect():
                    if isinstance(outcome, TaskDone):
                        scored[outcome.task] = outcome.result
                    else:
                        died.append(outcome.task)
            while under_way and under_way[0] in scored:
                task = under_way.popleft()
                yield task, scored.pop(task)


def _score_alone(scorer: Scorer, task: ScoringTask) -> Rows:
    """Score a document under one variant after the other; a dead process is an error of its row."""
    rows: Rows = {}
    with _pool(scorer, jobs=1) as pool:
        for variant in task.variants:
            pool.submit([ScoringTask(task.document, (variant,))])
            while pool.waiting:
                for outcome in pool.collect():
                    died = {variant: {"error": "the process died"}}
                    rows |= outcome.result if isinstance(outcome, TaskDone) else died
    return rows


def _pool(scorer: Scorer, jobs: int) -> ProcessPool[ScoringTask, Rows]:
    """Return processes that have the scorer, which may be large, from their start."""
    return ProcessPool(partial(_score, scorer), _WORKER_OPTIONS, jobs=jobs, max_load=_MAX_BACKLOG)


def _score(scorer: Scorer, task: ScoringTask) -> Rows:
    return scorer(task.document, task.variants)

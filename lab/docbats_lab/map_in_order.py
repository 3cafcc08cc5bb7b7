"""Apply a function to many items in several processes."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from threadpoolctl import threadpool_limits

from docbats.errors import DocbatsError
from docbats.processes import ProcessPool, TaskDone, WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MAX_BACKLOG = 4  # items sent to each process ahead of time; with more, more are held twice
_WORKER_OPTIONS = WorkerOptions("docbats-lab", single_thread=True)

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_order(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int,
    on_done: Callable[[], None] = lambda: None,
) -> list[Result]:
    """Return the result of each item, in the order of the items; `on_done` is called for each."""
    if jobs == 1:
        results = []
        with threadpool_limits(1):
            for item in items:
                results.append(function(item))
                on_done()
        return results
    waiting = deque(enumerate(items))
    found: dict[int, Result] = {}
    apply = partial(_apply, function)
    with ProcessPool(apply, _WORKER_OPTIONS, jobs=jobs, max_load=_MAX_BACKLOG) as pool:
        while waiting or pool.waiting:
            while waiting and pool.has_room:
                pool.submit([waiting.popleft()])
            for outcome in pool.collect():
                if not isinstance(outcome, TaskDone):
                    msg = "a process died, perhaps for want of memory: try fewer --jobs"
                    raise DocbatsError(msg)
                found[outcome.task[0]] = outcome.result
                on_done()
    return [found[i] for i in range(len(items))]


def _apply(function: Callable[[Item], Result], task: tuple[int, Item]) -> Result:
    return function(task[1])

"""Run experiments over documents: in parallel, one row per document and variant, resumable.

Each variant (a method, or a setting) of an experiment on a dataset has its own rows (`results`), in
the order of the documents. An interrupted run leaves whole rows; the next run continues after them
and ends with the same bytes. A document on which a variant fails has a row with the error.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from threadpoolctl import threadpool_limits

from docbats.errors import DocbatsError, InputError
from docbats.processes import ProcessPool, TaskDone, WorkerOptions
from docbats_lab.results import Row, append_rows, delete_rows, has_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MAX_BACKLOG = 4  # items sent to each process ahead of time; with more, more results are held
_WORKER_OPTIONS = WorkerOptions("docbats-lab", single_thread=True)

Item = TypeVar("Item")
Result = TypeVar("Result")


def _refuse_death(_: object) -> Any:
    msg = "a process died, perhaps for lack of memory: try fewer --jobs"
    raise DocbatsError(msg)


def map_in_order(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int,
    on_death: Callable[[Item], Result] = _refuse_death,
) -> Iterator[Result]:
    """Yield the result of each item, in the order of the items.

    A process that dies loses no item: `on_death` is called with it once no other is being worked
    on, so that it has the machine to itself.
    """
    if jobs == 1:
        with threadpool_limits(1):
            yield from map(function, items)
    else:
        yield from _map_in_processes(function, items, jobs, on_death)


def _map_in_processes(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    on_death: Callable[[Item], Result],
) -> Iterator[Result]:
    sent = done = 0
    results: dict[int, Result] = {}
    died: deque[tuple[int, Item]] = deque()
    apply = partial(_apply, function)
    with ProcessPool(apply, _WORKER_OPTIONS, jobs=jobs, max_load=_MAX_BACKLOG) as pool:
        while done < len(items):
            while not died and pool.has_room and sent < min(len(items), done + jobs * _MAX_BACKLOG):
                pool.submit([(sent, items[sent])])
                sent += 1
            if died and not pool.waiting:
                index, item = died.popleft()
                results[index] = on_death(item)
            else:
                for outcome in pool.collect():
                    if isinstance(outcome, TaskDone):
                        results[outcome.task[0]] = outcome.result
                    else:
                        died.append(outcome.task)
            while done in results:
                yield results.pop(done)
                done += 1


def _apply(function: Callable[[Item], Result], task: tuple[int, Item]) -> Result:
    return function(task[1])


class Named(Protocol):
    """What can be scored: anything with a name of its own, which pickles."""

    @property
    def name(self) -> str:
        """The name of its row."""


Scored = TypeVar("Scored", bound=Named)
Scorer = Callable[[Scored, Sequence[str]], dict[str, Row]]
"""From one document and some variants to a row for each; sent to processes, so it must pickle."""


@dataclass(frozen=True, eq=False)
class _Task:
    """A document, and the variants to score it under."""

    document: Any
    variants: tuple[str, ...]


def score_documents(
    documents: Sequence[Scored],
    variants: Sequence[str],
    scorer: Scorer[Scored],
    folder: Path,
    *,
    meta: Mapping[str, Any],
    jobs: int = 1,
    fresh: bool = False,
    keep_others: bool = False,
    on_done: Callable[[], None] = lambda: None,
) -> None:
    """Write the rows that are still missing under `folder`; `on_done` is called for each document.

    `meta` says what the rows were made with. It is stored beside them, and rows made with something
    else are not continued; `fresh` deletes them and starts over, with `keep_others` only the rows
    of these variants.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fresh:
        delete_rows(folder, variants if keep_others else None)
        if not has_rows(folder):
            (folder / "meta.json").unlink(missing_ok=True)
    _check_meta(folder / "meta.json", meta)
    finished = {v: set(read_rows(folder, v)) for v in variants}
    tasks = []
    for document in documents:
        missing = tuple(v for v in variants if document.name not in finished[v])
        if missing:
            tasks.append(_Task(document, missing))
        else:
            on_done()
    score = partial(_score, scorer)
    scored = map_in_order(score, tasks, jobs=jobs, on_death=partial(_score_one_by_one, score))
    with ExitStack() as stack:
        append = {v: stack.enter_context(append_rows(folder, v)) for v in variants}
        for task, rows in zip(tasks, scored, strict=True):
            for variant in task.variants:
                append[variant](task.document.name, rows[variant])
            on_done()


def _score(scorer: Scorer[Any], task: _Task) -> dict[str, Row]:
    return scorer(task.document, task.variants)


def _score_one_by_one(score: Callable[[_Task], dict[str, Row]], task: _Task) -> dict[str, Row]:
    """Score a document under one variant after the other; a dead process is an error of its row."""
    tasks = [_Task(task.document, (variant,)) for variant in task.variants]

    def error(task: _Task) -> dict[str, Row]:
        return {task.variants[0]: {"error": "the process died"}}

    rows = _map_in_processes(score, tasks, 1, error)
    return {variant: row for found in rows for variant, row in found.items()}


def _check_meta(path: Path, meta: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(meta))
    if not path.exists():
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    differing = sorted(k for k in {*wanted, *found} if wanted.get(k) != found.get(k))
    if differing:
        msg = (
            f"{path.parent} holds results made with a different {', '.join(differing)}: start over "
            "with --fresh and all methods, or name another folder with --output"
        )
        raise InputError(msg)

"""Scores documents by variants: in parallel, one row per document, resumable.

Each variant (a method, or a setting) of an experiment on a dataset has its own rows (`row_files`),
in the order of the documents. A run that is interrupted leaves whole rows; the next run goes on
after them and ends with the same bytes. A document on which a variant fails has a row with the
error.
"""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Protocol

from threadpoolctl import threadpool_limits

from docbats.errors import InputError
from docbats.lab.row_files import Row, append_rows, delete_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats.lab.segmented_document import SegmentedDocument

__all__ = ["Scorer", "score_documents"]

_BACKLOG = 4  # documents handed to each process ahead of time


class Scorer(Protocol):
    """Scores one document under some variants; it is sent to other processes, so it must pickle."""

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each variant."""


@dataclass(frozen=True)
class _Job:
    document: SegmentedDocument
    variants: tuple[str, ...]


def score_documents(
    documents: Sequence[SegmentedDocument],
    variants: Sequence[str],
    scorer: Scorer,
    folder: Path,
    *,
    meta: Mapping[str, Any],
    jobs: int = 1,
    fresh: bool = False,
    on_done: Callable[[], None] = lambda: None,
) -> None:
    """Write the rows that are still missing under `folder`; `on_done` is called for each document.

    `meta` says what the rows were made with. It is stored beside them, and rows made with something
    else are not continued; `fresh` deletes them and starts over.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fresh:
        delete_rows(folder)
        (folder / "meta.json").unlink(missing_ok=True)
    _check_meta(folder / "meta.json", meta)
    done = {v: set(read_rows(folder, v)) for v in variants}
    todo = deque[_Job]()
    for document in documents:
        missing = tuple(v for v in variants if document.name not in done[v])
        if missing:
            todo.append(_Job(document, missing))
        else:
            on_done()
    with ExitStack() as stack:
        append = {v: stack.enter_context(append_rows(folder, v)) for v in variants}
        for job, rows in _run_all(todo, scorer, jobs):
            for variant in job.variants:
                append[variant](job.document.name, rows[variant])
            on_done()


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
            "with --fresh, or name another folder with --output"
        )
        raise InputError(msg)


def _run_all(
    todo: Iterable[_Job], scorer: Scorer, jobs: int
) -> Iterator[tuple[_Job, dict[str, Row]]]:
    """Run the jobs in their order of writing, several at a time."""
    if jobs == 1:
        with threadpool_limits(1):
            for job in todo:
                yield job, scorer(job.document, job.variants)
        return
    waiting = deque(todo)
    while waiting:
        running = deque[tuple[_Job, Future[dict[str, Row]]]]()
        with _pool(jobs, scorer) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < jobs * _BACKLOG:
                        job = waiting[0]
                        future = pool.submit(_score, job.document, job.variants)  # or it is broken
                        running.append((waiting.popleft(), future))
                    job, future = running[0]
                    rows = future.result()
                    running.popleft()
                    yield job, rows
            except BrokenProcessPool:
                # Some process died. The first job in line may be to blame: it is tried alone, and
                # what was under way behind it is run again.
                waiting.extendleft(job for job, _ in reversed(running))
                job = waiting.popleft()
                yield job, _run_alone(job, scorer)


def _run_alone(job: _Job, scorer: Scorer) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for variant in job.variants:
        with _pool(1, scorer) as pool:
            try:
                rows |= pool.submit(_score, job.document, [variant]).result()
            except BrokenProcessPool:
                rows[variant] = {"error": "the process died"}
    return rows


def _pool(jobs: int, scorer: Scorer) -> ProcessPoolExecutor:
    # A fresh interpreter for each process: forking one that has threads may hang.
    context = get_context("spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_begin_worker, initargs=(scorer,))


_scorer: Scorer | None = None


def _begin_worker(scorer: Scorer) -> None:
    """Take the scorer once, since it may be large, and keep numeric libraries to one thread.

    Those that are loaded already are told so; those that will be read the environment.
    """
    global _scorer  # noqa: PLW0603  (a worker process has one scorer, for all its life)
    _scorer = scorer
    threadpool_limits(1)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def _score(document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
    if _scorer is None:
        msg = "a worker was asked to score before it had a scorer"
        raise RuntimeError(msg)
    return _scorer(document, variants)

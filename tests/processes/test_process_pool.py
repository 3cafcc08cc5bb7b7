from __future__ import annotations

import signal
from typing import Any

import pytest

from docbats.processes import (
    ProcessPool,
    TaskDied,
    TaskDone,
    TaskTimedOut,
    WorkerOptions,
    WorkerProcess,
    WorkersNeverReadyError,
    WorkerStartError,
    available_processors,
)

OPTIONS = WorkerOptions("docbats-test", warm_up="warm up")


def collect_all(pool: ProcessPool[str, str], tasks: list[str]) -> list[Any]:
    outcomes: list[Any] = []
    while tasks or pool.waiting:
        while tasks and pool.has_room:
            pool.submit([tasks.pop(0)])
        outcomes += pool.collect()
    return sorted(outcomes, key=lambda outcome: outcome.task)


def test_every_task_comes_back_once_whatever_happens(actions: Any) -> None:
    tasks = ["a", "b", "die", "c", "exit", "d", "sleep 60"]
    with ProcessPool(actions.act, OPTIONS, jobs=2, timeout=2, max_load=3, max_deaths=2) as pool:
        outcomes = collect_all(pool, tasks)
    assert outcomes == [
        *(TaskDone(task, task) for task in "abcd"),
        TaskDied("die", -signal.SIGKILL),
        TaskDied("exit", 3),
        TaskTimedOut("sleep 60"),
    ]


def test_an_exception_is_raised_by_collect(actions: Any) -> None:
    with (
        ProcessPool(actions.act, OPTIONS, jobs=1) as pool,
        pytest.raises(ValueError, match="a task that fails"),
    ):
        collect_all(pool, ["raise"])


def test_no_more_tasks_are_taken_than_the_load_allows(actions: Any) -> None:
    with ProcessPool(actions.act, OPTIONS, jobs=1, size=len, max_load=10) as pool:
        assert not pool.has_room
        while not pool.is_ready:
            pool.collect()
        for task in ("sleep 60", "b"):
            assert pool.has_room
            pool.submit([task])
        assert pool.has_room
        pool.submit(["c"])
        assert not pool.has_room
        assert pool.collect(timeout=0.01) == []
        assert pool.waiting == 3


def test_processes_that_are_never_ready(actions: Any) -> None:
    with (
        ProcessPool(actions.die_at_once, OPTIONS, jobs=2) as pool,
        pytest.raises(WorkersNeverReadyError),
    ):
        collect_all(pool, ["a"])


def test_processes_that_cannot_be_started(actions: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(11, "too many processes")

    monkeypatch.setattr(WorkerProcess, "__init__", refuse)
    with (
        pytest.raises(WorkerStartError, match="too many processes: try fewer --jobs"),
        ProcessPool(actions.act, OPTIONS, jobs=2),
    ):
        pytest.fail("it started")


def test_processors_are_counted() -> None:
    assert available_processors() >= 1

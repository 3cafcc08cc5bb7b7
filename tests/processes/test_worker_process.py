from __future__ import annotations

import os
from contextlib import closing
from typing import Any

import pytest

from docbats.processes import WorkerDiedError, WorkerOptions, WorkerProcess


def start(function: Any, **options: Any) -> closing[WorkerProcess]:
    worker = WorkerProcess(function, WorkerOptions("docbats-test", **options))
    worker.receive()
    return closing(worker)


def test_results_come_in_the_order_of_the_tasks(actions: Any) -> None:
    with start(actions.act) as worker:
        worker.send(["a", "b"])
        worker.send(["c"])
        assert [worker.receive() for _ in range(3)] == ["a", "b", "c"]
        assert not worker.connection.poll(0)


def test_an_exception_of_the_function_is_raised_here(actions: Any) -> None:
    with start(actions.act) as worker:
        worker.send(["raise", "raise unpicklable", "a"])
        with pytest.raises(ValueError, match="a task that fails") as raised:
            worker.receive()
        assert "actions.py" in raised.value.__notes__[0]
        with pytest.raises(RuntimeError, match="UnpicklableError: raise unpicklable: as told"):
            worker.receive()
        assert worker.receive() == "a"


def test_a_process_that_dies(actions: Any) -> None:
    with start(actions.act) as worker:
        worker.send(["a", "exit"])
        assert worker.receive() == "a"
        with pytest.raises(WorkerDiedError):
            worker.receive()
        assert worker.connection.poll(0)
        assert worker.close() == 3
    with pytest.raises(WorkerDiedError):
        start(actions.die_at_once, warm_up="a")


def test_a_task_that_needs_too_much_memory(actions: Any) -> None:
    with start(actions.act, max_memory=600) as worker:
        worker.send(["allocate 1000", "answer 300", "raise out of memory", "allocate 1"])
        for _ in range(3):
            with pytest.raises(MemoryError):
                worker.receive()
        assert worker.receive() == "1000000"


def test_one_thread_is_asked_for_in_the_new_process_alone(
    actions: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with start(actions.act, single_thread=True) as worker:
        worker.send(["environment OMP_NUM_THREADS", "environment MKL_NUM_THREADS"])
        assert [worker.receive(), worker.receive()] == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ

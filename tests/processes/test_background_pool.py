from __future__ import annotations

import asyncio
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from docbats.background_pool import BackgroundPool
from docbats.processes import (
    PoolBusyError,
    PoolError,
    TaskTooSlowError,
    WorkerOptions,
    WorkerProcess,
    WorkersNeverReadyError,
    WorkerStartError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path


def _run(main: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: in this one, a browser of other tests may have a loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, main).result()


class _Pool(BackgroundPool[Any, Any]):
    """Runs tasks that can be awaited."""

    async def run(self, task: Any) -> Any:
        return await asyncio.wrap_future(self.submit(task))


@asynccontextmanager
async def _pool(work: Callable[[Any], Any], warm_up: Any, **options: Any) -> AsyncIterator[_Pool]:
    pool = _Pool(
        work,
        WorkerOptions("docbats-test", warm_up=warm_up),
        **{"jobs": 1, "max_waiting": 4, "timeout": 20, "max_wait": 20, "max_deaths": 2, **options},
    )
    try:
        await asyncio.wrap_future(pool.start())
        yield pool
    finally:
        pool.close()


def test_a_job_that_hangs_is_stopped_and_the_next_is_done() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0, timeout=0.5) as pool:
            began = time.perf_counter()
            with pytest.raises(TaskTooSlowError):
                await pool.run(60)
            assert time.perf_counter() - began < 10
            assert await pool.run(0) is None
            assert pool.restarts == 1

    _run(main())


def test_a_process_that_dies_is_replaced() -> None:
    async def main() -> None:
        async with _pool(eval, "0", jobs=2) as pool:
            with pytest.raises(PoolError, match="its process died"):
                await pool.run("__import__('os')._exit(3)")
            assert await asyncio.gather(*(pool.run("6 * 7") for _ in range(6))) == [42] * 6
            assert pool.restarts == 2  # it was tried again

    _run(main())


def test_a_process_that_dies_while_idle_is_replaced_unnoticed() -> None:
    async def main() -> None:
        async with _pool(eval, "0") as pool:
            os.kill(await pool.run("__import__('os').getpid()"), signal.SIGKILL)
            await asyncio.sleep(1)
            assert await pool.run("6 * 7") == 42
            assert pool.restarts == 1

    _run(main())


def test_a_pool_that_cannot_start_says_so() -> None:
    async def main() -> None:
        async with _pool(os._exit, 1, jobs=2):
            pytest.fail("it started")

    with pytest.raises(WorkersNeverReadyError, match="died before they were ready"):
        _run(main())


def test_an_exception_is_an_error_of_the_job_alone() -> None:
    async def main() -> None:
        async with _pool(int, "1") as pool:
            with pytest.raises(ValueError, match="secret"):
                await pool.run("secret")
            assert await pool.run("7") == 7
            assert pool.restarts == 0

    _run(main())


def test_a_full_queue_refuses_at_once() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0, max_waiting=2) as pool:
            jobs = [asyncio.create_task(pool.run(0.3)) for _ in range(3)]
            await asyncio.sleep(0.05)
            began = time.perf_counter()
            with pytest.raises(PoolBusyError):
                await pool.run(0.3)
            assert time.perf_counter() - began < 0.1
            assert [await job for job in jobs] == [None] * 3

    _run(main())


def test_a_job_whose_turn_does_not_come_is_refused() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0, max_wait=1) as pool:
            jobs = [asyncio.create_task(pool.run(0.8)) for _ in range(3)]
            done = await asyncio.gather(*jobs, return_exceptions=True)
            assert done[:2] == [None, None]
            assert isinstance(done[2], PoolBusyError)

    _run(main())


def test_a_job_that_nobody_waits_for_gives_up_its_place() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0) as pool:
            first = asyncio.create_task(pool.run(0.3))
            given_up = asyncio.create_task(pool.run(15))
            await asyncio.sleep(0.05)
            given_up.cancel()
            await first
            began = time.perf_counter()
            await pool.run(0)
            assert time.perf_counter() - began < 5

    _run(main())


def test_one_long_job_does_not_block_the_others() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0, jobs=2) as pool:
            long = asyncio.create_task(pool.run(1.5))
            began = time.perf_counter()
            for _ in range(20):
                await pool.run(0)
            assert time.perf_counter() - began < 1.4
            assert not long.done()
            await long

    _run(main())


def test_large_jobs_pass_whatever_the_size_of_a_pipe() -> None:
    async def main() -> None:
        async with _pool(len, "") as pool:
            assert await pool.run("x" * 30_000_000) == 30_000_000

    _run(main())


def test_whoever_waits_when_the_pool_closes_gets_an_error() -> None:
    async def main() -> None:
        async with _pool(time.sleep, 0) as pool:
            jobs = [asyncio.create_task(pool.run(30)) for _ in range(3)]
            await asyncio.sleep(0.1)
        for job in jobs:
            with pytest.raises(PoolError):
                await job

    _run(main())


def test_after_a_failed_start_the_next_task_tries_again(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    warm_up = f"open({str(missing)!r}).close() or __import__('os')._exit(3)"

    async def main() -> None:
        pool = _Pool(
            eval, WorkerOptions("docbats-test", warm_up=warm_up), jobs=1, timeout=20, max_wait=300
        )
        with pytest.raises(FileNotFoundError):
            await pool.run("6 * 7")
        missing.touch()
        with pytest.raises(WorkersNeverReadyError):
            await pool.run("6 * 7")
        pool.close()
        with pytest.raises(PoolError, match="closed"):
            await pool.run("6 * 7")

    _run(main())


def test_tasks_that_prefer_the_same_process_go_there_if_it_is_free() -> None:
    async def main() -> None:
        async with _pool(eval, "0", jobs=2) as pool:
            task = "__import__('time').sleep(0.1) or __import__('os').getpid()"
            first, second, first_again = [
                await asyncio.wrap_future(pool.submit(task, preferred=number))
                for number in (7, 8, 7)
            ]
            assert first == first_again != second
            both = [asyncio.wrap_future(pool.submit(task, preferred=7)) for _ in range(2)]
            assert set(await asyncio.gather(*both)) == {first, second}

    _run(main())


def test_a_process_that_cannot_be_replaced_leaves_the_others_working(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(11, "too many processes")

    async def main() -> None:
        async with _pool(eval, "0", jobs=2, max_deaths=1) as pool:
            with monkeypatch.context() as patch:
                patch.setattr(WorkerProcess, "__init__", refuse)
                with pytest.raises(PoolError, match="its process died"):
                    await pool.run("__import__('os')._exit(3)")
                assert [await pool.run("6 * 7") for _ in range(3)] == [42] * 3
                with pytest.raises(PoolError, match="its process died"):
                    await pool.run("__import__('os')._exit(3)")
                with pytest.raises(WorkerStartError, match="too many processes"):
                    await pool.run("6 * 7")
            assert await pool.run("6 * 7") == 42

    _run(main())

"""Real services, each in a process of its own, to try things on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Running:
    """A service that is up."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def client(self, **options: Any) -> httpx.Client:
        """Make a client of it."""
        return httpx.Client(base_url=self.url, timeout=60, trust_env=False, **options)

    def workers(self) -> list[int]:
        """Return the ids of its worker processes."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        children = {int(child) for task in tasks for child in task.read_text().split()}
        return [pid for pid in sorted(children) if b"spawn_main" in _command(pid)]

    def stop(self) -> int:
        """Ask it to end, and wait for that."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


Start = Callable[..., AbstractContextManager[Running]]


@contextmanager
def start_service(folder: Path, *options: str, token: str | None = None) -> Iterator[Running]:
    """Start ``docbats serve`` on a free port; what it says goes to a file in `folder`."""
    log = folder / "log.txt"
    command = [sys.executable, "-c", "from docbats.cli import main; main()", "serve"]
    environment = {k: v for k, v in os.environ.items() if k != "DOCBATS_TOKEN"}
    if token is not None:
        environment["DOCBATS_TOKEN"] = token
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--port", "0", "--no-open", *options],
            stdout=file, stderr=file, env=environment, cwd=ROOT,
        )  # fmt: skip
        try:
            yield Running(process, _address(process, log), log)
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the service prints its address."""
    for _ in range(1200):
        if found := re.search(r"http://\S+", log.read_text()):
            return found[0]
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with one worker and small limits, which all tests share that leave it as it is."""
    limits = ["--workers", "1", "--max-bytes", "20000", "--max-sentences", "120"]
    with start_service(tmp_path_factory.mktemp("service"), *limits) as running:
        yield running


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    """A client of the shared service."""
    with service.client() as client:
        yield client


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """A function that starts a service with options of the test's own."""
    return lambda *options, **more: start_service(tmp_path, *options, **more)


@pytest.fixture(scope="session")
def article() -> str:
    """One of our examples."""
    return (ROOT / "examples" / "article.txt").read_text(encoding="utf-8")

"""Send 1,000 requests from 50 clients to a service on this machine, and check every answer.

Sizes and formats are mixed; some documents are too large, and some settings are invalid. Writes
benchmarks/results/load.json; fails if an answer is wrong or the memory grows.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import random
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import docbats
from docbats.render.rows import to_csv
from docbats.result import json_text
from docbats.runtime import find_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "load.json"
MAX_BYTES = 1_000_000
# The memory after all requests, divided by that after half of them; larger values miss slow leaks.
MAX_MEMORY_GROWTH = 1.25


@dataclass(frozen=True)
class Request:
    """What to send, in which share of all requests, and the expected status and body.

    Where `answer` is None, only the status is checked.
    """

    kind: str
    share: int
    query: str
    body: bytes
    status: int
    answer: bytes | None


@dataclass(frozen=True)
class Response:
    """How long a request took, and whether its response was right."""

    kind: str
    status: int
    is_right: bool
    seconds: float


def main() -> None:
    """Start a service, send everything, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4))
    arguments = parser.parse_args()
    kinds = make_requests()
    chosen = random.Random(0).choices(kinds, [kind.share for kind in kinds], k=arguments.requests)
    with service(arguments.workers) as (process, address):
        memory = Memory(process.pid)
        send_all([kind for kind in kinds for _ in range(2 * arguments.workers)], 4, address)
        memory.record("before")
        half = len(chosen) // 2
        started = time.perf_counter()
        answers = send_all(chosen[:half], arguments.clients, address)
        spent = time.perf_counter() - started
        memory.record("middle")
        started = time.perf_counter()
        answers += send_all(chosen[half:], arguments.clients, address)
        spent += time.perf_counter() - started
        memory.record("after")
    report = {
        "command": "python benchmarks/load.py",
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "versions": find_versions("docbats", "fastapi", "uvicorn"),
        "requests": len(answers),
        "clients": arguments.clients,
        "workers": arguments.workers,
        "wrong": sum(not answer.is_right for answer in answers),
        "requests_per_second": round(len(answers) / spent, 1),
        "milliseconds": {"all": percentiles(answers)}
        | {kind.kind: percentiles([a for a in answers if a.kind == kind.kind]) for kind in kinds},
        "memory_mb": memory.recorded,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    for answer in answers:
        if not answer.is_right:
            sys.exit(f"a wrong answer to {answer.kind}: status {answer.status}")
    for name, now in memory.recorded["after"].items():
        if now > MAX_MEMORY_GROWTH * memory.recorded["middle"][name]:
            sys.exit(f"the memory of the {name} grows: see {OUTPUT}")


def make_requests() -> list[Request]:
    """Return the kinds of requests, with what the library itself returns for them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.txt"))]
    report, article, _, lecture = texts
    long = "\n\n".join(texts)
    kinds = [
        _expect("1 kB, json", 25, article[:1000], ""),
        _expect("10 kB, json", 30, report, "k=6"),
        _expect("10 kB, paper, csv", 10, lecture, "preset=paper&format=csv"),
        _expect("40 kB, json", 15, long, ""),
        _expect("400 kB, json", 3, long * 10, ""),
    ]
    page = docbats.analyze(article).to_html().encode()
    kinds.append(Request("10 kB, html", 7, "format=html", article.encode(), 200, page))
    too_large = b"word " * (MAX_BYTES // 5 + 1)
    kinds += [
        Request("too large", 4, "", too_large, 413, None),
        Request("too many segments", 3, "k=500", b"One. Two.", 422, None),
        Request("wrong setting", 3, "k=none", b"One. Two.", 422, None),
    ]
    return kinds


def _expect(kind: str, share: int, text: str, query: str) -> Request:
    parameters = dict(part.split("=") for part in query.split("&") if part)
    k = int(parameters["k"]) if "k" in parameters else "auto"
    result = docbats.analyze(text, k=k, preset=parameters.get("preset", "sharp"))  # type: ignore[arg-type]
    if parameters.get("format") == "csv":
        answer = to_csv([("", result)])
    else:
        answer = json_text(result.to_dict(top_words=10)) + "\n"
    return Request(kind, share, query, text.encode(), 200, answer.encode())


def send_all(requests: list[Request], clients: int, address: str) -> list[Response]:
    """Send all requests, as many at a time as there are clients."""
    left = iter(requests)
    lock = threading.Lock()

    def work() -> list[Response]:
        connection = http.client.HTTPConnection(address, timeout=120)
        answers: list[Response] = []
        while True:
            with lock:
                request = next(left, None)
            if request is None:
                connection.close()
                return answers
            answers.append(_send(connection, request))

    with ThreadPoolExecutor(clients) as threads:
        done = [threads.submit(work) for _ in range(clients)]
        return [answer for answers in done for answer in answers.result()]


def _send(connection: http.client.HTTPConnection, request: Request) -> Response:
    started = time.perf_counter()
    headers = {"Content-Type": "text/plain"}
    connection.request("POST", f"/v1/analyze?{request.query}", request.body, headers)
    response = connection.getresponse()
    body = response.read()
    seconds = time.perf_counter() - started
    if request.answer is None:
        is_right = json.loads(body)["status"] == request.status
    else:
        is_right = body == request.answer
    is_right = is_right and response.status == request.status
    return Response(request.kind, response.status, is_right, seconds)


def percentiles(answers: list[Response]) -> dict[str, float]:
    """Return the number of answers and the 50th and 99th percentile of their milliseconds."""
    times = sorted(1000 * answer.seconds for answer in answers)
    if not times:
        return {"requests": 0}
    return {
        "requests": len(times),
        "p50": round(times[len(times) // 2], 1),
        "p99": round(times[min(len(times) - 1, len(times) * 99 // 100)], 1),
    }


class Memory:
    """Records the memory of the service and of its workers, in megabytes."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.recorded: dict[str, dict[str, float]] = {}

    def record(self, when: str) -> None:
        """Measure the memory now."""
        tasks = Path(f"/proc/{self._pid}/task").glob("*/children")
        children = {child for task in tasks for child in task.read_text().split()}
        workers = [
            child
            for child in children
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
        self.recorded[when] = {
            "service": _resident(self._pid),
            "workers": round(sum(map(_resident, workers)), 1),
        }


def _resident(pid: int | str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return round(int(found[1]) / 1000, 1) if found else 0.0


@contextmanager
def service(workers: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start ``docbats serve`` on a free port of this machine."""
    options: list[Any] = ["--port", 0, "--no-open", "--workers", workers, "--max-bytes", MAX_BYTES]
    command = [sys.executable, "-c", "from docbats.cli import main; main()", "serve"]
    with subprocess.Popen(
        [*command, *map(str, options)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        if found is None:
            sys.exit("the service did not start")
        try:
            yield process, urlsplit(found[0]).netloc
        finally:
            process.terminate()


if __name__ == "__main__":
    main()

"""Send 1,000 requests from 50 clients to a service on this machine, and check every answer.

Mixed sizes and forms, with some that are too large or ask for nonsense. Writes
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
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import docbats
from docbats.render.segments_csv import to_csv
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "load.json"
MAX_BYTES = 1_000_000
GROWTH = 1.25  # of memory from the middle to the end


@dataclass(frozen=True)
class Request:
    """What to send, how often of a hundred, and what must come back; None checks no more."""

    kind: str
    share: int
    query: str
    body: bytes
    status: int
    answer: bytes | None


@dataclass(frozen=True)
class Answered:
    """How long a request took, and whether its answer was right."""

    kind: str
    status: int
    right: bool
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
        memory.note("before")
        half = len(chosen) // 2
        began = time.perf_counter()
        answers = send_all(chosen[:half], arguments.clients, address)
        spent = time.perf_counter() - began
        memory.note("middle")
        began = time.perf_counter()
        answers += send_all(chosen[half:], arguments.clients, address)
        spent += time.perf_counter() - began
        memory.note("after")
    report = {
        "command": "python benchmarks/load.py",
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("docbats", "fastapi", "uvicorn")},
        "requests": len(answers),
        "clients": arguments.clients,
        "workers": arguments.workers,
        "wrong": sum(not answer.right for answer in answers),
        "requests_per_second": round(len(answers) / spent, 1),
        "milliseconds": {"all": percentiles(answers)}
        | {kind.kind: percentiles([a for a in answers if a.kind == kind.kind]) for kind in kinds},
        "memory_mb": memory.noted,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    for answer in answers:
        if not answer.right:
            sys.exit(f"a wrong answer to {answer.kind}: status {answer.status}")
    for name, now in memory.noted["after"].items():
        if now > GROWTH * memory.noted["middle"][name]:
            sys.exit(f"the memory of the {name} grows: see {OUTPUT}")


def make_requests() -> list[Request]:
    """Make the kinds of requests and what the library itself answers to them."""
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
    asked = dict(part.split("=") for part in query.split("&") if part)
    k = int(asked["k"]) if "k" in asked else "auto"
    result = docbats.analyze(text, k=k, preset=asked.get("preset", "sharp"))  # type: ignore[arg-type]
    if asked.get("format") == "csv":
        answer = to_csv([("", result)])
    else:
        answer = json_text(result.to_dict(top_words=10)) + "\n"
    return Request(kind, share, query, text.encode(), 200, answer.encode())


def send_all(requests: list[Request], clients: int, address: str) -> list[Answered]:
    """Send all requests, as many at a time as there are clients."""
    left = iter(requests)
    lock = threading.Lock()

    def work() -> list[Answered]:
        connection = http.client.HTTPConnection(address, timeout=120)
        answers: list[Answered] = []
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


def _send(connection: http.client.HTTPConnection, request: Request) -> Answered:
    began = time.perf_counter()
    headers = {"Content-Type": "text/plain"}
    connection.request("POST", f"/v1/analyze?{request.query}", request.body, headers)
    response = connection.getresponse()
    body = response.read()
    seconds = time.perf_counter() - began
    if request.answer is None:
        right = json.loads(body)["status"] == request.status
    else:
        right = body == request.answer
    right = right and response.status == request.status
    return Answered(request.kind, response.status, right, seconds)


def percentiles(answers: list[Answered]) -> dict[str, float]:
    """Give the number of answers and the times within which half and 99 of 100 came."""
    times = sorted(1000 * answer.seconds for answer in answers)
    if not times:
        return {"requests": 0}
    return {
        "requests": len(times),
        "p50": round(times[len(times) // 2], 1),
        "p99": round(times[min(len(times) - 1, len(times) * 99 // 100)], 1),
    }


class Memory:
    """Notes what the service and its workers hold in memory, in megabytes."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.noted: dict[str, dict[str, float]] = {}

    def note(self, when: str) -> None:
        """Measure now."""
        tasks = Path(f"/proc/{self._pid}/task").glob("*/children")
        children = {child for task in tasks for child in task.read_text().split()}
        workers = [
            child
            for child in children
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
        self.noted[when] = {
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

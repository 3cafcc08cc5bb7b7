"""Send mixed requests to a service for minutes, from 1 to 200 clients, while workers are killed.

Short and long documents, malformed and cancelled requests are mixed. Every answer is compared with
what the library gives. Writes benchmarks/results/soak.json with the curve of latencies and memory;
fails if an answer is wrong or lost, or if the memory grows.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import docbats
from docbats.result import json_text

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "soak.json"
CLIENTS = (1, 2, 5, 10, 20, 50, 100, 200)
KILL_EVERY = 10.0  # seconds; each time one worker is killed
MAX_MEMORY_GROWTH = 1.25  # of the service's own process, from its first to its last quarter
BUSY = 503  # an answer that is right where all places are taken: the client tries again
_CRASH = 500  # right only while workers are killed: both attempts at a document died


def main() -> int:
    """Soak, write the curve, and return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    command = [sys.executable, "-m", "docbats", "serve", "--port", "0", "--no-open"]
    service = subprocess.Popen(
        [*command, "--workers", str(options.workers)], stderr=subprocess.PIPE, text=True
    )
    try:
        steps = _soak(service, options.minutes * 60 / len(CLIENTS))
    finally:
        service.terminate()
        service.wait(60)
    memory = [step["megabytes"] for step in steps]
    growth = memory[-1] / memory[len(memory) // 4]
    report = {
        "command": f"python benchmarks/soak.py {' '.join(sys.argv[1:])}".strip(),
        "docbats": docbats.__version__,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "requests": sum(step["requests"] for step in steps),
        "wrong": sum(step["wrong"] for step in steps),
        "lost": sum(step["lost"] for step in steps),
        "kills": sum(step["kills"] for step in steps),
        "memory_growth": round(growth, 3),
        "steps": steps,
    }
    options.output.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    return 1 if report["wrong"] or report["lost"] or growth > MAX_MEMORY_GROWTH else 0


def _soak(service: subprocess.Popen[str], seconds: float) -> list[dict[str, Any]]:
    assert service.stderr is not None
    found = re.search(r"http://\S+", service.stderr.readline())
    if found is None:
        msg = "the service did not start"
        raise RuntimeError(msg)
    threading.Thread(target=service.stderr.read, daemon=True).start()
    address = urlsplit(found[0])
    place = (address.hostname or "", address.port or 80)
    requests = _requests()
    return [_step(place, service.pid, requests, clients, seconds) for clients in CLIENTS]


def _requests() -> list[tuple[str, bytes, int, bytes | None]]:
    """Return queries, bodies, and the status and body that must come back."""
    made: list[tuple[str, bytes, int, bytes | None]] = []
    texts = [path.read_text() for path in sorted(EXAMPLES.glob("*.txt"))]
    texts += ["Bats hunt moths. Tea is hot.", "\n\n".join(texts), "Ein Tee. L'eau d'ici. "]
    for text in texts:
        answer = json_text(docbats.analyze(text).to_dict(top_words=10)) + "\n"
        made.append(("", text.encode(), 200, _stable(answer.encode())))
    made += [("?k=0", b"Bats.", 422, None), ("?nothing=1", b"Bats.", 422, None)]
    made += [("", b"\xff\xfe\xfd", 400, None), ("", b" ", 422, None), ("?k=9", b"Bats.", 422, None)]
    return made


def _stable(answer: bytes) -> bytes:
    """Return an answer without the seconds that it took."""
    values = json.loads(answer)
    values.pop("seconds", None)
    return json.dumps(values, sort_keys=True).encode()


def _step(
    place: tuple[str, int],
    pid: int,
    requests: list[tuple[str, bytes, int, bytes | None]],
    clients: int,
    seconds: float,
) -> dict[str, Any]:
    """Let `clients` clients ask for some time; return what came back."""
    end = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    times: list[float] = []
    threads = [
        threading.Thread(
            target=_client,
            args=(place, requests, end, number),
            kwargs={"counts": counts, "times": times},
        )
        for number in range(clients)
    ]
    killer = threading.Thread(target=_kill_workers, args=(pid, end, counts))
    for thread in (killer, *threads):
        thread.start()
    for thread in (killer, *threads):
        thread.join()
    times.sort()
    memory = int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])
    return {
        "clients": clients,
        "seconds": round(seconds, 1),
        "requests": counts["right"] + counts["wrong"] + counts["lost"] + counts["cancelled"],
        **{
            name: counts[name]
            for name in ("wrong", "lost", "cancelled", "busy", "crashed", "kills")
        },
        "p50_ms": round(1000 * times[len(times) // 2], 1) if times else None,
        "p99_ms": round(1000 * times[len(times) * 99 // 100], 1) if times else None,
        "megabytes": round(memory / 1024, 1),
    }


def _client(
    place: tuple[str, int],
    requests: list[tuple[str, bytes, int, bytes | None]],
    end: float,
    number: int,
    *,
    counts: Counter[str],
    times: list[float],
) -> None:
    chance = random.Random(number)
    while time.monotonic() < end:
        query, body, status, answer = chance.choice(requests)
        if chance.random() < 0.05:
            _cancel(place, body)
            counts["cancelled"] += 1
            continue
        began = time.perf_counter()
        try:
            got, content = _ask(place, query, body)
        except (OSError, http.client.HTTPException):
            counts["lost"] += 1
            continue
        if got == BUSY:
            counts["busy"] += 1
            time.sleep(chance.uniform(0.05, 0.3))
            continue
        if got == _CRASH:
            counts["crashed"] += 1
            continue
        times.append(time.perf_counter() - began)
        is_right = got == status and (answer is None or _stable(content) == answer)
        counts["right" if is_right else "wrong"] += 1


def _ask(place: tuple[str, int], query: str, body: bytes) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(*place, timeout=120)
    try:
        headers = {"Content-Type": "text/plain"}
        connection.request("POST", f"/v1/analyze{query}", body, headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _cancel(place: tuple[str, int], body: bytes) -> None:
    """Send a request, or half of it, and hang up."""
    head = (
        f"POST /v1/analyze HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\nContent-Type: text/plain\r\n"
    )
    try:
        with socket.create_connection(place, timeout=60) as connection:
            connection.sendall(
                f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[: len(body) // 2]
            )
    except OSError:
        return


def _kill_workers(pid: int, end: float, counts: Counter[str]) -> None:
    chance = random.Random(pid)
    while time.monotonic() + KILL_EVERY < end:
        time.sleep(KILL_EVERY)
        children = Path(f"/proc/{pid}/task").glob("*/children")
        workers = [int(child) for task in children for child in task.read_text().split()]
        workers = [w for w in workers if b"spawn_main" in Path(f"/proc/{w}/cmdline").read_bytes()]
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            counts["kills"] += 1


if __name__ == "__main__":
    sys.exit(main())

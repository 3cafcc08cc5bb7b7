"""Kill `docbats corpus` at random moments, resume it, and compare the folder with a quiet run's.

Makes short documents of made-up words, runs the command once undisturbed, then again under
``kill -9`` of the runner or of one of its workers, resumed each time, until it has been killed
``--kills`` times and has ended; where a run ends before that, another begins. All files must be the
same byte for byte. Writes benchmarks/results/kills.json, ``--engine ray`` kills-ray.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.runtime import find_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "results"
COMMAND = [sys.executable, "-m", "docbats", "corpus"]
WORKER_SHARE = 0.4  # of the kills; the others hit the runner
LEFT_SECONDS = 60  # that the workers of a killed runner may take to end by themselves


def main() -> int:
    """Run quietly, run under kills, compare, write; return 1 if a byte differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part-size", type=int, default=250)
    parser.add_argument("--longest", type=float, default=10.0, help="Seconds between two kills.")
    parser.add_argument("--engine", choices=["local", "ray"], default="local")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    name = "kills-ray.json" if options.engine == "ray" else "kills.json"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / "documents.jsonl"
        write_documents(source, options.documents, options.seed)
        command = [*COMMAND, str(source), "--part-size", str(options.part_size), "--quiet"]
        quiet = time.perf_counter()
        subprocess.run([*command, "-j", str(options.jobs), "-o", folder / "quiet"], check=True)
        quiet = time.perf_counter() - quiet
        print(f"quiet: {quiet:.0f} s", flush=True)
        runs: list[dict[str, Any]] = []
        with start_engine(options.engine, options.jobs) as engine:
            chance = random.Random(options.seed)
            killer = Killer(engine, chance, options.longest, options.kills)
            while killer.left:
                out = folder / f"run-{len(runs)}"
                found = killer.run([*command, *engine.arguments, "-o", str(out), "--resume"])
                same = read_tree(out) == read_tree(folder / "quiet")
                runs.append({**found, "same bytes": same})
                print(json.dumps(runs[-1]), flush=True)
    same = all(run["same bytes"] for run in runs)
    report = {
        "command": shlex.join(["python", *sys.argv]),
        "versions": find_versions("docbats", "numpy", "scipy", "ray"),
        "processors": os.cpu_count(),
        "seed": options.seed,
        "documents": options.documents,
        "engine": options.engine,
        "quiet seconds": round(quiet, 1),
        "seconds": round(sum(run["seconds"] for run in runs), 1),
        "kills": sum(run["runner kills"] + run["worker kills"] for run in runs),
        "same bytes": same,
        "runs": runs,
    }
    (options.output or RESULTS / name).write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    return 0 if same else 1


def write_documents(path: Path, count: int, seed: int) -> None:
    """Write documents of two or three subjects, each with words of its own."""
    chance = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 3))) for _ in range(2000)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            sentences = []
            for _ in range(chance.randint(2, 3)):
                subject = chance.sample(words, 6)
                sentences += [
                    f"The {' '.join(chance.sample(subject, 4))}."
                    for _ in range(chance.randint(3, 6))
                ]
            file.write(json.dumps({"id": f"{number:06}", "text": " ".join(sentences)}) + "\n")


@dataclass(frozen=True)
class Engine:
    """The arguments that name an engine, its environment, and the process of its cluster."""

    arguments: tuple[str, ...]
    environment: dict[str, str]
    cluster: int | None = None


@contextmanager
def start_engine(name: str, jobs: int) -> Iterator[Engine]:
    """Start a cluster where the engine needs one."""
    if name == "local":
        yield Engine(("-j", str(jobs)), dict(os.environ))
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    ours = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = {**os.environ, **ours}
    place = tempfile.mkdtemp(prefix="ray-")  # its sockets need a short path
    start = [sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"]
    start += ["--head", "--port", port, "--include-dashboard=false", "--block", "--temp-dir", place]
    start += [f"--num-cpus={jobs}", "--object-store-memory=100000000", "--disable-usage-stats"]
    start += ["--node-ip-address=127.0.0.1"]
    head = subprocess.Popen(
        start, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    )
    try:
        assert head.stdout is not None
        if not any(b"Ray runtime started" in line for line in head.stdout):
            sys.exit("Ray did not start")
        address = ("--engine", "ray", "--address", f"127.0.0.1:{port}")
        yield Engine(address, environment, head.pid)
    finally:
        for pid in [head.pid, *descendants(head.pid)]:
            _kill(pid)
        head.wait()
        shutil.rmtree(place, ignore_errors=True)


@dataclass
class Killer:
    """Starts a command and kills it, or one of its workers, at random moments."""

    engine: Engine
    chance: random.Random
    longest: float
    left: int

    def run(self, command: list[str]) -> dict[str, Any]:
        """Start and resume a command until it ends; return how often it was killed."""
        began = time.perf_counter()
        starts, given = 1, Counter(self._run_once(command))
        while given["runner"] == starts:
            starts += 1
            given.update(self._run_once(command))
        return {
            "starts": starts,
            "runner kills": given["runner"],
            "worker kills": given["worker"],
            "seconds": round(time.perf_counter() - began, 1),
        }

    def _run_once(self, command: list[str]) -> list[str]:
        """Kill workers, then the runner, unless it ends before."""
        given: list[str] = []
        process = subprocess.Popen(command, env=self.engine.environment, stderr=subprocess.PIPE)
        while "runner" not in given:
            try:
                wait = self.chance.uniform(0, self.longest) if self.left else None
                _, errors = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                given.append(self._strike(process))
            else:
                if process.returncode:
                    sys.exit(f"exit code {process.returncode}: {errors.decode()}")
                break
        return given

    def _strike(self, process: subprocess.Popen[bytes]) -> str:
        self.left -= 1
        workers = [p for p in descendants(self.engine.cluster or process.pid) if is_worker(p)]
        if workers and self.chance.random() < WORKER_SHARE:
            _kill(self.chance.choice(workers))
            return "worker"
        process.kill()
        process.communicate()
        if self.engine.cluster is None:
            _wait_for_end(workers)
        return "runner"


def _wait_for_end(workers: list[int]) -> None:
    """Wait until the workers of a killed runner are gone; they must end by themselves."""
    end = time.monotonic() + LEFT_SECONDS
    while any(is_worker(worker) for worker in workers):
        if time.monotonic() > end:
            sys.exit(f"workers outlive their runner by {LEFT_SECONDS} seconds")
        time.sleep(0.05)


def is_worker(pid: int) -> bool:
    """Whether a process is there and works on documents."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    # Ray's agents are of the node: with one of them, the whole of it dies.
    return b"spawn_main" in line or (line.startswith(b"ray::") and b"Agent" not in line)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/children"))
        children = [int(child) for task in tasks for child in task.read_text().split()]
    except OSError:
        return []
    return [*children, *(found for child in children for found in descendants(child))]


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())

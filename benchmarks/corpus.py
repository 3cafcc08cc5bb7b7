"""Measure `docbats corpus`: documents a second with one and two processes, and memory.

Makes documents of the size of Wiki's and News' in a temporary folder: each has the number of
segments that some document of the set has, drawn from all segments of the set. Needs DOCBATS_DATA.
Writes benchmarks/results/corpus.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.runtime import find_versions
from docbats_lab.datasets import DATASETS

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTPUT = Path(__file__).parent / "results" / "corpus.json"
COMMAND = [sys.executable, "-c", "from docbats.cli import main; main()", "corpus"]
TARGET_SPEEDUP = 1.85  # of two processes over one
MAX_PARENT_MEGABYTES = 500


def main() -> None:
    """Make the documents, run, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--format", nargs="+", default=["jsonl", "parquet"])
    parser.add_argument("--engine", nargs="+", default=["local"], choices=["local", "ray"])
    parser.add_argument("--data", type=Path, default=os.environ.get("DOCBATS_DATA"))
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if arguments.data is None:
        sys.exit("the datasets are missing: name their folder with --data or DOCBATS_DATA")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "documents.jsonl"
        size = write_documents(source, arguments.documents, arguments.data)
        runs = []
        for engine, jobs, format_ in product(arguments.engine, arguments.jobs, arguments.format):
            output = Path(folder) / f"{engine}-{format_}-{jobs}"
            found = measure(source, output, jobs, format_, engine)
            runs.append({"engine": engine, "format": format_, "jobs": jobs, **found})
            print(json.dumps(runs[-1]), flush=True)
    report = {
        "command": shlex.join(["python", *sys.argv]),
        "versions": find_versions("docbats", "numpy", "scipy", "pyarrow", "ray"),
        "documents": size,
        "runs": runs,
        "times one process": speedups(runs),
    }
    arguments.output.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report["times one process"]))
    largest = max(run["parent_mb"] for run in runs)
    print(
        f"target: {TARGET_SPEEDUP} times with two, parent below {MAX_PARENT_MEGABYTES} MB "
        f"(was {largest})"
    )


def write_documents(path: Path, count: int, data: Path) -> dict[str, Any]:
    """Write documents of both sets in turn, the same for the same count; return their size."""
    makers = [make_documents(dataset, data) for dataset in (DATASETS["wiki"], DATASETS["news"])]
    sentences = characters = 0
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            lines = next(makers[number % 2])
            text = "\n".join(lines)
            sentences += len(lines)
            characters += len(text)
            file.write(json.dumps({"id": f"{number:06}", "text": text}) + "\n")
    return {"count": count, "sentences": sentences, "characters": characters}


def make_documents(dataset: Any, data: Path) -> Iterator[list[str]]:
    """Draw as many segments as some document has from all segments, again and again."""
    documents = [document.segments for document in dataset.load(data)]
    segments = [segment for document in documents for segment in document]
    chance = random.Random(0)
    while True:
        size = len(chance.choice(documents))
        yield [s for segment in chance.choices(segments, k=size) for s in segment]


def measure(
    source: Path, output: Path, jobs: int, format_: str, engine: str = "local"
) -> dict[str, Any]:
    """Run the command and watch its memory."""
    command = [*COMMAND, str(source), "-o", str(output), "-j", str(jobs), "--format", format_]
    command += ["--engine", engine]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--quiet"])
    parent, workers = 0.0, dict[int, float]()
    processor = dict[int, float]()
    while process.poll() is None:
        parent = max(parent, peak_megabytes(process.pid))
        for pid in descendants(process.pid):
            workers[pid] = max(workers.get(pid, 0.0), peak_megabytes(pid))
        for pid in (process.pid, *workers):
            processor[pid] = max(processor.get(pid, 0.0), processor_seconds(pid))
        time.sleep(0.1)
    seconds = time.perf_counter() - began
    if process.returncode != 0:
        sys.exit(f"the run failed with exit code {process.returncode}")
    documents = json.loads((output / "summary.json").read_text())["documents"]
    return {
        "seconds": round(seconds, 2),
        "documents_a_second": round(documents / seconds, 1),
        "parent_processor_seconds": round(processor[process.pid], 2),
        "worker_processor_seconds": round(sum(processor[pid] for pid in workers), 2),
        "parent_mb": round(parent),
        "largest_worker_mb": round(max(workers.values(), default=0)),
        "output_mb": round(sum(f.stat().st_size for f in output.rglob("part-*")) / 1e6, 1),
    }


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/children"))
        children = [int(child) for task in tasks for child in task.read_text().split()]
    except OSError:
        return []
    return [*children, *(found for child in children for found in descendants(child))]


def peak_megabytes(pid: int) -> float:
    """Return the peak memory of a process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) / 1024 if found else 0.0


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process, which other processes change little."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def speedups(runs: list[dict[str, Any]]) -> dict[str, float]:
    """Return the throughput of each run over that of one process."""
    alone = {_kind(run): run["documents_a_second"] for run in runs if run["jobs"] == 1}
    return {
        f"{_kind(run)}, {run['jobs']} processes": round(
            run["documents_a_second"] / alone[_kind(run)], 2
        )
        for run in runs
        if run["jobs"] > 1 and _kind(run) in alone
    }


def _kind(run: dict[str, Any]) -> str:
    return str(run["format"]) if run["engine"] == "local" else f"{run['format']}, {run['engine']}"


if __name__ == "__main__":
    main()

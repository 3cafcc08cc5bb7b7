"""How long files take to be read, beside another checkout: ``python -m benchmarks.reading``.

Reads the files of `docbats lab run zoo` by `Document.read`, each in its own process for its peak
memory: with this checkout and, given ``--other FOLDER``, with that one in turns. Times are those of
the processor, child processes included, and the fastest of some rounds. Then each kind's median
file and one of ten times its length show how the time grows: a growth of 1 is linear. Writes
benchmarks/results/reading.json. Times depend on the machine; the ratios are what to compare.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats_lab.works import ZooFile

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "benchmarks" / "results" / "reading.json"
TIMES = 10
ROUNDS = 3
SLOW_SECONDS = 5.0  # a file that takes longer is read once more at most


def read_once(path: str, name: str) -> None:
    """Print the time of reading a file and the peak memory of this process."""
    from docbats import Document
    from docbats_lab.speed.timing import peak_bytes, processor_seconds

    data = Path(path).read_bytes()
    seconds: list[float] = []
    while len(seconds) < (ROUNDS if min(seconds, default=0) < SLOW_SECONDS else 2):
        start = processor_seconds()
        Document.read(data, name=name)
        seconds.append(processor_seconds() - start)
    print(json.dumps({"seconds": min(seconds), "megabytes": peak_bytes() / 1e6}))


def measure(checkout: Path, data: bytes, name: str) -> dict[str, float] | None:
    """Read a file in a process that uses the docbats of a checkout; None if it cannot be read."""
    paths = os.pathsep.join([str(checkout / "src"), str(ROOT / "lab"), str(ROOT)])
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        command = [sys.executable, "-m", "benchmarks.reading", "--read", file.name, name]
        env = os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, env=env, check=False, capture_output=True)
    found: dict[str, float] | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


def lengthened(file: ZooFile, folder: Path) -> bytes | None:
    """Return a file of ten times the length; None for kinds that cannot be repeated here."""
    if file.kind in ("pdf", "pdf0"):
        return _repeat_pages(file.load())
    if file.kind in ("epub", "odt"):
        return None  # what pandoc makes stands for these
    if file.kind.startswith("made_") or file.kind in ("page", "html"):
        page = b"\n".join(path.read_bytes() for path in file.paths)
        body = re.search(rb"<body[^>]*>(.*)</body>", page, re.DOTALL | re.IGNORECASE)
        if body is None:
            return None
        path = folder / file.paths[0].name
        path.write_bytes(page[: body.end(1)] + (TIMES - 1) * body[1] + page[body.end(1) :])
        return replace(file, paths=(path,)).load()
    return file.load() * TIMES


def _repeat_pages(data: bytes) -> bytes:
    import pypdfium2

    new, out = pypdfium2.PdfDocument.new(), io.BytesIO()
    for _ in range(TIMES):
        new.import_pages(pypdfium2.PdfDocument(data))
    new.save(out)
    return out.getvalue()


def compare(files: Sequence[ZooFile], checkouts: dict[str, Path]) -> dict[str, Any]:
    """Return the sums of time and the largest memory by checkout, of files that all can read."""
    readings = []
    for file in files:
        data = file.load()
        found = [measure(checkout, data, file.file_name) for checkout in checkouts.values()]
        readings += [[reading for reading in found if reading]] if all(found) else []
    row: dict[str, Any] = {"files": len(readings)}
    for name, own in zip(checkouts, zip(*readings, strict=True), strict=False):
        row[name] = {
            "seconds": round(sum(reading["seconds"] for reading in own), 3),
            "peak megabytes": round(max(reading["megabytes"] for reading in own), 1),
        }
    if "other" in row:
        slowest = [_ratio(a["seconds"], b["seconds"]) for a, b in readings if b["seconds"] > 0.05]
        row["times as long"] = _ratio(row["this"]["seconds"], row["other"]["seconds"])
        row["times as long, slowest file"] = max(slowest, default=None)
        row["times the memory"] = _ratio(
            sum(a["megabytes"] for a, _ in readings), sum(b["megabytes"] for _, b in readings)
        )
    return row


def growth(file: ZooFile) -> dict[str, float] | None:
    """Return how time and memory grow from a file to one of ten times its length."""
    with tempfile.TemporaryDirectory() as folder:
        long = lengthened(file, Path(folder))
    if long is None:
        return None
    short = file.load()
    small, large = (measure(ROOT, data, file.file_name) for data in (short, long))
    if small is None or large is None:
        return None
    return {
        "kilobytes": len(short) // 1000,
        "seconds": round(small["seconds"], 3),
        "seconds of ten times as much": round(large["seconds"], 3),
        "growth": round(_ratio(large["seconds"], small["seconds"]) / TIMES, 2),
        "peak megabytes of ten times as much": round(large["megabytes"], 1),
    }


def _ratio(value: float, other: float) -> float:
    return round(value / max(other, 1e-3), 3)


def _median_sized(files: Sequence[ZooFile]) -> ZooFile:
    return sorted(files, key=lambda file: sum(p.stat().st_size for p in file.paths))[
        len(files) // 2
    ]


def _kinds(limit: int | None, wanted: Sequence[str]) -> Iterator[tuple[str, list[ZooFile]]]:
    from docbats_lab.experiments.request import evenly_spaced
    from docbats_lab.works import KINDS, find_files, zoo_folder

    for kind in wanted or KINDS:
        files = evenly_spaced(find_files(zoo_folder(), [kind]), limit)
        if files:
            yield kind, files


def _shown(options: argparse.Namespace) -> list[str]:
    return ["--other FOLDER"] * bool(options.other) + [f"--limit {options.limit}"] * bool(
        options.limit
    )


def main() -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--other", type=Path, help="another checkout of docbats")
    parser.add_argument("--kind", action="append", default=[], help="only this kind of file")
    parser.add_argument("--limit", type=int, help="at most this many files of each kind")
    parser.add_argument("--read", nargs=2, metavar=("FILE", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read_once(*options.read)
        return
    from docbats.runtime import find_versions

    checkouts = {"this": ROOT} | ({"other": options.other.resolve()} if options.other else {})
    report: dict[str, Any] = {
        "command": " ".join(["python -m benchmarks.reading", *_shown(options)]),
        "versions": find_versions("docbats", "pypdfium2", "trafilatura", "pypandoc_binary"),
        "reading": {},
        "growth": {},
    }
    for kind, files in _kinds(options.limit, options.kind):
        report["reading"][kind] = compare(files, checkouts)
        print(kind, json.dumps(report["reading"][kind]), flush=True)
        grown = growth(_median_sized(files))
        if grown is not None:
            report["growth"][kind] = grown
            print(kind, json.dumps(grown), flush=True)
    if not options.kind:
        OUTPUT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()

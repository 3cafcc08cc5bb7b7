"""Measure the most time and memory that hostile files of every kind take to be read.

Reads the files that the tests and the fuzzers make, each kind in a process of its own, into
benchmarks/results/hostile.json, and writes the table into SECURITY.md. `--kinds pdf mail` measures
some kinds anew and keeps the others.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = ROOT / "benchmarks" / "results" / "hostile.json"
PAGE = ROOT / "SECURITY.md"
BEGIN, END = "<!-- python benchmarks/hostile.py -->\n", "<!-- end of hostile -->\n"
SIZE = 100_000  # characters of what is repeated in a file
# Of what is packed in one, just below what is always allowed.
PACKED_SIZES = {"docx": 3_900_000, "odt": 3_900_000, "pptx": 3_900_000, "epub": 3_900_000}
PACKED_SIZES |= {"pdf": 1_000_000, "xlsx": 3_900_000}
BOUNDED_BY = {
    "text": "linear work",
    "markdown": "linear work",
    "html": "linear work; trafilatura only reads 2 million characters, 20,000 elements 200 deep, "
    "3,000 short paragraphs in a row and 500 attributes of a tag",
    "pdf": "what its pages show: 20 times the file on one (1 MB always), 100 times on all (8 MB); "
    "20,000 pages; marks 1,000 deep",
    "docx": "unpacked parts: 100 times the file (4 MB always), 256 MB; XML 1,000 deep",
    "odt": "as DOCX",
    "pptx": "as DOCX",
    "epub": "as DOCX, its chapters as HTML",
    "xlsx": "as DOCX; as many characters shown as it may unpack to; a million merged cells",
    "csv": "linear work",
    "rtf": "groups 10,000 deep; 255 characters of a style's name",
    "srt": "linear work",
    "vtt": "linear work",
    "notebook": "linear work; Python's limit for nested JSON",
    "messages": "linear work; Python's limit for nested JSON",
    "mail": "parts and messages 20 deep; 100,000 messages",
}
"""What bounds the work for each kind that docbats reads itself; pandoc reads the others."""


def cases(kind: str, size: int | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield hostile files of a kind, each with what is in it."""
    from tests import hostile_files as hostile
    from tests.repeated_files import REPEATED, repeat

    size = size or PACKED_SIZES.get(kind, SIZE)
    for (around, unit), its_kind in REPEATED.items():
        if its_kind == kind:
            yield f"{unit!r} in {around}", repeat(around, unit, size)
    if kind == "mail":
        yield from ((name, build(SIZE // 10)) for name, build in hostile.MAILS.items())
    if kind == "xlsx":
        yield from ((name, build()) for name, build in hostile.workbooks().items())
    if kind == "pdf":
        yield "a page often", hostile.pdf_with_a_page_often(200)
        yield "nested forms", hostile.pdf_with_nested_forms(4)
        yield "a page too often", hostile.pdf_with_a_page_often(10_000)
        yield "forms nested too deeply", hostile.pdf_with_nested_forms(30)
        yield "letters", hostile.pdf_with_large_stream(1, text=b"(" + b"a " * 500 + b")Tj ")
        yield "states", hostile.pdf_with_large_stream(1, text=b"q ")
        yield "a stream packed twice", hostile.pdf_with_large_stream(200, times_packed=2)


def measure(kind: str) -> dict[str, Any]:
    """Read all hostile files of a kind, and return what took most."""
    from tests.sample_files import Files

    from docbats.errors import DocbatsError
    from docbats.readers.read_file import read_file

    sample = Files().samples()[kind]
    read_file(sample, kind=kind).document()
    slowest: dict[str, Any] = {"seconds": 0.0}
    largest: dict[str, Any] = {"megabytes": 0.0}
    n_files = 0
    for name, data in cases(kind):
        n_files += 1
        before = _memory("VmRSS", reset=True)
        began = time.process_time()
        with suppress(DocbatsError):
            read_file(data, kind=kind).document()
        seconds = round(time.process_time() - began, 2)
        megabytes = round((_memory("VmHWM") - before) / 1e6)
        if seconds > slowest["seconds"]:
            slowest = {"seconds": seconds, "bytes": len(data), "of": name}
        if megabytes > largest["megabytes"]:
            largest = {"megabytes": megabytes, "bytes": len(data), "of": name}
    return {"files": n_files, "slowest": slowest, "largest": largest}


def _memory(name: str, *, reset: bool = False) -> int:
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return 1000 * int(status.split(f"{name}:")[1].split()[0])


def table(report: dict[str, Any]) -> str:
    """Return the table of SECURITY.md."""
    lines = [
        "| kind | files | seconds at most | of bytes | MB at most | of bytes | bounded by |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for kind, found in report["kinds"].items():
        slowest, largest = found["slowest"], found["largest"]
        time_ = f"{slowest['seconds']:.1f} | {slowest['bytes']:,}"
        memory = f"{largest['megabytes']:,} | {largest['bytes']:,}"
        lines.append(f"| `{kind}` | {found['files']} | {time_} | {memory} | {BOUNDED_BY[kind]} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write the results and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=BOUNDED_BY, default=list(BOUNDED_BY))
    kinds = parser.parse_args().kinds
    known = json.loads(RESULTS.read_text())["kinds"] if RESULTS.exists() else {}
    context = multiprocessing.get_context("spawn")
    for kind in kinds:
        with context.Pool(1) as pool:
            known[kind] = pool.apply(measure, (kind,))
        print(kind, json.dumps(known[kind]))
    report = {
        "command": "python benchmarks/hostile.py",
        "machine": platform.machine(),
        "python": platform.python_version(),
        "kinds": {kind: known[kind] for kind in BOUNDED_BY if kind in known},
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(report) + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()

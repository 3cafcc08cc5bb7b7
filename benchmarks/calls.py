"""Count the Python calls and the reductions of NumPy in an analysis, which no busy machine changes.

Writes benchmarks/results/calls.json: of the segments alone, and of all that a result has. With
--check it writes nothing, and fails where there are a tenth more than when the file was written.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats
from docbats.runtime import find_versions
from docbats_lab.speed.measure import TYPICAL, join_to

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "calls.json"
MAX_GROWTH = 1.1  # of a count; a larger one lets more pass unnoticed


def main() -> None:
    """Count, and write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is written")
    found = count_all()
    for name, counts in found.items():
        print(f"{name:26}" + ", ".join(f"{n:,} {what}" for what, n in counts.items()))
    if not parser.parse_args().check:
        report = {
            "command": "python benchmarks/calls.py",
            "versions": find_versions("docbats", "numpy", "scipy"),
            "sentences": TYPICAL,
            "counts": found,
        }
        OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
        return
    before = json.loads(OUTPUT.read_text())["counts"]
    worse = [
        f"{name}: {was:,} {what}, now {found[name][what]:,}"
        for name, counts in before.items()
        for what, was in counts.items()
        if found[name][what] > MAX_GROWTH * was
    ]
    if worse:
        sys.exit("more than there were: " + "; ".join(worse))


def count_all() -> dict[str, dict[str, int]]:
    """Return the counts for a document of typical length, each of a second run."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.txt"))]
    sentences = [s for text in texts for s in docbats.Document.from_text(text).sentences]
    text = " ".join(join_to(sentences, TYPICAL))
    works: dict[str, Callable[[], Any]] = {
        "sharp, segments alone": lambda: docbats.analyze(text).segments[-1].start,
        "sharp": lambda: docbats.analyze(text).describe(),
        "paper": lambda: docbats.analyze(text, k=10, preset="paper").describe(),
    }
    return {name: (work(), count(work))[1] for name, work in works.items()}


def count(work: Callable[[], Any]) -> dict[str, int]:
    """Return how many Python functions are called, and how often a ufunc reduces an array."""
    calls = reductions = 0

    def note(_: FrameType, event: str, called: Any) -> None:
        nonlocal calls, reductions
        calls += event == "call"
        reductions += event == "c_call" and called.__name__ == "reduce"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {"calls": calls, "reductions": reductions}


if __name__ == "__main__":
    main()

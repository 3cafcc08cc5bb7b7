"""Time the phrases and titles of a document of ours, alone and repeated, beside its analysis.

Writes benchmarks/results/titles.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import docbats
from docbats.runtime import find_versions
from docbats.titles.phrases import phrases_of
from docbats.titles.titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
OUTPUT = Path(__file__).parent / "results" / "titles.json"
SENTENCES = (75, 300, 1200, 4800, 19200)
PER_SEGMENT = 15  # sentences
RUNS = 20  # of which the fastest counts


def main() -> None:
    """Measure each length, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    text = (ROOT / "examples" / "annual-report.txt").read_text(encoding="utf-8")
    sentences = docbats.analyze(text).document.sentences
    report: dict[str, Any] = {
        "command": "python benchmarks/titles.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": find_versions("docbats", "numpy"),
        "lengths": {},
    }
    for n in SENTENCES:
        repeated = [sentences[i % len(sentences)] for i in range(n)]
        found = measure(repeated)
        report["lengths"][str(n)] = found
        print(f"{n:6} sentences  {found['ms']:8.2f} ms, {found['ratio']:.3f} of the analysis")
    arguments.output.write_text(json.dumps(report, indent=1) + "\n")


def measure(sentences: list[str]) -> dict[str, float]:
    """Return the milliseconds of phrases and titles, and their share of the analysis."""
    starts = np.arange(0, len(sentences), PER_SEGMENT)
    result = docbats.analyze(sentences, k=len(starts))
    text = result.analysis.text
    titles = _fastest(lambda: title_segments(text.document, phrases_of(text), starts))
    analysis = _fastest(lambda: docbats.analyze(sentences, k=len(starts)).describe())
    return {"ms": round(1000 * titles, 2), "ratio": round(titles / analysis, 3)}


def _fastest(work: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    main()

"""Time docbats beside its peers on our own examples, joined and cut to length.

Writes benchmarks/results/speed-examples.json. With --check it writes nothing, and fails where
docbats takes more than twice as long beside a peer as it did when the file was written. The whole
measurement, on longer and other documents, is `docbats lab run speed`.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from itertools import product
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from docbats import Document
from docbats.runtime import find_versions
from docbats_lab.speed.measure import LIBRARIES, OURS, join_to, time_sizes

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "speed-examples.json"
SIZES = (75, 400)
STEADY_PEERS = ("gensim LSA", "scikit-learn LDA", "scikit-learn NMF", "nltk TextTiling")
MAX_SLOWDOWN = 2.0  # beside a peer; a larger one lets more pass unnoticed
MAX_TRIES = 3  # since a busy machine may be unfair for a while


def main() -> None:
    """Measure, and write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is written")
    parser.add_argument("--seconds", type=float, default=3, help="for each document")
    arguments = parser.parse_args()
    if not arguments.check:
        sizes = measure(arguments.seconds)
        report = {
            "command": "python benchmarks/speed.py",
            "versions": find_versions(*LIBRARIES),
            "sizes": sizes,
        }
        OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
        return
    before = json.loads(OUTPUT.read_text())["sizes"]
    for _ in range(MAX_TRIES):
        worse = compare(before, measure(arguments.seconds))
        if not worse:
            return
    sys.exit("slower beside peers than it was: " + "; ".join(worse))


def measure(seconds: float) -> dict[str, Any]:
    """Time everything on each size, and print it."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.txt"))]
    sentences = [s for text in texts for s in Document.from_text(text).sentences]
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # peers warn of rounds that did not converge
        sizes = time_sizes({size: join_to(sentences, size) for size in SIZES}, seconds)
    for size, found in sizes.items():
        print(f"\n{size} sentences, {found['characters']:,} characters")
        for name, ms in found["ms"].items():
            print(f"  {name:32}{ms:10.1f} ms{found['ratio']['sharp'][name]:10.2f} x")
        for preset, stages in found["stages_ms"].items():
            listed = ", ".join(f"{stage} {ms:.1f}" for stage, ms in stages.items())
            print(f"  stages of {preset}, ms: {listed}")
    return sizes


def compare(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return where docbats has become slower beside a peer."""
    worse = []
    for size, preset, peer in product(now, OURS, STEADY_PEERS):
        was, ratio = (sizes[size]["ratio"][preset][peer] for sizes in (before, now))
        if ratio * MAX_SLOWDOWN < was:
            worse.append(f"{preset}, {size} sentences, {peer}: {was:.2f} x, now {ratio:.2f} x")
    return worse


if __name__ == "__main__":
    main()

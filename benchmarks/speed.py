"""Time from raw text to topics and segments, beside peers that do one of the two.

One thread, warm, medians. The documents are our examples, joined and cut to length. Both presets
are timed; ratios are to the first, sharp. Peers that take a matrix are timed from the ready matrix,
which favours them. Writes benchmarks/results/speed.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nltk.tokenize import TextTilingTokenizer
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer
from threadpoolctl import threadpool_limits

from docbats import BATS, PRESETS, Document
from docbats.text.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTPUT = Path(__file__).parent / "results" / "speed.json"
SIZES = (75, 400, 1000)
K = 10


def sentences_of_examples(count: int) -> list[str]:
    """Take the first `count` sentences of our examples, as often as needed."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.txt"))]
    sentences = [s for text in texts for s in Document.from_text(text).sentences]
    return (sentences * (count // len(sentences) + 1))[:count]


def median_seconds(work: Callable[[], object], budget: float) -> float:
    """Run `work` once to warm up, then for about `budget` seconds, at least three times."""
    work()
    spent: list[float] = []
    while len(spent) < 3 or sum(spent) < budget:
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return statistics.median(spent)


def median_stages(text: str, preset: str) -> dict[str, float]:
    """Give the median seconds of each stage over some runs."""
    runs = [BATS(PRESETS[preset])(text, k=K).seconds for _ in range(15)]
    return {stage: statistics.median(run[stage] for run in runs) for stage in runs[0]}


def contenders(sentences: list[str]) -> dict[str, Callable[[], object]]:
    """Name what is timed for a document of these sentences."""
    text = " ".join(sentences)
    paragraphs = "\n\n".join(sentences)
    counts = CountVectorizer(stop_words=sorted(ENGLISH), min_df=2).fit_transform(sentences)
    sharp, paper = BATS(PRESETS["sharp"]), BATS(PRESETS["paper"])
    tiling = TextTilingTokenizer(stopwords=sorted(ENGLISH))
    return {
        "docbats, sharp preset, from raw text": lambda: sharp(text, k=K),
        "docbats, paper preset, from raw text": lambda: paper(text, k=K),
        "nltk TextTiling, a paragraph a sentence": lambda: tiling.tokenize(paragraphs),
        "scikit-learn LDA, from the matrix": lambda: LatentDirichletAllocation(
            K, random_state=0
        ).fit_transform(counts),
        "scikit-learn NMF, from the matrix": lambda: NMF(K, random_state=0).fit_transform(counts),
    }


def main() -> None:
    """Time everything and print a table with ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2, help="for each cell of the table")
    budget = parser.parse_args().seconds
    warnings.simplefilter("ignore")  # peers warn of rounds that did not converge, and stop words
    report: dict[str, Any] = {
        "command": "python benchmarks/speed.py",
        "machine": platform.machine(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("docbats", "numpy", "scipy", "nltk")},
            "scikit-learn": version("scikit-learn"),
        },
        "k": K,
        "results": {},
    }
    with threadpool_limits(1):
        for size in SIZES:
            sentences = sentences_of_examples(size)
            times = {n: median_seconds(w, budget) for n, w in contenders(sentences).items()}
            ours = next(iter(times.values()))
            print(f"\n{size} sentences, {sum(map(len, sentences)):,} characters, k={K}")
            for name, seconds in times.items():
                print(f"  {name:42}{1000 * seconds:10.1f} ms{seconds / ours:10.1f} x")
            stages = {preset: median_stages(" ".join(sentences), preset) for preset in PRESETS}
            for preset, taken in stages.items():
                listed = ", ".join(f"{n} {1000 * s:.1f}" for n, s in taken.items())
                print(f"  stages of {preset}, ms: {listed}")
            report["results"][str(size)] = {
                name: {"ms": round(1000 * s, 3), "ratio": round(s / ours, 2)}
                for name, s in times.items()
            }
            report["results"][str(size)]["stages_ms"] = {
                preset: {name: round(1000 * s, 3) for name, s in taken.items()}
                for preset, taken in stages.items()
            }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()

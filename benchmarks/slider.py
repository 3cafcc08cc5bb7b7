"""Time another k from the slider in a long text of our own making, beside its analysis.

Writes benchmarks/results/slider.json. The text is drawn by a seed: 100,000 sentences of made-up
words, some of them common to all parts and some a part's own; once as a list of sentences, and once
as a text with paragraphs. Each is analyzed in a process of its own, for its memory.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate, product
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats import analyze
from docbats.runtime import find_versions

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUT = Path(__file__).parent / "results" / "slider.json"
KINDS = ("sentences", "paragraphs")
KS = (2, 5, 10, 20, 50, 100, 200, 300)
RUNS = 3  # of each cut after the first, of which the fastest counts
OUTLINED = 20  # segments of the cut whose outline is timed
VOCABULARY, OWN_WORDS = 20_000, 400  # of the text, of each part
MEAN_PART = 700  # sentences
FUNCTION_WORDS = (
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "was",
    "with",
    "by",
)


def main() -> None:
    """Measure both kinds of text, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    report: dict[str, Any] = {
        "command": "python benchmarks/slider.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": find_versions("docbats", "numpy", "scipy"),
        "kinds": {},
    }
    for kind in KINDS:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            found = pool.submit(measure, kind, arguments.sentences).result()
        report["kinds"][kind] = found
        show(kind, found)
    arguments.output.write_text(json.dumps(report, indent=1) + "\n")


def show(kind: str, found: dict[str, Any]) -> None:
    """Print what was measured."""
    times = {
        "analysis": found["analyze"],
        **{f"k={k}, first": cut["first"] for k, cut in found["cuts"].items()},
        **{f"k={k}, again": cut["again"] for k, cut in found["cuts"].items()},
        "outline": found["outline"],
    }
    print(f"\n{kind}: {found['sentences']:,} sentences, {found['segments']} segments found")
    for name, taken in times.items():
        print(f"  {name:16}{taken['ms']:10.0f} ms{taken['cpu_ms']:10.0f} ms of the processor")
    print(f"  {found['analyze_megabytes']} MB for the analysis, {found['megabytes']} MB in all")


def measure(kind: str, n_sentences: int) -> dict[str, Any]:
    """Analyze one text, cut it again and again, and return the times and the peak memory."""
    paragraphs = make_paragraphs(n_sentences)
    if kind == "sentences":
        source: str | list[str] = [sentence for block in paragraphs for sentence in block]
    else:
        source = "\n\n".join(" ".join(block) for block in paragraphs)
    analyze(paragraphs[0] * 20)  # to load what is loaded once
    result, taken = _timed(lambda: analyze(source).describe())
    found: dict[str, Any] = {
        "sentences": len(result.document),
        "segments": len(result.segments),
        "analyze": taken,
        "analyze_megabytes": _peak_megabytes(),
        "cuts": {},
    }
    for k in KS:
        first, *again = (_timed(partial(result.cut, k))[1] for _ in range(1 + RUNS))
        best = min(again, key=lambda once: once["ms"])
        ratio = round(best["cpu_ms"] / taken["cpu_ms"], 4)
        found["cuts"][str(k)] = {"first": first, "again": best, "ratio": ratio}
    cut = result.cut(OUTLINED)
    _, found["outline"] = _timed(lambda: cut.outline)
    return {**found, "megabytes": _peak_megabytes()}


def make_paragraphs(n_sentences: int, seed: int = 0) -> list[list[str]]:
    """Draw the sentences of each paragraph."""
    rng = random.Random(seed)
    syllables = [a + b for a, b in product("bdfgklmnprstv", "aeiou")]
    drawn = ("".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(2 * VOCABULARY))
    words = list(dict.fromkeys(drawn))[:VOCABULARY]
    common = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))  # Zipf's law
    own_weights = list(accumulate(1 / rank for rank in range(1, OWN_WORDS + 1)))
    paragraphs: list[list[str]] = []
    total = 0
    while total < n_sentences:
        own = rng.sample(words, OWN_WORDS)
        end = total + round(rng.lognormvariate(0, 0.7) * MEAN_PART)
        while total < min(end, n_sentences):
            size = min(rng.randint(3, 8), n_sentences - total)
            paragraphs.append([
                _sentence(rng, rng.choices(words, cum_weights=common, k=7),
                          rng.choices(own, cum_weights=own_weights, k=3))
                for _ in range(size)
            ])  # fmt: skip
            total += size
    return paragraphs


def _sentence(rng: random.Random, common: list[str], own: list[str]) -> str:
    words = [*common, *own[: rng.randint(0, len(own))], *rng.choices(FUNCTION_WORDS, k=6)]
    rng.shuffle(words)
    return f"{' '.join(words).capitalize()}."


def _timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Return what the work gives and its milliseconds: by the clock, and of the processor alone."""
    clock, cpu = time.perf_counter(), time.process_time()
    done = work()
    spent = (time.perf_counter() - clock, time.process_time() - cpu)
    return done, dict(zip(("ms", "cpu_ms"), (round(1000 * s, 1) for s in spent), strict=True))


def _peak_megabytes() -> int:
    """Return the most memory that this process has had so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 // 10**6


if __name__ == "__main__":
    main()

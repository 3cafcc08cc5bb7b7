"""Pk and WindowDiff of the paper preset on three of the paper's sets, with the true k.

Also counts distinct words and stems, beside the paper's table 1. Writes
benchmarks/results/paper-preset.json. The data is found through --data or DOCBATS_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from Stemmer import Stemmer

from docbats import PRESETS, analyze
from docbats.text.words import normal_form
from docbats_lab.documents import read_segmented
from docbats_lab.metrics.segmentation import score_segmentation

OUTPUT = Path(__file__).parent / "results" / "paper-preset.json"
DATASETS = ("textbook", "lectures", "choi")
PRINTED = {"textbook": (0.41, 0.43), "lectures": (0.38, 0.43), "choi": (0.22, 0.23)}
PRINTED_WORDS = {"textbook": 640, "lectures": 686, "choi": 650}  # before preprocessing
VARIANTS: dict[str, dict[str, Any] | None] = {
    "paper": {},
    "no POS award": {"award": 0},
    "no stems": {"stem": False},
    "no stems, no POS award": {"stem": False, "award": 0},
    "shorter bonds: w=3, d=0.5": {"window": 3, "decay": 0.5},
    "frequency ablation": {"min_sentences": 1},
    "regularization ablation": {"laplacian": "plain"},
    "bonding ablation": {"decay": 0},
    "Laplacian ablation": {"laplacian": "none"},
    "no boundary at all": None,
}
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def score(path: Path, settings: dict[str, Any] | None) -> tuple[float, float]:
    """Return Pk and WindowDiff of one document, cut into its true number of segments or not."""
    document = read_segmented(path)
    starts = [0]
    if settings is not None:
        result = analyze(document.sentences, k=len(document.segments), preset="paper", **settings)
        starts = [segment.sentences[0] for segment in result.segments]
    found = score_segmentation(document, starts)
    return found["pk"], found["wd"]


def count_distinct(path: Path) -> tuple[int, int]:
    """Return the distinct words of one document and their distinct stems, stop words included."""
    names = {
        normal_form(word)
        for sentence in read_segmented(path).sentences
        for word in _LETTERS.findall(sentence)
    }
    return len(names), len(set(Stemmer("english").stemWords(sorted(names))))


def score_all(
    pool: Executor, paths: list[Path], settings: dict[str, Any] | None
) -> dict[str, float]:
    """Return means and standard deviations over the documents of a set."""
    work = partial(score, settings=settings)
    scores = np.array(list(pool.map(work, paths, chunksize=8)))
    (pk, wd), (pk_sd, wd_sd) = scores.mean(axis=0).round(4), scores.std(axis=0).round(4)
    return {"documents": len(paths), "pk": pk, "wd": wd, "pk_sd": pk_sd, "wd_sd": wd_sd}


def main() -> None:
    """Score every document under every variant and write the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("DOCBATS_DATA"), help="the data's folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    arguments = parser.parse_args()
    if arguments.data is None:
        sys.exit("the evaluation data is missing: name its folder with --data or DOCBATS_DATA")
    paths = {name: sorted(Path(arguments.data, name).rglob("*.ref")) for name in DATASETS}
    results: dict[str, Any] = {}
    print(f"{'':28}" + "".join(f"{name:>18}" for name in DATASETS))
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name, settings in VARIANTS.items():
            row = {d: score_all(pool, paths[d], settings) for d in DATASETS}
            results[name] = {"settings": settings, **row}
            cells = "".join(f"{row[d]['pk']:>10.4f} /{row[d]['wd']:.4f}" for d in DATASETS)
            print(f"{name:28}{cells}", flush=True)
        distinct = {}
        for dataset, printed in PRINTED_WORDS.items():
            counts = np.mean(list(pool.map(count_distinct, paths[dataset])), axis=0).round(1)
            distinct[dataset] = {"paper": printed, "words": counts[0], "stems": counts[1]}
            print(f"distinct in {dataset}: {counts[0]} words, {counts[1]} stems, paper {printed}")
    report = {
        "command": "python benchmarks/paper_preset.py",
        "versions": {**analyze("One text.", k=1).versions, "python": platform.python_version()},
        "preset": "paper",
        "seed": PRESETS["paper"].seed,
        "unit": "words",
        "window": "half the mean true segment length in words, rounded, less one",
        "printed in the paper": PRINTED,
        "results": results,
        "distinct words a document": distinct,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Measure the part-of-speech tagger of the package: accuracy on treebanks, and speed."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.text.tags import flag_classes, load_model, tag
from docbats.text.words import tokenize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as a script from anywhere
from tagger.treebank import (
    Gold,
    Sentence,
    Word,
    align,
    is_content_word,
    lower_case,
    print_sentence,
    read_treebank,
    upper_case,
    without_punctuation,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TREEBANKS = tuple(f"ud-english-{name}" for name in ("ewt/dev", "ewt/test", "gum/test", "gum/dev"))
VARIANTS: dict[str, Callable[[Sequence[Word]], Sequence[Word]]] = {
    "as written": lambda words: words,
    "lower case": lower_case,
    "no punctuation": without_punctuation,
    "upper case": upper_case,
}
RUNNING_TEXT = "own sentences"
ALL_CLASSES = "six classes"
REPEATS = 200


def measure_accuracy(data: Path) -> dict[str, dict[str, float]]:
    """Return the accuracy in percent for each treebank and each way to write its sentences."""
    table = {}
    for name in TREEBANKS:
        sentences = read_treebank(data / f"{name}.tsv")
        row = {
            variant: _accuracy(align(_print([change(words) for words in sentences])))
            for variant, change in VARIANTS.items()
        }
        row[RUNNING_TEXT] = _accuracy(align(_print(sentences), split_anew=True))
        gold = align(_print(sentences))
        row[ALL_CLASSES] = 100 * float(np.mean(tag(gold.tokens) == gold.classes))
        table[name] = row
    return table


def _print(sentences: Sequence[Sequence[Word]]) -> list[Sentence]:
    return [print_sentence(words) for words in sentences if words]


def _accuracy(gold: Gold) -> float:
    """Return the percentage of content words whose flag, noun or verb or not, is right."""
    tokens = gold.tokens
    counted = np.array([is_content_word(form) for form in tokens.forms], bool)[tokens.form]
    names = ("NOUN", "PROPN", "VERB")
    found, wanted = (flag_classes(classes, *names) for classes in (tag(tokens), gold.classes))
    return 100 * float(np.mean((found == wanted)[counted]))


def measure_speed(data: Path) -> dict[str, float]:
    """Time loading the weights and tagging a Choi document, in milliseconds."""
    load_model.cache_clear()
    begin = time.perf_counter()
    load_model()
    loading = time.perf_counter() - begin
    lines = (data / "choi/1/3-11/0.ref").read_text(encoding="utf-8").splitlines()
    tokens = tokenize(Document.from_sentences([line for line in lines if line.strip("=")]))
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        flag_classes(tag(tokens), "NOUN", "PROPN", "VERB")
        times.append(time.perf_counter() - begin)
    return {
        "load": 1000 * loading,
        "tag": 1000 * statistics.median(times),
        "tokens": len(tokens),
        "forms": len(tokens.forms),
    }


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("DOCBATS_DATA"),
        help="folder with ud-english-ewt, ud-english-gum and choi (default: $DOCBATS_DATA)",
    )
    parser.add_argument("--json", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    if options.data is None or not (options.data / f"{TREEBANKS[0]}.tsv").is_file():
        parser.error(f"no {TREEBANKS[0]}.tsv in {options.data}: name its folder with --data")
    accuracy, speed = measure_accuracy(options.data), measure_speed(options.data)
    columns = [*VARIANTS, RUNNING_TEXT, ALL_CLASSES]
    print(" " * 20, *(f"{column:>14}" for column in columns))
    for name, row in accuracy.items():
        print(f"{name:20}", *(f"{row[column]:14.2f}" for column in columns))
    print(
        f"weights loaded in {speed['load']:.1f} ms; {speed['tokens']} tokens of {speed['forms']} "
        f"forms tagged in {speed['tag']:.2f} ms"
    )
    if options.json:
        versions = {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "machine": platform.machine(),
        }
        result = {"versions": versions, "accuracy": accuracy, "speed_ms": speed}
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How well the ends of sentences are found, beside other libraries."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.languages.costs import log_progress, median_seconds
from benchmarks.languages.texts import join
from docbats.text.languages import load_language
from docbats.text.sentences import split_sentences

SENTENCES = Path(__file__).with_name("sentences.json")

Splitter = Callable[[str, str], list[str]]


def splitters() -> dict[str, Splitter]:
    """Return our splitter, and those of other libraries that are installed."""
    found: dict[str, Splitter] = {
        "docbats": lambda text, code: [
            text[start:end] for start, end in split_sentences(text, load_language(code))
        ]
    }
    if find_spec("nupunkt"):
        from nupunkt import load

        found["nupunkt"] = lambda text, _: [
            text[start:end] for start, end in load("default").span_tokenize(text)
        ]
    if find_spec("sentencex"):
        sentencex: Any = import_module("sentencex")
        found["sentencex"] = lambda text, code: list(sentencex.segment(code, text))
    if find_spec("pysbd"):
        pysbd: Any = import_module("pysbd")
        languages = set(import_module("pysbd.languages").LANGUAGE_CODES)
        found["pysbd"] = lambda text, code: (
            pysbd.Segmenter(language=code, clean=False).segment(text) if code in languages else []
        )
    return found


def measure_sentences(folder: Path) -> dict[str, Any]:
    """Compare where sentences end with where they should, and time the splitting of help."""
    gold = json.loads(SENTENCES.read_text(encoding="utf-8"))
    results: dict[str, Any] = {}
    for name, split in splitters().items():
        f1 = {
            group: {code: _agreement(split, code, each) for code, each in sentences.items()}
            for group, sentences in gold.items()
        }
        results[name] = {"f1": f1, "ms": _splitting_times(folder, split)}
        log_progress(name, f1)
    sizes = {group: {code: len(each) for code, each in gold[group].items()} for group in gold}
    return {"sentences": sizes, "results": results}


def _agreement(split: Splitter, code: str, sentences: list[str]) -> float | None:
    """Return F1 of the ends of sentences; None if the library does not know the language."""
    text = ("" if code in {"zh", "ja"} else " ").join(sentences)
    wanted, found = ends(text, sentences), ends(text, split(text, code))
    return round(2 * len(wanted & found) / (len(wanted) + len(found)), 4) if found else None


def ends(text: str, sentences: list[str]) -> set[int]:
    """Return where sentences end, white space aside."""
    places, place = set(), 0
    for sentence in sentences:
        stripped = sentence.strip()
        place = text.index(stripped, place) + len(stripped)
        places.add(place)
    return places


def _splitting_times(folder: Path, split: Splitter) -> dict[str, float]:
    """Time 100 sentences in a few languages, in milliseconds."""
    times = {}
    for code in ("en", "de", "ru", "zh"):
        sentences = [s for each in join(folder, "GNOME")[code] for s in each.sentences][:100]
        text = ("" if code == "zh" else " ").join(sentences)
        times[code] = round(1e3 * median_seconds(partial(split, text, code), 10), 2)
    return times

"""How well joined documents are segmented, in languages that docbats knows and in others."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from benchmarks.languages.costs import log_progress
from benchmarks.languages.texts import SEED, SOURCES, Joined, join, join_foreign
from docbats import analyze
from docbats.text.languages import load_language
from docbats_lab.metrics.segmentation import paper_window, pk, window_diff

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OTHERS = ("ca", "cs", "da", "el", "fi", "hr", "hu", "ko", "lv", "sl", "sr", "sv", "uk")


def score(document: Joined, lengths: list[int]) -> tuple[float, float]:
    """Return Pk and WindowDiff, in sentences."""
    window = paper_window(document.lengths)
    return pk(document.lengths, lengths, window), window_diff(document.lengths, lengths, window)


def score_docbats(document: Joined, *, true_k: bool, **settings: Any) -> tuple[float, float, int]:
    """Score docbats on one document, with the number of passages given or not."""
    k: Any = len(document.passages) if true_k else "auto"
    segments = analyze(document.sentences, k=k, **settings).segments
    lengths = [end - start for start, end in (segment.sentences for segment in segments)]
    return (*score(document, lengths), len(lengths) - len(document.passages))


def score_random(document: Joined, generator: np.random.Generator) -> tuple[float, float]:
    """Score as many boundaries as there are true ones, drawn at random."""
    size = len(document.sentences)
    places = generator.choice(size - 1, size=len(document.passages) - 1, replace=False) + 1
    edges = [0, *sorted(places.tolist()), size]
    return score(document, [b - a for a, b in pairwise(edges)])


def score_with_and_without_k(
    documents: list[Joined], **settings: Any
) -> dict[str, dict[str, float]]:
    """Score docbats with the number of passages given, and with its own."""
    return {
        "true k": mean(score_docbats(each, true_k=True, **settings) for each in documents),
        "own k": mean(score_docbats(each, true_k=False, **settings) for each in documents),
    }


def measure_segments(folder: Path) -> dict[str, Any]:
    """Score docbats in each language, with its defaults and with other settings."""
    variants: dict[str, dict[str, Any]] = {
        "docbats": {},
        "without stems": {"stem": False},
        'language="en"': {"language": "en"},
    }
    results: dict[str, Any] = {}
    for source in SOURCES:
        for code, documents in join(folder, source).items():
            generator = np.random.default_rng(SEED)
            scores = {
                name: score_with_and_without_k(documents, **settings)
                for name, settings in variants.items()
                if name != 'language="en"' or code != "en"
            }
            segmenter = load_language(code).segmenter
            if segmenter is not None:
                with without_segmenter():
                    scores["without the extra"] = score_with_and_without_k(documents)
            scores["no boundary"] = {
                "true k": mean(score(each, [len(each.sentences)]) for each in documents)
            }
            scores["random"] = {"true k": mean(score_random(each, generator) for each in documents)}
            sizes = [len(each.sentences) for each in documents]
            results.setdefault(source, {})[code] = {
                "sentences": round(float(np.mean(sizes)), 1),
                "passages": round(float(np.mean([len(each.passages) for each in documents])), 2),
                "scores": scores,
            }
            log_progress(source, code, scores["docbats"])
    return results


def measure_others(folder: Path) -> dict[str, Any]:
    """Score docbats in languages that it does not know."""
    results = {}
    for code in OTHERS:
        documents = join_foreign(folder, code)
        results[code] = {
            "docbats": score_with_and_without_k(documents),
            'language="en"': score_with_and_without_k(documents, language="en"),
        }
        log_progress(code, results[code])
    return results


@contextmanager
def without_segmenter() -> Iterator[None]:
    """Make docbats behave as if no extra were installed."""
    missing = patch("docbats.text.words.is_missing", lambda _: True)
    nothing = patch("docbats.text.words.find_segmenter", lambda _: None)
    with missing, nothing:
        yield


def mean(scores: Iterator[tuple[float, ...]]) -> dict[str, float]:
    """Return the means of Pk, WindowDiff and, where k was chosen, of its error."""
    rows = np.array(list(scores))
    found = {"pk": round(float(rows[:, 0].mean()), 4), "wd": round(float(rows[:, 1].mean()), 4)}
    if rows.shape[1] > 2:
        found["k error"] = round(float(np.abs(rows[:, 2]).mean()), 2)
    return found

"""Whole books: how many parts are found, and whether they are the chapters."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats_lab.segmentation_score import count_words, score_segmentation
from docbats_lab.whole_books import Book, read_books

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Outline
    from docbats_lab.experiments.request import Request
    from docbats_lab.segmented_document import SegmentedDocument
    from docbats_lab.whole_books import BookTrial

WAYS = {
    "headings": Book.with_headings,
    "paragraphs": Book.with_paragraphs,
    "bare": Book.bare,
}
"""How a book is given: as its author has it, without headings, and as a list of sentences."""


def run(request: Request) -> None:
    """Cut each book by default and at its true number of chapters, given in three ways."""
    books = read_books(request.data)[: request.limit]
    facts: dict[str, Any] = {
        "command": "docbats lab run books",
        "versions": find_versions("docbats", "numpy", "scipy", "nupunkt", "PyStemmer"),
        "books": {book.name: _score(book) for book in books},
    }
    folder = request.output / "books"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")


def _score(book: Book) -> dict[str, Any]:
    trials = {name: way(book) for name, way in WAYS.items()}
    truth = trials["bare"].truth
    even = [i * len(truth.sentences) // len(truth.segments) for i in range(len(truth.segments))]
    return {
        "source": book.source,
        "chapters": len(truth.segments),
        "sentences": len(truth.sentences),
        "words": sum(map(count_words, truth.sentences)),
        "even": _scores(truth, even),
        "none": _scores(truth, [0]),
        **{name: _score_trial(trial, book.language) for name, trial in trials.items()},
    }


def _score_trial(trial: BookTrial, language: str) -> dict[str, Any]:
    truth = trial.truth
    result = analyze(trial.source, language=language)
    at_true_k = result.cut(len(truth.segments))
    return {
        "chapters": len(truth.segments),
        "parts": len(result.segments),
        "found": _scores(truth, [segment.sentences[0] for segment in result.segments]),
        "true": _scores(truth, [segment.sentences[0] for segment in at_true_k.segments]),
        "outline": _outline(result.outline),
    }


def _outline(outline: Outline) -> dict[str, Any]:
    """Return how many entries each level has, and how many the longest list."""
    levels = Counter(len(numbers) for numbers, _ in outline.walk())
    lists = [len(outline), *(len(entry.children) for _, entry in outline.walk())]
    return {"levels": [levels[level] for level in sorted(levels)], "longest": max(lists)}


def _scores(truth: SegmentedDocument, starts: Sequence[int]) -> dict[str, float]:
    score = score_segmentation(truth, list(pairwise([*starts, len(truth.sentences)])))
    return {
        "f1_2": round(score.boundary_f1_within_2, 4),
        "pk": round(score.pk, 4),
        "wd": round(score.window_diff, 4),
    }

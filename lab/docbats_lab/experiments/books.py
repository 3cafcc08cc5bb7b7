"""Whole books: how many parts are found, and whether they are the chapters."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.errors import ReadError
from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats_lab.documents import (
    SegmentedDocument,
    StructuredDocument,
    known_language,
    read_structured,
    split_sentences,
)
from docbats_lab.metrics.segmentation import count_words, score_segmentation
from docbats_lab.report.tables import format_number, markdown_table, named_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats.parts import Outline
    from docbats_lab.experiments.request import Request

FOLDER = "books"
"""The optional folder of Markdown files, one for each book."""

RUNS = "standard-ebooks"
"""The source of structured documents that are runs of chapters of a book."""

_RUN = re.compile(r"(?P<book>.+)_(?P<number>\d+)")
_MIN_CHAPTERS = 3
_MIN_PARTS, _MAX_PARTS = 5, 20  # that a book should have at the top


_GOOD_F1 = 0.5
_INTRODUCTION = (
    "Each book is given in three ways: *headings*, a Markdown file as its author wrote it; "
    "*paragraphs*, its prose without headings, with blank lines between paragraphs; *bare*, a list "
    "of the sentences of its prose. The true segments are its chapters.\n\n"
    "The books of `standard-ebooks` are the runs of chapters in `DATA/structured/standard-ebooks`, "
    "joined in order; where the data lacks a run, so does the book. The others are Markdown files "
    "in `DATA/books`, which is optional: *The Debian Administrator's Handbook*, *An Anarchist FAQ* "
    "and *Persuasion* are in the Debian 12 packages `debian-handbook`, `anarchism` and "
    "`r-cran-janeaustenr`; `python tools/free_books.py PACKAGES DATA/books` makes these files from "
    "them.\n"
)
_PARTS = (
    "\n## How many parts\n\nThe number of segments found by default. "
    f"A book should get {_MIN_PARTS} to {_MAX_PARTS}.\n"
)
_BOUNDARIES = (
    "\n## Where they begin\n\nF1 of the boundaries; one that is at most two sentences off counts "
    "as found. With (k), the book is cut into as many segments as it has chapters. *Even (k)* are "
    "segments with equal numbers of sentences.\n"
)
_WINDOWS = (
    "\n## Pk / WD\n\nOver words. *None* draws no boundary. With headings, all are 0 where F1 is "
    "1.\n"
)
_OUTLINES = (
    "\n## Their tables of contents\n\nThe number of entries of `result.outline` on its first, "
    "second, ... level, and in the longest of its lists.\n"
)
_SIZES = ("chapters", "sentences", "words")
_Facts = dict[str, Any]


@dataclass(frozen=True, eq=False)
class BookTrial:
    """A book as docbats gets it, and its sentences by chapters."""

    source: Document | list[str]
    truth: SegmentedDocument


@dataclass(frozen=True, eq=False)
class Book:
    """A book with its author's headings."""

    name: str
    source: str
    markdown: str
    chapter_starts: tuple[int, ...]  # the offsets of the headings of its chapters in `markdown`
    structured: StructuredDocument

    @property
    def language(self) -> str:
        """The code of its language, or ``"auto"`` for one that docbats does not know."""
        return known_language(self.structured.language)

    def with_headings(self) -> BookTrial:
        """Read it as a Markdown file."""
        document = Document.read(
            self.markdown.encode(), name=f"{self.name}.md", language=self.language
        )
        return self._trial(document, self.chapter_starts)

    def with_paragraphs(self) -> BookTrial:
        """Return its prose, with blank lines between paragraphs and no headings."""
        plain = self.structured.without_headings()
        document = Document.from_text(plain.text, language=self.language)
        return self._trial(document, plain.starts)

    def bare(self) -> BookTrial:
        """Return the sentences of its prose."""
        truth = self.with_paragraphs().truth
        return BookTrial(list(truth.sentences), truth)

    def _trial(self, document: Document, offsets: Sequence[int]) -> BookTrial:
        chapters = split_sentences(document, offsets)
        return BookTrial(document, SegmentedDocument(self.name, chapters, self.language))


def read_books(data: Path) -> list[Book]:
    """Read the books whose runs are among the structured documents, and those in ``books``."""
    own = [read_book(path) for path in sorted((data / FOLDER).glob("*.md"))]
    return [*joined_runs(read_structured(data).get(RUNS, [])), *own]


def joined_runs(runs: Sequence[StructuredDocument]) -> list[Book]:
    """Join the runs of each book in the order of the numbers in their names."""
    books: dict[str, dict[int, StructuredDocument]] = {}
    for run in runs:
        found = _RUN.fullmatch(run.name)
        name, number = (found["book"], int(found["number"])) if found else (run.name, 1)
        books.setdefault(name, {})[number] = run
    joined = []
    for name, parts in sorted(books.items()):
        blocks = tuple(block for number in sorted(parts) for block in parts[number].blocks)
        whole = StructuredDocument(name, RUNS, next(iter(parts.values())).language, blocks)
        text, headings = whole.as_markdown()
        joined.append(Book(name, RUNS, text, tuple(headings), whole))
    return joined


def read_book(path: Path) -> Book:
    """Read a Markdown file; its chapters start at the highest level with three headings or more."""
    document = Document.read(path)
    prose = document.text if document.prose is None else document.prose
    blocks = tuple(
        {
            "type": block.kind,
            "text": block.title
            if block.kind == "heading"
            else " ".join(prose[block.start : block.end].split()),
            "level": block.level,
            "number": block.number,
        }
        for block in document.blocks
    )
    structured = StructuredDocument(path.stem, FOLDER, document.language.code or "auto", blocks)
    starts = tuple(
        block.start
        for block in document.blocks
        if block.kind == "heading" and block.level == structured.top_level
    )
    if len(starts) < _MIN_CHAPTERS:
        msg = (
            f"{path} has no chapters: a book needs at least {_MIN_CHAPTERS} Markdown headings of "
            "the same level"
        )
        raise ReadError(msg)
    return Book(path.stem, FOLDER, document.text, starts, structured)


WAYS = {"headings": Book.with_headings, "paragraphs": Book.with_paragraphs, "bare": Book.bare}
"""How docbats gets a book: as its author wrote it, without headings, as a list of sentences."""


def run(request: Request) -> None:
    """Cut each book by default and into its true number of chapters, in three ways."""
    books = read_books(request.data)[: request.limit]
    facts: dict[str, Any] = {
        "command": "docbats lab run books",
        "versions": find_versions("docbats", "numpy", "scipy", "nupunkt", "PyStemmer"),
        "books": {book.name: _score(book) for book in books},
    }
    write_facts(request.output / "books", facts)


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
    """Return the number of entries on each level, and in the longest list."""
    levels = Counter(len(numbers) for numbers, _ in outline.walk())
    lists = [len(outline), *(len(entry.children) for _, entry in outline.walk())]
    return {"levels": [levels[level] for level in sorted(levels)], "longest": max(lists)}


def _scores(truth: SegmentedDocument, starts: Sequence[int]) -> dict[str, float]:
    score = score_segmentation(truth, starts)
    return {name: round(score[name], 4) for name in ("f1_2", "pk", "wd")}


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show what was found in each book: the number of parts, where, and the table of contents."""
    books: dict[str, _Facts] = read_facts(folder)["books"]
    yield _INTRODUCTION
    yield markdown_table(
        ("book", "source", "chapters", "sentences", "words"),
        [
            [_title(name), book["source"], *(f"{book[key]:,}" for key in _SIZES)]
            for name, book in books.items()
        ],
    )
    yield _PARTS
    yield markdown_table(
        ("book", "chapters", *WAYS),
        [
            [_title(name), str(book["chapters"]), *(str(book[way]["parts"]) for way in WAYS)]
            for name, book in books.items()
        ],
    )
    for way in WAYS:
        parts = [book[way]["parts"] for book in books.values()]
        n_good = sum(_MIN_PARTS <= n <= _MAX_PARTS for n in parts)
        yield f"- {way}: {n_good} of {len(books)} books get {_MIN_PARTS} to {_MAX_PARTS} parts."
    yield _BOUNDARIES
    heads = ("Even (k)", *(f"{way} (k)" for way in WAYS), *WAYS)
    rows = {_title(name): _f1s(book) for name, book in books.items()}
    rows["mean"] = np.mean(list(rows.values()), axis=0).tolist()
    yield named_table(("book", *heads), rows, lambda row: map(format_number, row))
    for way in WAYS:
        n_good = sum(book[way]["true"]["f1_2"] >= _GOOD_F1 for book in books.values())
        yield f"- {way} (k): {n_good} of {len(books)} books reach {_GOOD_F1}."
    yield _WINDOWS
    yield from _window_errors(books)
    yield _OUTLINES
    yield markdown_table(
        ("book", *WAYS),
        [[_title(name), *(_levels(book[way]["outline"]) for way in WAYS)]
         for name, book in books.items()],
    )  # fmt: skip


def _f1s(book: _Facts) -> list[float]:
    cuts = [book["even"], *(book[way][k] for k in ("true", "found") for way in WAYS)]
    return [cut["f1_2"] for cut in cuts]


def _window_errors(books: Mapping[str, _Facts]) -> Iterator[str]:
    columns: dict[str, Callable[[_Facts], Mapping[str, float]]] = {
        "None": lambda book: book["none"],
        "Even (k)": lambda book: book["even"],
        "paragraphs (k)": lambda book: book["paragraphs"]["true"],
        "bare (k)": lambda book: book["bare"]["true"],
        "paragraphs": lambda book: book["paragraphs"]["found"],
        "bare": lambda book: book["bare"]["found"],
    }
    pairs = {
        _title(name): [(found["pk"], found["wd"]) for found in (c(book) for c in columns.values())]
        for name, book in books.items()
    }
    pairs["mean"] = np.mean(list(pairs.values()), axis=0).tolist()
    yield named_table(
        ("book", *columns),
        pairs,
        lambda row: [f"{format_number(pk)} / {format_number(wd)}" for pk, wd in row],
    )


def _title(name: str) -> str:
    """Return the title in the name of a book; names of runs start with the author."""
    return name.rpartition("_")[2].replace("-", " ")


def _levels(outline: Mapping[str, Any]) -> str:
    return f"{' + '.join(map(str, outline['levels']))} (longest {outline['longest']})"

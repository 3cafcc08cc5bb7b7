"""The page on whole books."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.experiments.books import WAYS
from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_MIN_PARTS, _MAX_PARTS = 5, 20  # that a book should have at the top
_GOOD_F1 = 0.5

_INTRODUCTION = (
    "Each book in three ways: *headings*, as its author has it, a Markdown file; *paragraphs*, its "
    "prose without any heading, blank lines between the paragraphs; *bare*, a list of the "
    "sentences of that. Its chapters are the truth.\n\n"
    "The books of `standard-ebooks` are the runs of chapters in `DATA/structured/standard-ebooks`, "
    "joined in their order; where the data lacks a run, so does the book. The others are Markdown "
    "files in `DATA/books`, which is optional: *The Debian Administrator's Handbook*, *An "
    "Anarchist FAQ* and *Persuasion* are in the Debian 12 packages `debian-handbook`, `anarchism` "
    "and `r-cran-janeaustenr`, of which `python tools/free_books.py PACKAGES DATA/books` makes "
    "these files.\n"
)
_PARTS = (
    "\n## How many parts\n\nThe number of segments found by default. "
    f"A book is hoped to get {_MIN_PARTS} to {_MAX_PARTS}.\n"
)
_BOUNDARIES = (
    "\n## Where they begin\n\nF1 of the boundaries, where two sentences off still count as found; "
    "with (k), cut into as many segments as there are chapters. *Even (k)* are segments of the "
    "same number of sentences.\n"
)
_WINDOWS = (
    "\n## Pk / WD\n\nOver words. *None* draws no boundary. With headings all are 0 where F1 is 1.\n"
)
_OUTLINES = (
    "\n## Their tables of contents\n\nThe entries of `result.outline` on its first, second, ... "
    "level, and how many the longest of its lists has.\n"
)

_SIZES = ("chapters", "sentences", "words")
_Facts = dict[str, Any]


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show what was found in each book: how many parts, where, and the table of contents."""
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
    yield markdown_table(
        ("book", *heads), [[name, *map(format_number, row)] for name, row in rows.items()]
    )
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
    yield markdown_table(
        ("book", *columns),
        [
            [name, *(f"{format_number(pk)} / {format_number(wd)}" for pk, wd in row)]
            for name, row in pairs.items()
        ],
    )


def _title(name: str) -> str:
    """Return the title in the name of a book; names of runs begin with the author."""
    return name.rpartition("_")[2].replace("-", " ")


def _levels(outline: Mapping[str, Any]) -> str:
    return f"{' + '.join(map(str, outline['levels']))} (longest {outline['longest']})"

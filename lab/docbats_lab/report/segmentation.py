"""The page of table 4: segmentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.datasets import DATASETS as ALL_DATASETS
from docbats_lab.datasets import OTHER_DATASETS
from docbats_lab.experiments.segmentation import DATASETS
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.paper_tables import paper_tables
from docbats_lab.report.comparison import (
    compare_with_docbats,
    differences_table,
    docbats_counterpart,
    list_methods_ahead,
)
from docbats_lab.report.labels import dataset_heading, dataset_label, failure_note, score_label
from docbats_lab.report.markdown_tables import (
    NO_VALUE,
    format_difference,
    format_mean,
    format_mean_and_deviation,
    format_number,
    markdown_table,
)
from docbats_lab.report.stored_results import read_datasets, true_segment_counts
from docbats_lab.score_summary import summarize_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats_lab.report.stored_results import VariantRows
    from docbats_lab.row_files import Row

_INTRODUCTION = (
    "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is "
    "the boundary similarity of Fournier (2013), F1 that of boundaries at most one "
    "sentence off, F1 within 2 that of boundaries at most two off: higher is better. All methods "
    "are given the true number of segments, except those that find their own: for them the mean "
    "surplus of segments is shown. None sets no boundary. BATS is the paper's method, docbats our "
    "own. The last column, and the smaller table, are the scores minus those of docbats: of "
    "`docbats (k)` for methods that are given the number of segments, of `docbats` for those that "
    "find it. They have a paired bootstrap interval of 95 %; a star marks significant "
    "differences.\n"
)
_OTHERS = (
    "\n## Other kinds of documents\n\n"
    "Sets that the paper does not have. All methods get the same sentences, and the stop words and "
    "stems of the document's language; the trained SupervisedSeg and MiniLM know English only. "
    "Where a document's paragraphs are known, *docbats, paragraphs* is given them.\n"
)
_NATURAL_NOTE = (
    "\n## Mean over documents as people wrote them\n\n"
    "Means over the means of {sets}: English documents whose segments their authors or listeners "
    "marked, not put together from several. Only methods that were run on all of them.\n"
)
NATURAL = ("textbook", "lectures", "wiki", "avlectures", "icsi", "openstax", "wikitext")
_SCORES = ("pk", "wd", "b", "f1_2")
_GROUP_SCORES = ("pk", "wd", "f1_2")
_BY_GROUP = (
    "None", "U&I (k)", "BayesSeg", "docbats", "docbats (k)", "docbats, paragraphs",
    "docbats (k), paragraphs",
)  # fmt: skip


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and how far they are from docbats."""
    yield _INTRODUCTION
    found = read_datasets(folder, (*DATASETS, *OTHER_DATASETS), SEGMENTERS)
    yield from _mean_table(found)
    for dataset in DATASETS:
        if dataset in found:
            yield dataset_heading(dataset, found[dataset])
            yield from _tables(found[dataset], paper_tables()["table4"][dataset])
    others = [dataset for dataset in OTHER_DATASETS if dataset in found]
    if others:
        yield _OTHERS
    for dataset in others:
        yield dataset_heading(dataset, found[dataset], level=3)
        yield from _tables(found[dataset], None)
        yield _group_table(dataset, found[dataset])


def _mean_table(found: Mapping[str, VariantRows]) -> Iterator[str]:
    """Draw the means over natural documents, if there are any results for all of them."""
    if not all(dataset in found for dataset in NATURAL):
        return
    body = []
    for name in SEGMENTERS:
        summaries = [
            [summarize_score(found[dataset].get(name, {}), s) for dataset in NATURAL]
            for s in _SCORES
        ]
        if all(summaries[0]):
            means = [
                None if None in by_set else float(np.mean([s.mean for s in by_set if s]))
                for by_set in summaries
            ]
            body.append([name, *map(format_number, means)])
    yield _NATURAL_NOTE.format(sets=", ".join(map(dataset_label, NATURAL)))
    yield markdown_table(["", *map(score_label, _SCORES)], body)


def _tables(found: VariantRows, paper: Mapping[str, Any] | None) -> Iterator[str]:
    """Draw the tables of a dataset, with the paper's figures where it has them."""
    true = true_segment_counts(found)
    differences = compare_with_docbats(found, docbats_counterpart, _SCORES)
    printed = ("paper's Pk", "paper's WD") if paper is not None else ()
    yield markdown_table(
        ("", "Pk", "WD", *printed, "B", "F1", "F1 within 2", "segments too many", "Pk - docbats"),
        [
            [
                name,
                *_error_cells(rows, None if paper is None else paper.get(name, {})),
                *(format_mean(summarize_score(rows, score)) for score in ("b", "f1", "f1_2")),
                format_number(_segments_too_many(name, rows, true), 1),
                format_difference(differences.get(name, {}).get("pk")),
            ]
            for name, rows in found.items()
        ],
    )
    yield differences_table(differences, _SCORES[1:])
    yield list_methods_ahead(differences)
    yield failure_note(found)


def _error_cells(rows: Mapping[str, Row], paper: Mapping[str, Any] | None) -> list[str]:
    cells = [format_mean_and_deviation(summarize_score(rows, score)) for score in ("pk", "wd")]
    if paper is not None:
        cells += [format_number(paper[s][0] if paper else None, 2) for s in ("pk", "wd")]
    return cells


def _segments_too_many(name: str, rows: Mapping[str, Row], true: Mapping[str, int]) -> float | None:
    errors = [
        row["segments"] - true[document]
        for document, row in rows.items()
        if "segments" in row and document in true
    ]
    return float(np.mean(errors)) if errors and not SEGMENTERS[name].takes_k else None


def _group_table(dataset: str, found: VariantRows) -> str:
    """Draw some methods on each group of a dataset; an empty text if it has none."""
    groups = ALL_DATASETS[dataset].groups
    methods = [name for name in _BY_GROUP if name in found]
    if not groups or not methods:
        return ""
    body = []
    for group in groups:
        parts = {
            name: {
                d: row
                for d, row in found[name].items()
                if group in ALL_DATASETS[dataset].groups_of(d)
            }
            for name in methods
        }
        cells = [
            " / ".join(format_mean(summarize_score(rows, s)) for s in _GROUP_SCORES)
            if rows
            else NO_VALUE
            for rows in parts.values()
        ]
        body.append([group, str(max(map(len, parts.values()))), *cells])
    labels = " / ".join(map(score_label, _GROUP_SCORES))
    return f"\nBy group, {labels}:\n\n" + markdown_table(["", "documents", *methods], body)

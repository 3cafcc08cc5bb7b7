"""Table 4: how well each method cuts the documents of the paper's six datasets, and of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.datasets import DATASETS, OTHER_DATASETS, PAPER_DATASETS
from docbats_lab.experiments.request import evenly_spaced, run_scored
from docbats_lab.experiments.scorers import SegmentationScorer
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.report.tables import (
    NO_VALUE,
    compare_with_docbats,
    dataset_heading,
    dataset_label,
    differences_table,
    docbats_counterpart,
    failure_note,
    format_difference,
    format_number,
    list_methods_ahead,
    markdown_table,
    mean_and_deviation_cell,
    mean_cell,
    paper_tables,
    score_label,
    true_segment_counts,
)
from docbats_lab.results import read_datasets
from docbats_lab.score_summary import summarize_score
from docbats_lab.splits import is_held_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.results import Row, VariantRows

_PARAGRAPHS = "structured"  # the dataset whose paragraphs are known


_INTRODUCTION = (
    "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is the "
    "boundary similarity of Fournier (2013). F1 counts boundaries that are at most one sentence "
    "off as found, F1 within 2 those at most two off: higher is better. All methods are given the "
    "true number of segments, except those that find their own: for these the mean surplus of "
    "segments is shown. None draws no boundary. BATS is the paper's method, docbats our own. The "
    "last column and the smaller table show the scores minus those of docbats: `docbats (k)` for "
    "methods that are given the number of segments, `docbats` for those that find it. They have "
    "95 % intervals of a paired bootstrap; a star marks significant differences.\n\n"
    "How authors open a part, docbats learned from 99 sources, up to 120 documents of each English "
    "dataset of this page among them. On datasets that are not of joined texts, its scores are "
    "somewhat too good for that; [cues](cues.md) has those with each dataset left out.\n"
)
_OTHERS = (
    "\n## Other kinds of documents\n\n"
    "Datasets that are not in the paper. All methods get the same sentences, and the stop words "
    "and stems of the document's language; SupervisedSeg and MiniLM were trained on English only. "
    "Where the paragraphs of a document are known, *docbats, paragraphs* gets them.\n"
)
_NATURAL_NOTE = (
    "\n## Mean over documents as people wrote them\n\n"
    "Means over the means of {sets}: English documents whose segments were marked by authors or "
    "listeners, not joined from several texts. Only methods that were run on all of them.\n"
)
NATURAL = ("textbook", "lectures", "wiki", "avlectures", "icsi", "openstax", "wikitext")
_SCORES = ("pk", "wd", "b", "f1_2")
_GROUP_SCORES = ("pk", "wd", "f1_2")
_BY_GROUP = (
    "None", "U&I (k)", "BayesSeg", "docbats", "docbats (k)", "docbats, paragraphs",
    "docbats (k), paragraphs",
)  # fmt: skip


def run(request: Request) -> None:
    """Score every segmenter; the neural ones only if they are requested by name.

    Every method is scored on the Wiki documents that SupervisedSeg was not trained on. Methods that
    use paragraphs are scored where there are any.
    """
    default = [name for name, method in SEGMENTERS.items() if not method.is_neural]
    chosen = request.choose_methods(list(SEGMENTERS)) if request.methods else default

    def select(dataset: str, documents: list[SegmentedDocument]) -> list[SegmentedDocument]:
        if dataset == "wiki":
            documents = [d for d in documents if is_held_out("wiki", d.name)]
        return evenly_spaced(documents, request.limit)

    for dataset in request.choose_datasets((*PAPER_DATASETS, *OTHER_DATASETS)):
        has_paragraphs = dataset == _PARAGRAPHS
        variants = [m for m in chosen if has_paragraphs or not SEGMENTERS[m].uses_paragraphs]
        if variants:
            run_scored(
                replace(request, datasets=None, methods=variants if request.methods else None),
                "segmentation",
                [dataset],
                variants,
                lambda *_: SegmentationScorer(request.seed),
                select=select,
            )


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and their differences from docbats."""
    yield _INTRODUCTION
    found = read_datasets(folder, (*PAPER_DATASETS, *OTHER_DATASETS), SEGMENTERS)
    yield from _mean_table(found)
    for dataset in PAPER_DATASETS:
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
    """Yield the means over natural documents, if all of these datasets have results."""
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
    """Yield the tables of a dataset, with the paper's figures where it has them."""
    true = true_segment_counts(found)
    differences = compare_with_docbats(found, docbats_counterpart, _SCORES)
    printed = ("paper's Pk", "paper's WD") if paper is not None else ()
    yield markdown_table(
        ("", "Pk", "WD", *printed, "B", "F1", "F1 within 2", "segments too many", "Pk - docbats"),
        [
            [
                name,
                *_error_cells(rows, None if paper is None else paper.get(name, {})),
                *(mean_cell(rows, score) for score in ("b", "f1", "f1_2")),
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
    cells = [mean_and_deviation_cell(rows, score) for score in ("pk", "wd")]
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
    """Return some methods on each group of a dataset; an empty text if it has none."""
    groups = DATASETS[dataset].groups
    methods = [name for name in _BY_GROUP if name in found]
    if not groups or not methods:
        return ""
    body = []
    for group in groups:
        parts = {
            name: {
                d: row for d, row in found[name].items() if group in DATASETS[dataset].groups_of(d)
            }
            for name in methods
        }
        cells = [
            " / ".join(mean_cell(rows, s) for s in _GROUP_SCORES) if rows else NO_VALUE
            for rows in parts.values()
        ]
        body.append([group, str(max(map(len, parts.values()))), *cells])
    labels = " / ".join(map(score_label, _GROUP_SCORES))
    return f"\nBy group, {labels}:\n\n" + markdown_table(["", "documents", *methods], body)

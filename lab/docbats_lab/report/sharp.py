"""The page of the preset sharp: on the documents it was tuned on, and on held-out ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.datasets import PAPER_DATASETS
from docbats_lab.experiments import topic_quality
from docbats_lab.experiments.topic_quality import COMPOSITES
from docbats_lab.method_registry import SCORED_TOPIC_METHODS, SEGMENTERS
from docbats_lab.report.tables import (
    NO_VALUE,
    compare_with_docbats,
    docbats_counterpart,
    format_number,
    list_methods_ahead,
    markdown_table,
    mean_cell,
    score_label,
    true_segment_counts,
)
from docbats_lab.results import read_datasets
from docbats_lab.score_summary import summarize_score
from docbats_lab.splits import is_held_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.results import Row, VariantRows

    Halves = tuple[VariantRows, VariantRows]  # tuned on, and held out

_INTRODUCTION = (
    "The preset `sharp` is docbats in the tables. Its settings were chosen on half of the "
    "documents, the tuning half; the other half was held out. In Textbook, Lectures, Choi, "
    "Introductions and News, documents in even places are for tuning, counted from 0 in loading "
    "order, and those in odd places are held out. In Wiki, the articles that SupervisedSeg may "
    "learn from, which no table of segmentations scores, are for tuning; all scored articles are "
    "held out.\n"
)
_SEGMENTS = (
    "\n## Segments, with their number given\n\n"
    "Lower is better for Pk and WindowDiff (WD), higher for B. The target was set for docbats on "
    "the held-out half, to three decimals. None draws no boundary. MiniLM DP and docbats + MiniLM "
    "use a pretrained model, the others do not; if the numbers of documents differ, the means are "
    "over different documents. Below each table every method of the laboratory is compared with "
    "docbats, on the held-out half and on the same documents: methods that are given the number of "
    "segments with `docbats (k)`, the others, including None, with `docbats`, which finds it.\n"
)
_FOUND = (
    "\n## Segments, with their number found\n\n"
    "Pk / WD / mean absolute error of the number of segments, on the held-out half. The last "
    "column says whether docbats has the lowest Pk and the lowest WD on the documents that it "
    "shares with each method.\n"
)
_TOPICS = (
    "\n## Topics\n\n"
    "The composites of table 3, with as many topics as the document has segments: higher is "
    "better. Below each table the methods are compared with docbats, on the held-out half.\n"
)
_WITH_K = (
    "docbats (k)", "BATS", "BayesSeg", "U&I (k)", "C99 (k)", "LDA_MDP", "None", "MiniLM DP",
    "docbats + MiniLM (k)",
)  # fmt: skip
_WITHOUT_K = ("docbats", "TextTiling", "C99", "U&I")
_SCORES = ("pk", "wd", "b")
_TARGETS = {
    "textbook": {"pk": 0.315, "wd": 0.325},
    "lectures": {"pk": 0.315, "wd": 0.335},
    "choi": {"pk": 0.075, "wd": 0.083},
    "introductions": {"pk": 0.004, "wd": 0.004},
    "news": {"pk": 0.008, "wd": 0.009},
    "wiki": {"pk": 0.345, "wd": 0.365},
}


def page(results: Path, _: Path) -> Iterator[str]:
    """Write the results of segmentation and of topic quality on both halves."""
    yield _INTRODUCTION
    segments = _read_halves(results / "segmentation", PAPER_DATASETS, list(SEGMENTERS))
    topics = _read_halves(
        results / "topic-quality", topic_quality.DATASETS, list(SCORED_TOPIC_METHODS)
    )
    if segments:
        yield _SEGMENTS
        for dataset, halves in segments.items():
            yield _heading(dataset, halves)
            yield _table(halves, _WITH_K, _SCORES, 3, _target_cells(dataset, halves[1]))
            yield list_methods_ahead(compare_with_docbats(halves[1], docbats_counterpart, _SCORES))
        yield _FOUND
        yield _table_of_found({dataset: halves[1] for dataset, halves in segments.items()})
    if topics:
        yield _TOPICS
        for dataset, halves in topics.items():
            yield _heading(dataset, halves)
            yield _table(halves, list(SCORED_TOPIC_METHODS), COMPOSITES, 2)
            yield list_methods_ahead(
                compare_with_docbats(halves[1], lambda _: "docbats", COMPOSITES)
            )


def _read_halves(
    folder: Path, datasets: Sequence[str], variants: Sequence[str]
) -> dict[str, Halves]:
    """Read the rows of each dataset, split into halves."""
    return {
        dataset: (_half(dataset, found, held_out=False), _half(dataset, found, held_out=True))
        for dataset, found in read_datasets(folder, datasets, variants).items()
    }


def _half(dataset: str, found: VariantRows, *, held_out: bool) -> VariantRows:
    return {
        name: {d: row for d, row in rows.items() if is_held_out(dataset, d) is held_out}
        for name, rows in found.items()
    }


def _heading(dataset: str, halves: Halves) -> str:
    tuning, held_out = (max(map(len, half.values())) for half in halves)
    return f"\n### {dataset.capitalize()}: {tuning} documents for tuning, {held_out} held out\n"


def _table(
    halves: Halves,
    methods: Sequence[str],
    scores: Sequence[str],
    decimals: int,
    target: Sequence[str] = (),
) -> str:
    """Return the means of both halves side by side, with the target below the first method."""
    heads = ["", *(f"{score_label(s)}, {h}" for h in ("tuning", "held out") for s in scores)]
    body = []
    for name in methods:
        if name in halves[0]:
            means = [mean_cell(half[name], s, decimals) for half in halves for s in scores]
            body.append([name, *means, " / ".join(str(len(half[name])) for half in halves)])
        if target and name == methods[0]:
            body.append(["target", *target])
    return markdown_table([*heads, "documents"], body)


def _target_cells(dataset: str, rows: VariantRows) -> list[str]:
    """Return the cells of the target: the scores to reach on the held-out half, and whether met."""
    cells = []
    for score in _SCORES:
        limit = _TARGETS[dataset].get(score)
        summary = summarize_score(rows.get("docbats (k)", {}), score)
        if limit is None:
            cells.append(NO_VALUE)
        elif summary is None:
            cells.append(f"≤ {limit:.3f}")
        else:
            met = "yes" if round(summary.mean, 3) <= limit else "no"
            cells.append(f"≤ {limit:.3f}: {met}")
    return [*[NO_VALUE] * len(_SCORES), *cells, NO_VALUE]


def _table_of_found(by_dataset: Mapping[str, VariantRows]) -> str:
    """Return a row for each dataset, with the methods that find the number of segments."""
    body = []
    for dataset, found in by_dataset.items():
        true = true_segment_counts(found)
        segments = format_number(float(np.mean(list(true.values()))) if true else None, 1)
        cells = [_cell_of_found(found.get(name, {}), true) for name in _WITHOUT_K]
        body.append([dataset.capitalize(), segments, *cells, _is_first(found)])
    return markdown_table(["", "true segments", *_WITHOUT_K, "docbats first"], body)


def _cell_of_found(rows: Mapping[str, Row], true: Mapping[str, int]) -> str:
    errors = [
        abs(row["segments"] - true[d]) for d, row in rows.items() if "segments" in row and d in true
    ]
    if not errors:
        return NO_VALUE
    scores = [mean_cell(rows, score) for score in ("pk", "wd")]
    return " / ".join([*scores, format_number(float(np.mean(errors)), 1)])


def _is_first(found: VariantRows) -> str:
    """Return whether docbats has the lowest errors of the methods that find k."""
    others = {name: rows for name, rows in found.items() if name in _WITHOUT_K}
    differences = compare_with_docbats(others, docbats_counterpart, ("pk", "wd")).values()
    means = [difference.mean for scores in differences for difference in scores.values()]
    if not means:
        return NO_VALUE
    return "yes" if all(round(m, 9) > 0 for m in means) else "no"

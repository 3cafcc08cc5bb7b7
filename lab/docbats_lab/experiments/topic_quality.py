"""Table 3: how coherent and how different the topics of each method are, on five datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import TopicScorer, count_words
from docbats_lab.method_registry import SCORED_TOPIC_METHODS
from docbats_lab.report.tables import (
    compare_with_docbats,
    dataset_heading,
    differences_table,
    failure_note,
    list_methods_ahead,
    markdown_table,
    mean_and_deviation_cell,
    paper_tables,
    score_label,
)
from docbats_lab.results import read_datasets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from docbats_lab.experiments.request import Request

DATASETS = ("textbook", "lectures", "introductions", "wiki", "news")


COMPOSITES = ("pmi_jaccard", "pmi_dice", "umass_jaccard", "umass_dice")

_INTRODUCTION = (
    "The ten best words of each topic, with as many topics as the document has segments; the "
    "paper's figures in brackets. Lower is better for Jaccard and Dice, higher for all others. PMI "
    "counts whole documents, as printed; since the words of a document always meet there, it "
    "hardly separates good topics from bad ones, so PMI over windows of 20 content words is shown "
    "next to it. UMass is on the paper's scale; UMass of counts is the mean of "
    "log((n_ij + 1) / n_i). A topic of docbats has fewer than ten words if the next one would not "
    "fit the others, which UMass rewards. BATS is the paper's method, docbats our own. The smaller "
    "table shows the composites of each method minus those of docbats, with 95 % intervals of a "
    "paired bootstrap; a star marks significant differences.\n"
)
_NOT_IN_THE_PAPER = {
    "pmi_windows": "PMI of windows",
    "umass_counts": "UMass of counts",
    "words": "words shown",
}


def run(request: Request) -> None:
    """Score the topics of every method."""
    run_scored(
        request,
        "topic-quality",
        DATASETS,
        list(SCORED_TOPIC_METHODS),
        lambda _, documents: TopicScorer(count_words(documents), request.seed),
    )


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and their differences from docbats."""
    yield _INTRODUCTION
    for dataset, found in read_datasets(folder, DATASETS, SCORED_TOPIC_METHODS).items():
        paper = paper_tables()["table3"][dataset]
        scores = list(paper["BATS"])
        body = []
        for name, rows in found.items():
            cells = []
            for score in scores:
                theirs = f" ({paper[name][score][0]:.2f})" if name in paper else ""
                cells.append(mean_and_deviation_cell(rows, score, 2) + theirs)
            cells += [mean_and_deviation_cell(rows, score, 2) for score in _NOT_IN_THE_PAPER]
            body.append([name, *cells])
        yield dataset_heading(dataset, found)
        yield markdown_table(["", *map(score_label, scores), *_NOT_IN_THE_PAPER.values()], body)
        differences = compare_with_docbats(found, lambda _: "docbats", COMPOSITES)
        yield differences_table(differences, COMPOSITES, 2)
        yield list_methods_ahead(differences)
        yield failure_note(found)

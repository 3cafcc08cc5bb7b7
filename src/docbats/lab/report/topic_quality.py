"""The page of table 3: quality of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.experiments.topic_quality import DATASETS
from docbats.lab.printed import printed
from docbats.lab.registry import SCORED_TOPIC_METHODS
from docbats.lab.report.against import ahead, compare, differences_table
from docbats.lab.report.markdown import spread, table
from docbats.lab.report.results import read_datasets
from docbats.lab.report.wording import failures, heading, score_name
from docbats.lab.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["COMPOSITES", "page"]

COMPOSITES = ("pmi_jaccard", "pmi_dice", "umass_jaccard", "umass_dice")

_INTRODUCTION = (
    "The ten best words of each topic, as many topics as the document has segments; in "
    "brackets what the paper prints. Jaccard and Dice: lower is better; all others: "
    "higher is better. PMI counts whole documents, as printed; since words of one document "
    "always meet there, it hardly tells good topics from bad, and PMI of windows of 20 content "
    "words stands beside it. UMass is on the paper's scale; UMass of counts is the mean of "
    "log((n_ij + 1) / n_i). A topic of docbats shows fewer than ten words where the next would not "
    "keep company with the others, which UMass rewards. BATS is the paper's method, docbats our "
    "own; the smaller table takes the composites of docbats from those of each method, with a "
    "paired bootstrap interval of 95 %; a star marks differences that are not chance.\n"
)
_NOT_IN_THE_PAPER = {
    "pmi_windows": "PMI of windows",
    "umass_counts": "UMass of counts",
    "words": "words shown",
}


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write two tables for each dataset: the scores, and how far they are from docbats."""
    yield _INTRODUCTION
    for dataset, found in read_datasets(folder, DATASETS, SCORED_TOPIC_METHODS).items():
        paper = printed()["table3"][dataset]
        scores = list(paper["BATS"])
        body = []
        for name, rows in found.items():
            cells = []
            for score in scores:
                theirs = f" ({paper[name][score][0]:.2f})" if name in paper else ""
                cells.append(spread(summarise(rows, score), 2) + theirs)
            cells += [spread(summarise(rows, score), 2) for score in _NOT_IN_THE_PAPER]
            body.append([name, *cells])
        yield heading(dataset, found)
        yield table(["", *map(score_name, scores), *_NOT_IN_THE_PAPER.values()], body)
        differences = compare(found, lambda _: "docbats", COMPOSITES)
        yield differences_table(differences, COMPOSITES, 2)
        yield ahead(differences)
        yield failures(found)

"""Table 2: PMI by the number of words from each topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import count_words, mean_pmi
from docbats_lab.method_registry import TOPIC_METHODS
from docbats_lab.methods import prepare
from docbats_lab.report.tables import format_number, markdown_table, mean_cell, paper_tables
from docbats_lab.results import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.experiments.scorers import WordFrequencies
    from docbats_lab.results import Row

DATASETS = ("textbook", "lectures", "introductions")
WORDS = (2, 5, 10, 20)


@dataclass(frozen=True, eq=False)
class PmiScorer:
    """Scores the topics of a method by their 2, 5, 10 and 20 best words."""

    frequencies: WordFrequencies
    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each method."""
        prepared, k = prepare(document.sentences), len(document.segments)
        topics = {name: TOPIC_METHODS[name].find(prepared, k, self.seed) for name in variants}
        return {
            name: {
                score: value
                for top in WORDS
                for score, value in mean_pmi(found, self.frequencies, top).items()
            }
            for name, found in topics.items()
        }


def run(request: Request) -> None:
    """Score the paper preset."""
    run_scored(
        request,
        "pmi-words",
        DATASETS,
        ["BATS"],
        lambda _, documents: PmiScorer(count_words(documents), request.seed),
    )


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write a row for each number of words."""
    yield (
        "PMI of the preset `paper` by the number of words from each topic, counted over whole "
        "documents as printed, and over windows of 20 content words. Over documents it does not "
        "fall with the number of words as in the paper; over windows it does.\n"
    )
    found = {dataset: read_rows(folder / dataset, "BATS") for dataset in DATASETS}
    body = []
    for words in WORDS:
        cells = []
        for dataset, rows in found.items():
            cells += [
                mean_cell(rows, f"pmi_{words}", 2),
                mean_cell(rows, f"pmi_windows_{words}", 2),
                format_number(paper_tables()["table2"][str(words)][dataset], 2),
            ]
        body.append([str(words), *cells])
    heads = [f"{d}: {h}" for d in DATASETS for h in ("documents", "windows", "paper")]
    yield markdown_table(["words", *heads], body)

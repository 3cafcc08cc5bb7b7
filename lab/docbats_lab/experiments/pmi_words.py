"""Table 2: PMI against the number of words that are taken of each topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import count_words, mean_pmi
from docbats_lab.method_registry import TOPIC_METHODS
from docbats_lab.preparation import prepare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats_lab.experiments.request import Request
    from docbats_lab.experiments.scorers import WordFrequencies
    from docbats_lab.row_files import Row
    from docbats_lab.segmented_document import SegmentedDocument

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

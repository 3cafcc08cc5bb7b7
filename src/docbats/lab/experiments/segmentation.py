"""Table 4: how well each method cuts the documents of six datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.baselines.supervised.split import part_of
from docbats.lab.experiments.request import evenly_spaced, run_scored
from docbats.lab.experiments.scorers import SegmentationScorer
from docbats.lab.method_registry import CLASSICAL_SEGMENTERS, SEGMENTERS

if TYPE_CHECKING:
    from docbats.lab.experiments.request import Request
    from docbats.lab.segmented_document import SegmentedDocument

__all__ = ["DATASETS", "run"]

DATASETS = ("textbook", "lectures", "introductions", "choi", "wiki", "news")


def run(request: Request) -> None:
    """Score every segmenter; the neural ones only where they are asked for by name.

    Of Wiki only the documents count that SupervisedSeg was not trained on, for every method.
    """
    variants = list(SEGMENTERS) if request.methods else list(CLASSICAL_SEGMENTERS)

    def select(dataset: str, documents: list[SegmentedDocument]) -> list[SegmentedDocument]:
        if dataset == "wiki":
            documents = [d for d in documents if part_of(d.name.split("/")[-1]) == "scored"]
        return evenly_spaced(documents, request.limit)

    run_scored(
        request,
        "segmentation",
        DATASETS,
        variants,
        lambda *_: SegmentationScorer(request.seed),
        select=select,
    )

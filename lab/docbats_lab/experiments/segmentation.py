"""Table 4: how well each method cuts the documents of the paper's six datasets, and of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats_lab.baselines.supervised.split import part_of
from docbats_lab.datasets import OTHER_DATASETS
from docbats_lab.experiments.request import evenly_spaced, run_scored
from docbats_lab.experiments.scorers import SegmentationScorer
from docbats_lab.method_registry import (
    CLASSICAL_SEGMENTERS,
    PARAGRAPH_SEGMENTERS,
    SEGMENTERS,
)

if TYPE_CHECKING:
    from docbats_lab.experiments.request import Request
    from docbats_lab.segmented_document import SegmentedDocument

DATASETS = ("textbook", "lectures", "introductions", "choi", "wiki", "news")
_PARAGRAPHS = "structured"  # the dataset whose paragraphs are known


def run(request: Request) -> None:
    """Score every segmenter; the neural ones only where they are asked for by name.

    Of Wiki only the documents count that SupervisedSeg was not trained on, for every method. Those
    that use paragraphs are scored where there are any.
    """
    default = [*CLASSICAL_SEGMENTERS, *PARAGRAPH_SEGMENTERS]
    chosen = request.choose_methods(list(SEGMENTERS)) if request.methods else default

    def select(dataset: str, documents: list[SegmentedDocument]) -> list[SegmentedDocument]:
        if dataset == "wiki":
            documents = [d for d in documents if part_of(d.name.split("/")[-1]) == "scored"]
        return evenly_spaced(documents, request.limit)

    for dataset in request.choose_datasets((*DATASETS, *OTHER_DATASETS)):
        variants = [m for m in chosen if m not in PARAGRAPH_SEGMENTERS or dataset == _PARAGRAPHS]
        if variants:
            run_scored(
                replace(request, datasets=None, methods=variants if request.methods else None),
                "segmentation",
                [dataset],
                variants,
                lambda *_: SegmentationScorer(request.seed),
                select=select,
            )

"""Figures 4 and 5: the topics of one document, side by side; and of ten more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats_lab.experiments import topic_quality
from docbats_lab.experiments.request import load_documents
from docbats_lab.held_out import is_held_out
from docbats_lab.method_registry import TOPIC_METHODS
from docbats_lab.preparation import prepare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats_lab.experiments.request import Request
    from docbats_lab.segmented_document import SegmentedDocument

_TOP_WORDS = 10
_FIGURES = ("introductions", "textbook")
_K = 5  # the paper's figure 5 shows a document of five topics
_SIDE_BY_SIDE = ("BATS", "docbats", "NMF", "LDA")


def run(request: Request) -> None:
    """Find the topics of a document of five segments from each of two datasets, and of ten more.

    The ten are two from each dataset, at a third and at two thirds of the documents that the
    settings of the preset sharp were not chosen on; as many topics as they have segments.
    """
    folder = request.output / "example-topics"
    folder.mkdir(parents=True, exist_ok=True)
    methods = request.choose_methods(list(TOPIC_METHODS))
    fewer = [name for name in _SIDE_BY_SIDE if name in methods]
    examples, more = [], []
    for dataset in request.choose_datasets(topic_quality.DATASETS):
        documents = load_documents(request.data, dataset)
        if dataset in _FIGURES:
            document = next(d for d in documents if len(d.segments) == _K)
            examples.append(_example(dataset, document, methods))
        held_out = [d for d in documents if is_held_out(dataset, d.name)]
        for third in (1, 2):
            document = held_out[third * len(held_out) // 3]
            more.append(_example(dataset, document, fewer))
    examples.sort(key=lambda example: _FIGURES.index(example["dataset"]))
    facts = {"command": "docbats lab run example-topics", "examples": examples, "more": more}
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _example(dataset: str, document: SegmentedDocument, methods: Sequence[str]) -> dict[str, Any]:
    prepared, k = prepare(document.sentences), len(document.segments)
    topics = {
        name: [words[:_TOP_WORDS] for words in TOPIC_METHODS[name].find(prepared, k, 0)]
        for name in methods
    }
    return {"dataset": dataset, "document": document.name, "topics": topics}

"""Figures 4 and 5: the topics of one document, side by side; and of ten more."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from docbats_lab.experiments import topic_quality
from docbats_lab.experiments.request import load_documents
from docbats_lab.method_registry import TOPIC_METHODS
from docbats_lab.methods import prepare
from docbats_lab.report.tables import NO_VALUE, markdown_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.splits import is_held_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

_TOP_WORDS = 10
_FIGURES = ("introductions", "textbook")
_K = 5  # the paper's figure 5 shows a document of five topics
_SIDE_BY_SIDE = ("BATS", "docbats", "NMF", "LDA")


_INTRODUCTION = (
    "The ten best words of each topic, with as many topics as the document has segments. First the "
    "documents of the figures, by every method; then two documents from each dataset, at one third "
    "and two thirds of the documents that were not used to choose the settings of docbats. BATS is "
    "the paper's method, docbats our own. Each method orders topics in its own way, so topics in "
    "one row need not match.\n"
)


def run(request: Request) -> None:
    """Find the topics of a document of five segments from each of two datasets, and of ten more.

    The ten are two from each dataset, at a third and at two thirds of the documents that the
    settings of the preset sharp were not chosen on; as many topics as they have segments.
    """
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
    write_facts(request.output / "example-topics", facts)


def _example(dataset: str, document: SegmentedDocument, methods: Sequence[str]) -> dict[str, Any]:
    prepared, k = prepare(document.sentences), len(document.segments)
    topics = {
        name: [words[:_TOP_WORDS] for words in TOPIC_METHODS[name].find(prepared, k, 0)]
        for name in methods
    }
    return {"dataset": dataset, "document": document.name, "topics": topics}


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write the topics of each document, a row for each topic and a column for each method."""
    yield _INTRODUCTION
    facts = read_facts(folder)
    for example in [*facts["examples"], *facts.get("more", [])]:
        yield f"\n## {example['dataset'].capitalize()}, document {example['document']}\n"
        yield _table(example["topics"])


def _table(topics: Mapping[str, Any]) -> str:
    rows = zip_longest(*topics.values())
    return markdown_table(
        ["topic", *topics],
        [
            [str(index), *(NO_VALUE if words is None else ", ".join(words) for words in row)]
            for index, row in enumerate(rows, start=1)
        ],
        numbers=False,
    )

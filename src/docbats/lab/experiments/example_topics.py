"""Figures 4 and 5: the topics of one document, side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docbats.lab.experiments.request import load_documents
from docbats.lab.preparation import prepare
from docbats.lab.registry import TOPIC_METHODS

if TYPE_CHECKING:
    from docbats.lab.experiments.request import Request

__all__ = ["run"]

_TOP_WORDS = 10
_SETS = ("introductions", "textbook")
_K = 5  # the paper's figure 5 shows a document of five topics


def run(request: Request) -> None:
    """Find the topics of one document of five segments from each of two datasets."""
    folder = request.output / "example-topics"
    folder.mkdir(parents=True, exist_ok=True)
    examples = []
    for dataset in request.choose_datasets(_SETS):
        documents = load_documents(request.data, dataset)
        document = next(d for d in documents if len(d.segments) == _K)
        prepared = prepare(document.sentences)
        found = {
            name: [words[:_TOP_WORDS] for words in TOPIC_METHODS[name].find(prepared, _K, 0)]
            for name in request.choose_methods(list(TOPIC_METHODS))
        }
        examples.append({"dataset": dataset, "document": document.name, "topics": found})
    facts = {"command": "docbats lab run example-topics", "examples": examples}
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")

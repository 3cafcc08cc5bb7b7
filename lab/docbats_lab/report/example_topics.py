"""The page of figures 4 and 5: topics side by side."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from docbats_lab.report.markdown_tables import NO_VALUE, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_INTRODUCTION = (
    "The ten best words of each topic, as many topics as the document has segments. First the "
    "documents of the figures, by every method; then two documents from each dataset, at a third "
    "and at two thirds of those that the settings of docbats were not chosen on. BATS is the "
    "paper's method, docbats our own. Each method has an order of its own, so topics in one row "
    "need not be alike.\n"
)


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

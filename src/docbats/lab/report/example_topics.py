"""The page of figures 4 and 5: topics side by side."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from docbats.lab.report.markdown import NONE, table
from docbats.lab.report.results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["page"]


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write the topics of each document, a column for each method."""
    for example in read_facts(folder)["examples"]:
        topics = example["topics"]
        body = []
        for index, row in enumerate(zip_longest(*topics.values()), start=1):
            cells = [NONE if words is None else ", ".join(words) for words in row]
            body.append([str(index), *cells])
        yield f"\n## {example['dataset'].capitalize()}, document {example['document']}\n"
        yield table(["topic", *topics], body)

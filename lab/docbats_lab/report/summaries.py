"""The page on summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show ROUGE of each way, and how far ours lies above the others."""
    facts = read_facts(folder)
    names = list(next(iter(facts["scores"].values())))
    yield (
        f"The {facts['documents']} PEPs whose authors wrote an abstract, without it and without "
        f"headings: {facts['sentences']} sentences of the rest against the abstract, by ROUGE (F1 "
        "of stems). LexRank is ours by its paper; the lead is the first sentences of the text, or "
        "of its longest segments.\n"
    )
    yield markdown_table(
        ("summary", *names),
        [
            [way, *(format_number(row[name]) for name in names)]
            for way, row in facts["scores"].items()
        ],
    )
    yield "\nOurs minus the others, with 95 % bounds of a paired bootstrap over documents:\n"
    yield markdown_table(
        ("minus", *names),
        [
            [way, *("{:+.3f} [{:+.3f}, {:+.3f}]".format(*row[name]) for name in names)]
            for way, row in facts["differences"].items()
        ],
    )

"""The page of figure 3: distances between sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.report.stored_results import copy_picture, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def page(folder: Path, pages: Path) -> Iterator[str]:
    """Show the picture of each document."""
    for index, document in enumerate(read_facts(folder)["documents"], start=1):
        picture = f"distances-{index}.png"
        copy_picture(folder / f"document-{index}.png", pages / picture)
        yield (
            f"\n## {document['name']}\n\nTrue segments of {document['segments']} sentences.\n\n"
            f"![Distances between sentences over w and d]({picture})\n"
        )

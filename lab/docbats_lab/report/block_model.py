"""The page of figure 2: a stochastic co-block model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.report.stored_results import copy_picture, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def page(folder: Path, pages: Path) -> Iterator[str]:
    """Show the picture with what it is drawn from."""
    facts = read_facts(folder)
    copy_picture(folder / "figure.png", pages / "block-model.png")
    yield (
        f"{facts['sentences']} sentences and {facts['words']} words in {facts['blocks']} blocks; a "
        f"sentence holds a word of its block with probability {facts['within']}, another with "
        f"{facts['across']}: {facts['sparsity']} % zeros.\n\n"
        "![Singular values, Jaccard distances, and words by singular vectors](block-model.png)\n\n"
        f"The ten largest singular values: {', '.join(map(str, facts['singular_values']))}. Four "
        "stand apart, one for each block. Neighborhoods show the blocks only faintly; the vectors "
        "separate them.\n"
    )

"""Reads the stored results of an experiment for its page."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.row_files import Row, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

VariantRows = dict[str, dict[str, Row]]
"""The rows of each variant that was run, by the names of their documents."""


def read_variants(folder: Path, variants: Iterable[str]) -> VariantRows:
    """Read the rows of one dataset, leaving out variants that were not run."""
    found = {name: read_rows(folder, name) for name in variants}
    return {name: rows for name, rows in found.items() if rows}


def read_datasets(
    folder: Path, datasets: Iterable[str], variants: Iterable[str]
) -> dict[str, VariantRows]:
    """Read the rows of each dataset, leaving out datasets that were not run."""
    variants = tuple(variants)
    found = {dataset: read_variants(folder / dataset, variants) for dataset in datasets}
    return {dataset: rows for dataset, rows in found.items() if rows}


def read_facts(folder: Path) -> dict[str, Any]:
    """Read the facts of an experiment that does not score documents."""
    facts: dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return facts


def true_segment_counts(found: VariantRows) -> dict[str, int]:
    """Return the true number of segments of each document, from the methods that are given it."""
    return {
        document: row["segments"]
        for name, rows in found.items()
        if SEGMENTERS[name].takes_k
        for document, row in rows.items()
        if "segments" in row
    }


def copy_picture(source: Path, target: Path) -> None:
    """Copy a picture if it exists; stored results leave it out since the pages have it."""
    if source.exists():
        shutil.copy(source, target)

"""Headings and notes that the pages of several tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.lab.report.results import Found

__all__ = ["failures", "heading", "score_name"]

_NAMES = {
    "pmi": "PMI",
    "umass": "UMass",
    "jaccard": "Jaccard",
    "dice": "Dice",
    "pk": "Pk",
    "wd": "WD",
    "b": "B",
}


def heading(dataset: str, found: Found) -> str:
    """Name a dataset and the number of its documents that were scored."""
    return f"\n## {dataset.capitalize()}, {_documents(found)} documents\n"


def failures(found: Found) -> str:
    """Say which methods failed on documents, or were run on fewer."""
    most = _documents(found)
    notes = []
    for name, rows in found.items():
        failed = sum("error" in row for row in rows.values())
        if failed:
            notes.append(f"{name} failed on {failed} documents.")
        if len(rows) < most:
            notes.append(f"{name} was run on {len(rows)} documents.")
    return "\n" + " ".join(notes) + "\n" if notes else ""


def score_name(score: str) -> str:
    """Write a score, or a composite such as ``pmi_dice``, as the paper does: PMI^Dice."""
    return "^".join(_NAMES[part] for part in score.split("_"))


def _documents(found: Found) -> int:
    return max(len(rows) for rows in found.values())

"""Headings, names of scores and notes that several pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats_lab.report.stored_results import VariantRows

_NAMES = {
    "pmi": "PMI",
    "umass": "UMass",
    "jaccard": "Jaccard",
    "dice": "Dice",
    "pk": "Pk",
    "wd": "WD",
    "b": "B",
    "f1": "F1",
    "f1_2": "F1 within 2",
}
_DATASETS = {
    "avlectures": "AVLectures",
    "icsi": "ICSI",
    "openstax": "OpenStax",
    "wikitext": "WikiText",
}


def dataset_label(dataset: str) -> str:
    """Return the name of a dataset as it is written in headings and tables."""
    return _DATASETS.get(dataset, dataset.capitalize())


def dataset_heading(dataset: str, found: VariantRows, level: int = 2) -> str:
    """Return a heading with the dataset and the number of its scored documents."""
    return f"\n{'#' * level} {dataset_label(dataset)}, {_documents(found)} documents\n"


def failure_note(found: VariantRows) -> str:
    """Return a note of the methods that failed on documents or were run on fewer."""
    most = _documents(found)
    notes = []
    for name, rows in found.items():
        failed = sum("error" in row for row in rows.values())
        if failed:
            notes.append(f"{name} failed on {failed} documents.")
        if len(rows) < most:
            notes.append(f"{name} was run on {len(rows)} documents.")
    return "\n" + " ".join(notes) + "\n" if notes else ""


def score_label(score: str) -> str:
    """Return the paper's name of a score, or of a composite such as ``pmi_dice``: PMI^Dice."""
    return _NAMES.get(score) or "^".join(_NAMES[part] for part in score.split("_"))


def _documents(found: VariantRows) -> int:
    return max(len(rows) for rows in found.values())

"""The page on titles and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.experiments.titles import CONFIRMING_SOURCES, OURS
from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_INTRODUCTION = (
    "Each document is given without its headings but with its true sections "
    "(`docbats.analyze(text, boundaries=...)`), and the title of each section is compared with the "
    "heading that its author wrote: F1 of their stems without stop words, and how often these are "
    'the same. Headings that say nothing of their sections ("Introduction", "Abstract") are left '
    "out and counted. The others are given the text of the section, and tf-idf the other sections, "
    "too; YAKE is its authors' program, RAKE, TextRank and PositionRank are ours by their papers, "
    "and KeyBERT ranks the fifty noun phrases that a section uses most by all-MiniLM-L6-v2.\n"
)
_CONFIRMED = (
    "\n## Confirmed on other sources\n\nThe weights of the ranker, fitted to four English sources, "
    f"on the four others ({', '.join(CONFIRMING_SOURCES)}) and on the other languages: our F1 "
    "minus that of each other way, with 95 % bounds of a paired bootstrap over sections; a star "
    "where zero is not between them. The features and the lag of a second phrase were chosen by "
    "their scores on left-out English sources, all eight of them.\n"
)
_LEFT_OUT = (
    "\n## Weights of other sources\n\nF1 with the weights that are in the package, which were "
    "fitted to all English sources; with those of the four sources above; and for each English "
    "source with those fitted to the seven others.\n"
)
_LABELS = (
    "\n## Labels of topics\n\nF1 of the label of a section's strongest topic with the section's "
    "heading, beside that topic's three best words.\n"
)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of all ways, the differences, the weights, and the labels."""
    facts = read_facts(folder)
    yield _INTRODUCTION
    yield markdown_table(
        ("source", "documents", "sections", "generic headings", "scored"),
        [[name, *(str(n) for n in row.values())] for name, row in facts["sections"].items()],
    )
    yield "\n## F1 and exact matches\n\nIn the mean over sources.\n"
    yield markdown_table(
        ("titles", "English: F1", "exact", "other languages: F1", "exact"),
        [
            [
                way,
                *(
                    _mean(rows, score, english=english)
                    for english in (True, False)
                    for score in ("f1", "exact")
                ),
            ]
            for way, rows in facts["scores"].items()
        ],
    )
    pairs = facts["two_phrases"]
    if pairs is not None:
        yield f'\nOf our English titles {pairs:.0%} have the form "A and B".\n'
    yield _CONFIRMED
    labels = list(next(iter(facts["differences"].values()), {}))
    yield markdown_table(
        ("minus", *labels),
        [
            [way, *(_difference(row.get(label)) for label in labels)]
            for way, row in facts["differences"].items()
        ],
    )
    yield "\n## By source, F1\n"
    ways = list(facts["scores"])
    yield markdown_table(
        ("source", *ways),
        [
            [group, *(_cell(facts["scores"][way], group) for way in ways)]
            for group in facts["scores"].get(OURS, {})
        ],
    )
    yield _LEFT_OUT
    yield markdown_table(
        ("weights fitted to", "English, mean", *_english(facts)),
        [
            [way, _mean(rows, "f1"), *(_cell(rows, name) for name in _english(facts))]
            for way, rows in facts["fitted"].items()
        ],
    )
    yield _LABELS
    yield markdown_table(
        ("", "English", "other languages"),
        [
            [way, _mean(rows, "f1"), _mean(rows, "f1", english=False)]
            for way, rows in facts["labels"].items()
        ],
    )
    yield "\n## The weights\n"
    yield markdown_table(
        ("feature", "all sources", "the fitting half"),
        [
            [name, format_number(weight, 2), format_number(facts["weights_of_half"][name], 2)]
            for name, weight in facts["weights"].items()
        ],
    )


def _english(facts: Mapping[str, Any]) -> list[str]:
    return [name for name in facts["sections"] if not name.endswith(")")]


def _mean(rows: Mapping[str, Mapping[str, float]], score: str, *, english: bool = True) -> str:
    values = [row[score] for name, row in rows.items() if name.endswith(")") != english]
    return format_number(float(np.mean(values)) if values else None)


def _cell(rows: Mapping[str, Mapping[str, float]], group: str) -> str:
    return format_number(rows[group]["f1"] if group in rows else None)


def _difference(values: list[float] | None) -> str:
    if values is None:
        return format_number(None)
    mean, low, high = values
    star = " *" if low > 0 or high < 0 else ""
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]{star}"

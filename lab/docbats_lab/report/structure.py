"""The page on headings and paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_INTRODUCTION = (
    "Whole documents of several sources, with the headings, paragraphs, lists and speakers that "
    "their authors gave them; the truth are the sections between top-level headings, or the topics "
    "that people marked in transcripts.\n"
)
_HEADINGS = (
    "\n## With headings\n\nThe documents as Markdown, the number of segments found: F1 of the "
    "boundaries at exactly the top-level headings, and how many of the segments that begin at one "
    "bear it as their title. Only documents with 3 to 15 such headings.\n"
)
_PARAGRAPHS = (
    "\n## With paragraphs only\n\nThe same documents as plain text, blank lines between the "
    "paragraphs and no heading. Pk and WD over words, F1 of boundaries at exactly the right place, "
    "means over the sources. A cut with (k) was given the true number of segments. *Bare* does "
    'without paragraphs (`structure="ignore"`). The weights of what stands at a break were fitted '
    "to all sources; in the second row each source is cut with the weights of the others. Peers "
    "were given each paragraph as a sentence.\n"
)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores with headings, with paragraphs only, and by source; and the weights."""
    facts = read_facts(folder)
    yield _INTRODUCTION
    yield _HEADINGS
    yield markdown_table(
        ("source", "documents", "F1", "title is the heading"),
        [
            [name, str(found["documents"]), _three(found["f1"]), _three(found["titled"])]
            for name, found in facts["headings"].items()
            if found is not None
        ],
    )
    yield _PARAGRAPHS
    yield markdown_table(
        ("cut", "Pk", "WD", "F1", "at a paragraph break", "segments too many"),
        [
            [
                way,
                *(_mean(by_source, score) for score in ("pk", "wd", "f1", "at_break")),
                _mean(by_source, "segments_too_many", 1),
            ]
            for way, by_source in facts["paragraphs"].items()
        ],
    )
    yield "\n### By source, Pk / WD\n"
    ways = list(facts["paragraphs"])[:5]
    yield markdown_table(
        ("source", "documents", *ways),
        [
            [
                name,
                str(count),
                *(_pair(facts["paragraphs"][way].get(name)) for way in ways),
            ]
            for name, count in facts["documents"].items()
        ],
    )
    yield "\n## The weights of a break\n\nIn log odds; the laboratory fits them anew.\n"
    yield markdown_table(
        ("what stands there", "weight"),
        [[name, format_number(weight, 2)] for name, weight in facts["weights"].items()],
    )


def _three(value: float) -> str:
    return format_number(value, 3)


def _mean(by_source: Mapping[str, Mapping[str, float]], score: str, decimals: int = 3) -> str:
    return format_number(float(np.mean([row[score] for row in by_source.values()])), decimals)


def _pair(row: Mapping[str, Any] | None) -> str:
    return "" if row is None else f"{_three(row['pk'])} / {_three(row['wd'])}"
